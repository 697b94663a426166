"""The command line: attention between the words of a sentence, as a table or as JSON.

Bad arguments of any kind end with one line on stderr and exit code 2. Layers and heads count from 1.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

import attention_core
from attention_core.attend import attend
from attention_core.errors import InputError
from attention_core.head_facts import FIRST
from attention_core.json_form import json_form
from attention_core.sources import D_MODELS, EMBEDDINGS, PROJECTIONS, SOURCES, Settings, source_info
from attention_core.sources.word_vectors import unknown_words
from attention_core.trace import WordAttention
from attention_core.words.word import Word

PROGRAM = "python -m attention_core"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code. argv: the arguments, those of the process when None."""
    try:
        _write(_answer(_parser().parse_args(argv)))
        return 0
    except (InputError, UsageError) as error:
        return _fail(str(error))
    except OSError as error:  # a file of weights or words is missing or unreadable
        return _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except KeyboardInterrupt:
        return 130


class UsageError(Exception):
    """Arguments that cannot be used; the text is the line that the person reads."""


@dataclass(frozen=True)
class Answer:
    """What is asked for, ready to be written. layer and head count from 1."""

    attention: WordAttention
    layer: int
    head: int
    settings: Settings
    as_json: bool

    @property
    def used(self) -> dict[str, object]:
        """The settings that this source reads."""
        return {name: getattr(self.settings, name) for name in source_info(self.attention.source).settings}


def _answer(options: argparse.Namespace) -> Answer:
    settings = _settings(options)
    info = source_info(options.source, settings)
    first_layer, first_head = FIRST if info.name == "real" else (0, 0)
    layer = _in_range("layer", options.layer, first_layer + 1, info.n_layers)
    head = _in_range("head", options.head, first_head + 1, info.n_heads)
    words = _words(options.sentence, options.words)
    return Answer(attend(words, info.name, settings), layer, head, settings, options.format == "json")


def _settings(options: argparse.Namespace) -> Settings:
    """The settings; asking for one that the source does not read is an error."""
    info = source_info(options.source)
    asked = {name: getattr(options, name) for name in Settings.__dataclass_fields__}
    asked = {name: value for name, value in asked.items() if value is not None}
    for name in asked:
        if name not in info.settings:
            raise UsageError(f"--{name.replace('_', '-')} does not apply to --source {info.name}")
    return Settings(**asked)


def _in_range(name: str, value: int | None, default: int, high: int) -> int:
    value = default if value is None else value
    if not 1 <= value <= high:
        raise InputError("out_of_range", name=name, low=1, high=high, value=value)
    return value


def _words(sentence: str | None, words: str | None) -> tuple[Word, ...]:
    if (sentence is None) == (words is None):
        raise UsageError("give either a SENTENCE or --words, exactly one of them")
    text = sentence if sentence is not None else words
    assert text is not None
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # bytes of the shell that are no text
        raise UsageError("the text is not valid UTF-8") from None
    from attention_core.words import parse_words, segment  # the dictionary is read only when there is text to cut

    return segment(text) if sentence is not None else parse_words(text)


def _write(answer: Answer) -> None:
    if hasattr(sys.stdout, "reconfigure"):
        if answer.as_json:  # JSON is UTF-8 (RFC 8259, section 8.1), wherever it is read
            sys.stdout.reconfigure(encoding="utf-8")
        else:  # a terminal that lacks a character gets its escape instead of a traceback
            sys.stdout.reconfigure(errors="backslashreplace")
    _out((_json(answer) if answer.as_json else _table(answer)) + "\n")


def _out(text: str) -> None:
    if sys.stdout is None:
        raise UsageError("the output could not be written: standard output is closed")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:  # the reader of a pipe has gone, or the disk is full
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  for what is left to flush at exit
        raise UsageError(f"the output could not be written: {error.strerror or error}") from None


def _json(answer: Answer) -> str:
    """One JSON object, with the raw weights."""
    shown = answer.attention
    layer, head = answer.layer - 1, answer.head - 1
    weights, special = shown.weights[layer, head], shown.special[layer, head]
    content = json_form(shown.words, shown.pieces, shown.source, (layer, head), weights, special)
    if shown.source != "real":
        content["settings"] = answer.used
    return json.dumps(content, ensure_ascii=False)


