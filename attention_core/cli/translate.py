"""`translate`: a Chinese sentence into English, and which Chinese word each English word looked at."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from attention_core.cli.arguments import add_sentence, words
from attention_core.cli.terminal import printable, weight_table
from attention_core.json_form import rounded
from attention_core.trace import FloatArray
from attention_core.translator import MAX_WIDTH, TargetWords, Translation, load_facts, target_words, translate

if TYPE_CHECKING:
    from attention_core.cli.arguments import Commands

STOPPED = {"length": "it became too long", "repetition": "it turned in circles"}


def add(commands: Commands) -> argparse.ArgumentParser:
    """Describe the command's arguments."""
    parser = commands.add_parser(
        "translate",
        help="a Chinese sentence into English, with the cross-attention",
        description="Translate with a small model that makes mistakes. A sentence that begins with - goes after --.",
        allow_abbrev=False,
    )
    add_sentence(parser)
    parser.add_argument(
        "--beam", type=int, default=1, metavar="N", help=f"beginnings that go on, 1 to {MAX_WIDTH} (default: 1, greedy)"
    )
    return parser


def run(options: argparse.Namespace) -> str:
    """The answer as text. InputError or UsageError: arguments that cannot be used."""
    result = translate(words(options), options.beam)
    shown = target_words(result.run)
    cross = shown.cross_attention[-1].mean(axis=0)  # (n_words, n_source_words)
    return _json(result, shown, cross) if options.format == "json" else _table(result, shown, cross)


def _json(result: Translation, shown: TargetWords, cross: FloatArray) -> str:
    content = {
        "source_words": [word.text for word in result.run.source.words],
        "target_words": list(shown.words),
        "text": result.run.text,
        "cross": rounded(cross),
        "model": load_facts()["model"],
    }
    return json.dumps(content, ensure_ascii=False)


def _table(result: Translation, shown: TargetWords, cross: FloatArray) -> str:
    source = result.run.source
    n_layers, n_heads = result.run.cross_attention.shape[:2]
    lines = [printable(result.run.text), ""]
    if shown.words:
        lines += [f"cross-attention, layer {n_layers}, mean of {n_heads} heads"]
        lines += ["rows: the word being produced; columns: at whom it looks; every row sums to 1", ""]
        lines += weight_table(shown.words, [printable(word.text) for word in source.words], cross)
    unknown = [printable(piece) for piece, new in zip(source.pieces, source.unknown, strict=True) if new]
    if unknown:
        lines += ["", f"never seen, read as <unk>: {' '.join(unknown)}"]
    if result.found.stopped != "end":
        lines += ["", f"stopped before its end: {STOPPED[result.found.stopped]}"]
    return "\n".join(lines)
