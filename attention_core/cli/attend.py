"""`attend`: who looks at whom in one sentence, in one head of one layer. Layers and heads count from 1."""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from attention_core.attend import attend
from attention_core.cli.arguments import UsageError, add_sentence, in_range, words
from attention_core.cli.terminal import printable, weight_table
from attention_core.head_facts import FIRST
from attention_core.json_form import json_form
from attention_core.sources import D_MODELS, EMBEDDINGS, PROJECTIONS, SOURCES, Settings, source_info
from attention_core.sources.word_vectors import unknown_words
from attention_core.trace import WordAttention

if TYPE_CHECKING:
    from attention_core.cli.arguments import Commands


@dataclass(frozen=True)
class Answer:
    """What is asked for, ready to be written. layer and head count from 1."""

    attention: WordAttention
    layer: int
    head: int
    settings: Settings

    @property
    def used(self) -> dict[str, object]:
        """The settings that this source reads."""
        return {name: getattr(self.settings, name) for name in source_info(self.attention.source).settings}


def add(commands: Commands) -> argparse.ArgumentParser:
    """Describe the command's arguments."""
    parser = commands.add_parser(
        "attend",
        help="who looks at whom in one sentence",
        description="Who looks at whom. A sentence that begins with - goes after --.",
        allow_abbrev=False,
    )
    add_sentence(parser)
    add = parser.add_argument
    add("--layer", type=int, metavar="N", help=f"from 1; {FIRST[0] + 1} for the real model, else 1")
    add("--head", type=int, metavar="N", help=f"from 1; {FIRST[1] + 1} for the real model, else 1")
    add("--source", choices=tuple(SOURCES), default="real", help="where X and the weights come from (default: real)")
    add("--embedding", choices=EMBEDDINGS, help="toy, paper: where X comes from (default: word_vectors)")
    add("--positions", action=argparse.BooleanOptionalAction, help="toy, paper: add the positions (default: no)")
    add("--d-model", type=int, choices=D_MODELS, help="toy: the width of X (default: 4)")
    add("--projection", choices=PROJECTIONS, help="vectors: the weights (default: identity)")
    add("--seed", type=int, metavar="N", help="toy, paper, vectors: 0 to 9999, for what is drawn (default: 0)")
    return parser


def run(options: argparse.Namespace) -> str:
    """The answer as text. InputError or UsageError: arguments that cannot be used."""
    settings = _settings(options)
    info = source_info(options.source, settings)
    first_layer, first_head = FIRST if info.name == "real" else (0, 0)
    layer = in_range("layer", options.layer, first_layer + 1, info.n_layers)
    head = in_range("head", options.head, first_head + 1, info.n_heads)
    answer = Answer(attend(words(options), info.name, settings), layer, head, settings)
    return _json(answer) if options.format == "json" else _table(answer)


def _settings(options: argparse.Namespace) -> Settings:
    """The settings; asking for one that the source does not read is an error."""
    info = source_info(options.source)
    asked = {name: getattr(options, name) for name in Settings.__dataclass_fields__}
    asked = {name: value for name, value in asked.items() if value is not None}
    for name in asked:
        if name not in info.settings:
            raise UsageError(f"--{name.replace('_', '-')} does not apply to --source {info.name}")
    return Settings(**asked)


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
    names = [printable(word.text) for word in shown.words]
    rows = [
        (*weights, *special)
        for weights, special in zip(shown.weights[layer, head], shown.special[layer, head], strict=True)
    ]
    lines = weight_table(names, [*names, *shown.special_names], rows)
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
    unknown = [printable(text) for text in unknown_words(shown.words, shown.source, answer.settings)]
    return ["", f"no word vector, all numbers 0: {' '.join(unknown)}"] if unknown else []
