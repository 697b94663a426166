"""Starts a run when the browser finds the server again, so that a new server knows what is on the screen.

After a server's restart Streamlit's page waits for the next click and loses it: the new session takes the state from
the link, and only the click after that one counts.
"""

from __future__ import annotations

from attention_app.components import register

_mount = register("reconnect")


def follow_connection() -> None:
    """Start a run at every reconnection, not at the first connection."""
    _mount(key="reconnect", height=1, on_back_change=lambda: None)
