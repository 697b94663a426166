"""How a Plotly chart stands on a page: in our own colours, without tools, and wide ones scroll inside their card."""

from __future__ import annotations

from typing import Any

import streamlit as st

_CONFIG = {"displayModeBar": False, "scrollZoom": False}


def chart(key: str, figure: Any, *, least: int | None = None, most: int | None = None) -> None:
    """Show a figure under the key `{key}-chart`.

    least, most  px of its width; where its card is narrower than `least` it scrolls inside the container `key`
    """
    if least is None:
        st.plotly_chart(figure, theme=None, key=f"{key}-chart", config=_CONFIG)
        return
    widths = f"min-width: {least}px;" + (f" max-width: {most}px;" if most else "")
    st.html(f"<style>.st-key-{key} {{ overflow-x: auto; }} .st-key-{key} > * {{ {widths} }}</style>")
    with st.container(key=key):
        st.plotly_chart(figure, theme=None, key=f"{key}-chart", config=_CONFIG)
