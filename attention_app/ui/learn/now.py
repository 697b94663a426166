"""What the learner is looking at in this run: the training, the sentence with its gap, and the moment."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

import streamlit as st

from attention_app.text import Text
from attention_app.ui import cache, state
from attention_core.errors import InputError
from attention_core.learn.replay import Replay
from attention_core.learn.settings import LearnSettings
from attention_core.learn.tasks import Typed, read_sentence
from attention_core.learn.training import STEPS, Run


@dataclass(frozen=True)
class Now:
    """moment: the recorded moment, from 0, that somebody came to rest at, or None. problem: why the sentence in the
    box is not the one that is shown, or None.
    """

    settings: LearnSettings
    run: Run
    replay: Replay
    moment: int | None
    problem: InputError | None

    @property
    def typed(self) -> Typed:
        return self.replay.typed


def current(t: Text) -> Now:
    """The training of this run; it is computed only if nobody has chosen its settings before."""
    settings = state.learn_settings()
    _forget(settings)
    typed, problem = _sentence(settings.task)
    with st.spinner(t("learn.training")):
        run = cache.training(settings)
    return Now(settings, run, cache.training_replay(settings, typed), _moment(), problem)


def _forget(settings: LearnSettings) -> None:
    """Another training plays from its start, unless a link names a moment of its own."""
    moment, before = _moment(), state.recall("learned")
    if isinstance(before, tuple) and before[0] != settings and before[1] == moment:
        moment = None
        state.put("learn_step", None)
        state.put("weight", "")
    state.remember("learned", (settings, moment))


def rest(moment: int) -> None:
    """Come to rest at a moment. In a callback only."""
    state.put("learn_step", STEPS[moment])


def _moment() -> int | None:
    """The recorded moment of the step in the state; a step that was not recorded is the recorded one before it."""
    step = state.get("learn_step")
    if step is None:
        return None
    moment = bisect_right(STEPS, int(str(step))) - 1
    state.put("learn_step", STEPS[moment])
    return moment


def _sentence(task: str) -> tuple[Typed, InputError | None]:
    """The sentence in the box; if it cannot be used the last one that could, else the first one."""
    last = state.recall("gap_shown")
    text, problem = str(state.get("gap")), None
    for candidate in (text, last, state.DEFAULT_GAP):
        if not isinstance(candidate, str):
            continue
        try:
            typed = read_sentence(candidate, task)
        except InputError as error:
            problem = problem or error
        else:
            state.remember("gap_shown", candidate)
            return typed, problem
    raise AssertionError(f"{state.DEFAULT_GAP} fits every task")
