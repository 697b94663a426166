"""One entry of the browser's history for every picture, so that each press of "back" goes back.

A page is opened at its bare address, and only at the end of its first run does the address hold what is shown.
Streamlit makes an entry of each; going back to the bare one would lead forward again.
"""

from __future__ import annotations

from attention_app.components import register

_mount = register("address")


def follow_address() -> None:
    _mount(key="address", height=1)
