"""What the page does while its server is away, and when the browser finds it again.

Everything that needs no server goes on. A quiet bar says what has happened in the reader's language, in place of
Streamlit's English dialog, and what was clicked meanwhile waits and is carried out afterwards.

After a server's restart Streamlit's page waits for the next click and loses it: the new session takes the state from
the link, and only the click after that one counts. So a run is started first.
"""

from __future__ import annotations

from collections.abc import Mapping

from attention_app.components import register

_mount = register("reconnect")


def follow_connection(texts: Mapping[str, str]) -> None:
    """Start a run at every reconnection, not at the first connection. texts: lost, back."""
    _mount(key="reconnect", data={"texts": dict(texts)}, height=1, on_back_change=lambda: None)
