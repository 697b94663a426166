"""Nouns that were never taught: what the model answers for them in the end."""

from __future__ import annotations

import streamlit as st

from attention_app.text import Text
from attention_app.ui import pictures, shown
from attention_app.ui.learn.now import Now
from attention_core.learn.held_out import held_out_answers, luck
from attention_core.learn.training import N_EXAM
from attention_core.learn.vocabulary import load_vocabulary

LEARNED = 0.9  # accuracy with taught nouns from which one can say that something was learned
LUCK = 0.05  # what guessing does more seldom than this is more than guessing


def show(t: Text, now: Now) -> None:
    """Only where there is a right answer that could be missed: in the task of the measure words."""
    if now.settings.task != "measure":
        return
    with shown.card("new", t("card.new.title"), t("card.new.idea", nouns=len(load_vocabulary().nouns))):
        answers = held_out_answers(now.run, len(now.run.steps) - 1)
        if not pictures.revealed():
            st.markdown(t("lesson.guess"))
            return
        right = sum(one.answer == one.right for one in answers)
        taught = float(now.run.accuracies[-1])
        by_luck = luck(answers)
        found = "new_failed" if taught <= LEARNED else "new_no" if by_luck >= LUCK else "new_more"
        shown.say(
            t,
            found,
            right=right,
            total=len(answers),
            guess=f"{len(answers) / len(load_vocabulary().measures):g}",
            luck=f"{by_luck:.0%}" if by_luck >= LUCK else f"{by_luck:.1%}",
            nouns=len(load_vocabulary().nouns),
            exam=N_EXAM,
            held_out=f"{now.run.held_out[-1]:.0%}",
            accuracy=f"{taught:.0%}",
            weight=shown.number(sum(one.weight for one in answers) / len(answers)),
        )
        if round(100 * right / len(answers)) != round(100 * float(now.run.held_out[-1])):
            shown.say(t, "new_differ", total=len(answers))
        names = (t("new.noun"), t("new.answer"), t("new.right"))
        lines = []
        for one in answers:
            mark = "✓" if one.answer == one.right else "✗"
            lines.append(f"{one.noun} | {one.answer} {shown.number(one.probability)} | {one.right} {mark}")
        half = len(lines) // 2
        for column, part in zip(st.columns(2), (lines[:half], lines[half:]), strict=True):
            column.markdown("\n".join([f"| {' | '.join(names)} |", "|---|---|---|", *(f"| {line} |" for line in part)]))
