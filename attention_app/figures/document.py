"""An HTML file that stands alone: it opens offline, and nothing comes in or goes out.

Its policy allows one style sheet and one script, each by the hash of its text, and no request at all. What a person
typed stands in it as escaped text and as JSON without a "<".
"""

from __future__ import annotations

import base64
import hashlib
import json

from attention_app.figures.svg.markup import element, text


def document(body: str, *, title: str, language: str, style: str, script: str, data: object) -> str:
    """The whole file. body: markup, of which the caller has escaped what people typed; title: plain text.

    The script finds `data` as JSON in the element with the id "data".
    """
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; base-uri 'none'; "
        "form-action 'none'"
    )
    head = "".join(
        (
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width,initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            element("title", text(title)),
            f"<style>{style}</style>",
        )
    )
    scripts = f'<script type="application/json" id="data">{_json(data)}</script><script>{script}</script>'
    whole = element("head", head) + element("body", element("main", body + scripts))
    return "<!doctype html>\n" + element("html", whole, lang=language) + "\n"


def _json(data: object) -> str:
    """JSON that can stand in a script element: no "<" ends it, whatever a sentence holds."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _hash(content: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
