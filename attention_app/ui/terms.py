"""Terms of the field, explained where they stand: texts for Streamlit's help= tooltips."""

from __future__ import annotations

from attention_app.text import Text, glossary, load


def explain(t: Text | str, *terms: str) -> str:
    """The glossary's entries for `terms`, one below the other, as Markdown.

    t: the texts of a page, or a language ("zh" or "en"). An unknown term raises KeyError.
    """
    language = t if isinstance(t, str) else t.language
    colon = load("common", language)("between.name_and_text")
    entries = [glossary(language)[term] for term in terms]
    return "\n\n".join(f"**{entry.name}**{colon}{entry.explanation}" for entry in entries)
