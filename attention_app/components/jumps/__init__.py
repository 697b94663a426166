"""The cards of a long page as a row of links."""

from __future__ import annotations

from collections.abc import Mapping

from attention_app.components import register

_mount = register("jumps")


def jumps(links: Mapping[str, str], *, title: str) -> None:
    """Show the row. links: the key of each card's container and what its link says, in the order of the page."""
    _mount(key="jumps", data={"links": list(links.items()), "title": title})
