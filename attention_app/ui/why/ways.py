"""Card 2: how many steps lie between two words, there and back, and how far a swapped word moves the other one."""

from __future__ import annotations

import numpy as np

from attention_app.components.path import Way, path
from attention_app.text import Text
from attention_app.ui import cache, pictures, shown, state
from attention_app.ui.terms import explain
from attention_app.ui.why.card import card, share
from attention_app.ui.why.reading import Reading, swap
from attention_core.errors import InputError
from attention_core.focus import kind
from attention_core.influence import (
    ATTENTION_STEPS,
    attention_changes,
    longest_rnn_path,
    rnn_changes,
    rnn_steps,
)
from attention_core.words.word import Word


def show(t: Text, now: Reading) -> None:
    with card(t, "path", explain(t, "rnn", "self_attention")):
        if now.n == 1:
            shown.say(t, "path_one")
            return
        start, end = _pair(now)
        _notice(t, now, start, end)
        ways = [
            (t("why.direction", start=now.names[a], end=now.names[b]), _ways(t, now, a, b))
            for a, b in ((start, end), (end, start))
        ]
        texts = {name: t(f"path.{name}") for name in ("choose", "start", "end", "turn")}
        path(now.names, (start, end), ways, texts=texts, on_pair=_choose)
        others = dict.fromkeys(swap(now.lesson.words[at].text) for at in (start, end))
        shown.say(t, "path_how", other=t("between.names").join(others))
        shown.source(t, "why-path", rnn_steps, rnn_changes, attention_changes)


def _pair(now: Reading) -> tuple[int, int]:
    """The chosen start and end, from 0; without a choice that fits the first and the last content word."""
    first = state.recall("why_words") is None
    if not first and state.recall("why_words") != now.lesson.words:
        state.put("pair", "")  # a pair belongs to its sentence
    state.remember("why_words", now.lesson.words)
    chosen = str(state.get("pair"))
    if chosen:
        start, end = (int(number) - 1 for number in chosen.split("-"))
        if start != end and max(start, end) < now.n and min(start, end) >= 0:
            return start, end
        state.reject("pair", tell=first)
    content = [at for at, word in enumerate(now.lesson.words) if kind(word) == "content"]
    return (content[0], content[-1]) if len(content) > 1 else (0, now.n - 1)


def _choose(pair: tuple[int, int]) -> None:
    state.put("pair", f"{pair[0] + 1}-{pair[1] + 1}")


def _ways(t: Text, now: Reading, start: int, end: int) -> list[Way]:
    steps = rnn_steps(start, end)
    moved = float(now.changes[end, start] / np.linalg.norm(now.trace.h[end]))
    between = [now.names[at] for at in range(start, end + 1)] if steps is not None else []
    ends = [now.names[start], now.names[end]]
    recurrent = _way(t, t("why.rnn"), between or ends, steps, moved, now.names[end])
    try:
        changed, size = attention_changes(
            cache.encoder_run(now.lesson.words), start, Word(swap(now.lesson.words[start].text))
        )
    except InputError:  # more pieces than the real model takes, while another source shows the sentence
        return [recurrent]
    return [
        recurrent,
        _way(t, t("why.attention"), ends, ATTENTION_STEPS, float(changed[end] / size[end]), now.names[end]),
    ]


def _way(t: Text, name: str, words: list[str], steps: int | None, moved: float, end: str) -> Way:
    """A way as it is shown; while the numbers are hidden nobody sees where it leads through, or whether it does."""
    if not pictures.revealed():
        hidden = pictures.HIDDEN
        ends = [words[0], words[-1]]
        return {"name": name, "words": ends, "open": None, "steps": hidden, "bar": 0, "moved": hidden}
    counted = t("why.never") if steps is None else _counted(t, steps)
    said = t("why.moved", word=end, share=share(moved)) if moved else t("why.still", word=end)
    return {
        "name": name,
        "words": words,
        "open": steps is not None,
        "steps": counted,
        "bar": min(1.0, moved),
        "moved": said,
    }


def _notice(t: Text, now: Reading, start: int, end: int) -> None:
    steps, ends = rnn_steps(start, end), {"key": now.names[start], "query": now.names[end]}
    if steps is None:
        shown.notice(t, "path_back", **ends)
    else:
        most = longest_rnn_path(now.n)
        shown.notice(t, "path", steps=_counted(t, steps), most=_counted(t, most), **ends)


def _counted(t: Text, steps: int) -> str:
    return t("why.step" if steps == 1 else "why.steps", count=steps)
