"""What a view needs and a click does not change, as a message of its own.

Streamlit sends a component's whole data whenever any of it changed, but a large message that is the same as before only
by its name. So a view whose numbers weigh 60 kB gets them through here, and a click on one of its cells sends a few
hundred bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from attention_app.components import register

_mount = register("given")


def give(key: str, content: Mapping[str, Any]) -> str:
    """Send `content` to the view with this key; the view gets the id that is returned, and waits for it.

    In the view: whenGiven(data.key, data.id, (content) => ...), see base.js.
    """
    id_ = hashlib.blake2b(json.dumps(content).encode(), digest_size=8).hexdigest()
    _mount(key=f"{key}-given", data={"key": key, "id": id_, "content": dict(content)}, height=1)
    return id_