def _table(answer: Answer) -> str:
    """A heading, then one line for each word: its weights on every word and on the special tokens."""
    shown = answer.attention
    layer, head = answer.layer - 1, answer.head - 1
    names = [_printable(word.text) for word in shown.words]
    columns = [*names, *shown.special_names]
    rows = [
        [f"{weight:.3f}" for weight in (*weights, *special)]
        for weights, special in zip(shown.weights[layer, head], shown.special[layer, head], strict=True)
    ]
    widths = [max(5, display_width(name)) for name in columns]  # 5 = "0.000"
    first = max(map(display_width, names))
    lines = ["  ".join([" " * first, *map(_right, columns, widths)])]
    lines += ["  ".join([_left(name, first), *map(_right, row, widths)]) for name, row in zip(names, rows, strict=True)]
    return "\n".join([_heading(answer), "", *lines, *_unknown(answer)])


def _heading(answer: Answer) -> str:
    shown = answer.attention
    parts = [f"source {shown.source}", f"layer {answer.layer}", f"head {answer.head}"]
    parts += [f"{name} {value}" for name, value in answer.used.items()]
    parts += [] if shown.trained else ["untrained weights"]
    return ", ".join(parts) + "\nrows: who looks; columns: at whom; every row sums to 1"


def _unknown(answer: Answer) -> list[str]:
    """A line that names the words without a real word vector, where the source wanted one."""
    shown = answer.attention
    unknown = [_printable(text) for text in unknown_words(shown.words, shown.source, answer.settings)]
    return ["", f"no word vector, all numbers 0: {' '.join(unknown)}"] if unknown else []


def display_width(text: str) -> int:
    """Columns that a terminal gives the text: full-width characters 2, marks that sit on another character 0."""
    width, joined = 0, False
    for character in text:
        if joined or unicodedata.category(character) in ("Mn", "Me", "Cf") or "\U0001f3fb" <= character <= "\U0001f3ff":
            wide = 0  # part of the emoji or letter before it
        else:
            wide = 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
        width += wide
        joined = character == "\u200d"
    return width


def _left(text: str, width: int) -> str:
    return text + " " * (width - display_width(text))


def _right(text: str, width: int) -> str:
    return " " * (width - display_width(text)) + text


def _printable(text: str) -> str:
    """The text on one line: characters that a terminal would obey instead of show become escapes."""
    keep = "\u200d"  # joins emoji
    return "".join(c if c.isprintable() or c in keep else c.encode("unicode_escape").decode("ascii") for c in text)


def _fail(message: str) -> int:
    message = _printable(message)
    message = message if len(message) <= 300 else message[:300] + " ..."
    if sys.stderr is not None:
        try:
            print(f"{PROGRAM}: {message}", file=sys.stderr, flush=True)
        except OSError:
            sys.stderr = None  # nobody is there to read it
    return 2


class _Parser(argparse.ArgumentParser):
    """argparse prints several lines of usage before its message; a person who mistyped needs the message."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        _out("")  # help and version are still in the buffer: a closed pipe shows here, not at the end of the process
        super().exit(status, message)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog=PROGRAM, description="Attention between the words of a sentence.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"seeing-attention {attention_core.__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    add = commands.add_parser(
        "attend",
        help="who looks at whom in one sentence",
        description="Who looks at whom. A sentence that begins with - goes after --.",
        allow_abbrev=False,
    ).add_argument
    add("sentence", metavar="SENTENCE", nargs="?", help="the sentence; it is cut into words")
    add("--words", metavar="A/B/C", help="the words, already cut: 我/昨天/去/超市")
    add("--layer", type=int, metavar="N", help=f"from 1; {FIRST[0] + 1} for the real model, else 1")
    add("--head", type=int, metavar="N", help=f"from 1; {FIRST[1] + 1} for the real model, else 1")
    add("--source", choices=tuple(SOURCES), default="real", help="where X and the weights come from (default: real)")
    add("--format", choices=("table", "json"), default="table", help="default: table")
    add("--embedding", choices=EMBEDDINGS, help="toy, paper: where X comes from (default: word_vectors)")
    add("--positions", action=argparse.BooleanOptionalAction, help="toy, paper: add the positions (default: no)")
    add("--d-model", type=int, choices=D_MODELS, help="toy: the width of X (default: 4)")
    add("--projection", choices=PROJECTIONS, help="vectors: the weights (default: identity)")
    add("--seed", type=int, metavar="N", help="toy, paper, vectors: 0 to 9999, for what is drawn (default: 0)")
    return parser
