"""The scene's numbers as files, and as code that gives the same."""

from __future__ import annotations

import csv
import io
import json
import shlex
from functools import partial

import streamlit as st

import attention_core
from attention_app.text import Text
from attention_app.ui import presenter
from attention_app.ui.files import file_name
from attention_app.ui.qkv.search import Search
from attention_app.ui.spreadsheet import cell
from attention_core.json_form import DECIMALS
from attention_core.retrieve import RetrievalTrace, json_form


def show(t: Text, now: Search) -> None:
    """The downloads and the code; a projector shows none."""
    if presenter.on():
        return
    trace = now.trace
    with st.container(border=True, key="card-qkv-take"):
        st.subheader(t("take.title"), anchor=False)
        with st.container(horizontal=True):
            for kind, mime, make in (("csv", "text/csv", table), ("json", "application/json", as_json)):
                st.download_button(
                    kind.upper(),
                    partial(make, trace),
                    file_name=file_name(t("page.qkv"), t(f"scene.{now.scene.name}"), suffix=f".{kind}"),
                    mime=mime,
                    icon=":material/download:",
                    key=f"qkv-{kind}",
                    on_click="ignore",
                )
        folded = st.expander(t("take.code"), icon=":material/code:", type="compact", key="qkv-code", on_change="rerun")
        if folded.open:
            folded.code(snippet(trace), wrap_lines=True)
            folded.markdown(t("take.command"))
            folded.code(command(trace), language="bash", wrap_lines=True)


def table(trace: RetrievalTrace) -> bytes:
    """A line for each row. Excel reads Chinese only behind a byte order mark."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow([cell(trace.query), "value", "score", "weight", "distance", "cosine"])
    numbers = zip(trace.scores, trace.attn_weights, trace.distances, trace.cosines, strict=True)
    for key, value, row in zip(trace.keys, trace.values, numbers, strict=True):
        writer.writerow([cell(key), cell(value), *(f"{number:.{DECIMALS}f}" for number in row)])
    return file.getvalue().encode("utf-8-sig")


def as_json(trace: RetrievalTrace) -> str:
    """What `python -m attention_core retrieve --format json` writes, with the values and how the mixture lies."""
    content = {
        **json_form(trace),
        "values": list(trace.values),
        "distances": [round(float(number), DECIMALS) for number in trace.distances],
        "cosines": [round(float(number), DECIMALS) for number in trace.cosines],
        "version": attention_core.__version__,
    }
    return json.dumps(content, ensure_ascii=False) + "\n"


def snippet(trace: RetrievalTrace) -> str:
    """A short program that prints the scene's numbers; Python quotes what a person typed."""
    keys = "".join(f"    {key!r},\n" for key in trace.keys)
    values = "".join(f"    {value!r},\n" for value in trace.values)
    return (
        "from attention_core.retrieve import retrieve\n\n"
        f"keys = [\n{keys}]\nvalues = [\n{values}]\n"
        f"trace = retrieve({trace.query!r}, keys, values, temperature={trace.temperature:g})\n"
        "for key, score, weight in zip(keys, trace.scores, trace.attn_weights):\n"
        '    print(f"{score:.6f} {weight:.6f} {key}")\n'
    )


def command(trace: RetrievalTrace) -> str:
    """The command line that prints the scores and weights."""
    options = ["--temperature", f"{trace.temperature:g}", "--", trace.query, *trace.keys]
    return shlex.join(["python", "-m", "attention_core", "retrieve", *options])
