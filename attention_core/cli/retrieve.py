"""`retrieve`: a request against labels, with the real model's vectors of whole texts."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from attention_core.cli.arguments import UsageError
from attention_core.cli.terminal import printable
from attention_core.errors import InputError
from attention_core.retrieval_facts import verdict
from attention_core.retrieve import MAX_KEYS, TEMPERATURE, RetrievalTrace, json_form, retrieve
from attention_core.sources.e5_sentences import Kind, pieces_of

if TYPE_CHECKING:
    from attention_core.cli.arguments import Commands

_VERDICTS = {
    "fits": "it is higher than 99 % of unrelated texts score",
    "unsure": "few unrelated texts score as high: perhaps it fits",
    "none": "unrelated texts score as high: probably none of these fits",
    "unknown": "not to be judged: there is hardly a word of Chinese or English in one of the two texts",
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
    _check(options)
    trace = retrieve(options.query, options.keys, temperature=options.temperature)
    return json.dumps(json_form(trace), ensure_ascii=False) if options.format == "json" else _table(trace)


def _check(options: argparse.Namespace) -> None:
    """UsageError: a text that the model cannot read, called by its name."""
    texts: list[tuple[str, str, Kind]] = [("the request", options.query, "query")]
    texts += [(f"label {i}", key, "passage") for i, key in enumerate(options.keys[:MAX_KEYS], start=1)]
    for name, text, kind in texts:
        try:
            pieces_of(text, kind)
        except InputError as error:
            what = "is empty: type at least one word" if error.key == "empty" else f"cannot be used: {error}"
            raise UsageError(f"{name} {what}") from None


def _table(trace: RetrievalTrace) -> str:
    """One line for each label, in the order given; below them whether the best one fits."""
    key, best = trace.keys[trace.best], float(trace.scores[trace.best])
    lines = [f"temperature {trace.temperature:g}; weights sum to 1", "", " score  weight"]
    lines += [
        f"{score:6.3f}   {weight:.3f}  {printable(key)}"
        for key, score, weight in zip(trace.keys, trace.scores, trace.attn_weights, strict=True)
    ]
    found = f"best: {printable(key)}, {best:.3f}; {_VERDICTS[verdict(trace.query, key, best)]}"
    return "\n".join([*lines, "", found])
