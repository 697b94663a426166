"""The cross-attention as files."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st

import attention_core
from attention_app.text import Text
from attention_app.ui import presenter
from attention_app.ui.files import file_name
from attention_app.ui.spreadsheet import cell
from attention_app.ui.translate import cache
from attention_app.ui.translate.now import Now
from attention_core.json_form import DECIMALS
from attention_core.translator import target_words
from attention_core.words import Word, join_words


@dataclass(frozen=True)
class Kept:
    """What is kept until somebody asks for a file: no arrays, for it lives as long as its session."""

    words: tuple[Word, ...]
    pieces: tuple[str, ...]
    width: int
    forced: int
    layer: int
    head: int | None


def show(t: Text, now: Now) -> None:
    """The downloads; a projector shows none."""
    if presenter.on():
        return
    kept = Kept(now.lesson.words, now.run.pieces, now.width, len(now.prefix), now.layer, now.head)
    with st.container(border=True, key="card-translate-take"):
        st.subheader(t("card.take.title"), anchor=False)
        st.caption(t("card.take.idea"))
        with st.container(horizontal=True):
            for kind, mime, make in (("csv", "text/csv", as_csv), ("json", "application/json", as_json)):
                st.download_button(
                    kind.upper(),
                    partial(make, kept),
                    file_name=file_name(t("page.translate"), t("card.take.file"), suffix=f".{kind}"),
                    mime=mime,
                    icon=":material/download:",
                    key=f"translate-{kind}",
                    on_click="ignore",
                )


def as_csv(kept: Kept) -> bytes:
    """A line for each English word. Excel reads Chinese only behind a byte order mark."""
    file = io.StringIO()
    writer = csv.writer(file)
    words = target_words(cache.run(kept.words, kept.pieces))
    writer.writerow(["", *(cell(word.text) for word in kept.words)])
    for word, row in zip(words.words, _weights(kept), strict=True):
        writer.writerow([cell(word), *row])
    return file.getvalue().encode("utf-8-sig")


def as_json(kept: Kept) -> str:
    """The sentence, its translation, and who looked at whom."""
    run = cache.run(kept.words, kept.pieces)
    content = {
        "sentence": join_words(kept.words),
        "source_words": [word.text for word in kept.words],
        "target_words": list(target_words(run).words),
        "text": run.text,
        "pieces": list(kept.pieces),
        "probabilities": [round(float(number), DECIMALS) for number in run.chosen],
        "beam": kept.width,
        "forced": kept.forced,
        "layer": kept.layer + 1,
        "head": "mean" if kept.head is None else kept.head + 1,
        "cross": _weights(kept),
        "trained": True,
        "version": attention_core.__version__,
    }
    return json.dumps(content, ensure_ascii=False) + "\n"


def _weights(kept: Kept) -> list[list[float]]:
    """(n_words, n_source_words), as the page shows them."""
    layer = target_words(cache.run(kept.words, kept.pieces)).cross_attention[kept.layer]
    chosen = layer.mean(axis=0) if kept.head is None else layer[kept.head]
    numbers: list[list[float]] = np.round(chosen.astype(np.float64), DECIMALS).tolist()
    return numbers
