"""`retrieve`: a request against labels, with the real model's vectors of whole texts."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from attention_core.cli.arguments import UsageError
from attention_core.cli.terminal import printable
from attention_core.retrieval_facts import typical
from attention_core.retrieve import TEMPERATURE, RetrievalTrace, json_form, retrieve

if TYPE_CHECKING:
    from attention_core.cli.arguments import Commands

_VERDICTS = {
    "fits": "it is higher than 99 % of unrelated texts score",
    "unsure": "few unrelated texts score as high: perhaps it fits",
    "none": "unrelated texts score as high: probably none of these fits",
}


def add(commands: Commands) -> argparse.ArgumentParser:
    """Describe the command's arguments."""
    parser = commands.add_parser(
        "retrieve",
        help="which of some labels fits a request",
        description="Scores and weights of labels for a request. A text that begins with - goes after --.",
        allow_abbrev=False,
    )
    parser.add_argument("query", metavar="QUERY", help="what is looked for")
    parser.add_argument("keys", metavar="KEY", nargs="+", help="the labels it is held against")
    help_text = f"what the scores are divided by (default: {TEMPERATURE:g}, the model's own)"
    parser.add_argument("--temperature", type=float, metavar="T", default=TEMPERATURE, help=help_text)
    return parser


def run(options: argparse.Namespace) -> str:
    """The answer as text. InputError or UsageError: arguments that cannot be used."""
    try:
        " ".join([options.query, *options.keys]).encode("utf-8")
    except UnicodeEncodeError:  # bytes of the shell that are no text
        raise UsageError("the text is not valid UTF-8") from None
    trace = retrieve(options.query, options.keys, temperature=options.temperature)
    return json.dumps(json_form(trace), ensure_ascii=False) if options.format == "json" else _table(trace)


def _table(trace: RetrievalTrace) -> str:
    """One line for each label, in the order given; below them whether the best one fits."""
    known, best = typical(trace.query, trace.keys[trace.best]), float(trace.scores[trace.best])
    lines = [f"temperature {trace.temperature:g}; weights sum to 1", "", " score  weight"]
    lines += [
        f"{score:6.3f}   {weight:.3f}  {printable(key)}"
        for key, score, weight in zip(trace.keys, trace.scores, trace.attn_weights, strict=True)
    ]
    found = f"best: {printable(trace.keys[trace.best])}, {best:.3f}; {_VERDICTS[known.judge(best)]}"
    return "\n".join([*lines, "", found])
