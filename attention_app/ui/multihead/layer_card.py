"""What every card about the layer has: its place on the page, the heads' colours, what a click on a head does."""

from __future__ import annotations

from contextlib import AbstractContextManager

from attention_app.components.blocks import Head
from attention_app.figures.head_colors import css_color, css_ink
from attention_app.text import Text
from attention_app.ui import shown, state
from attention_app.ui.multihead.layer import Layer

CONCAT, OUT = r"\mathrm{Concat}", r"\mathrm{attn\_out}"


def card(t: Text, name: str, terms: str = "", /, *, kind: str = "", **values: object) -> AbstractContextManager[None]:
    """A card of the page; `values` fill its title and its idea, which another `kind` of it has of its own."""
    what = f"card.{name}_{kind}" if kind else f"card.{name}"
    return shown.card(f"multihead-{name}", t(f"{what}.title", **values), t(f"{what}.idea", **values), terms)


def heads(now: Layer) -> list[Head]:
    return [{"color": css_color(head), "ink": css_ink(head)} for head in range(now.n_heads)]


def choose_head(head: int) -> None:
    """The chosen head goes along to the other pages. In a callback only."""
    state.put("head", head + 1)
    state.put("mean", "")
