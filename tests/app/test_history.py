"""Undo and redo: steps are sentences with their cut; what cannot be shown is no step."""

from __future__ import annotations

import pytest

from attention_app.ui import history, state
from attention_app.ui.history import Step


@pytest.fixture
def session(monkeypatch):
    """A session without a server: what state keeps is in this dictionary."""
    kept: dict[str, object] = {"text": "甲", "cut": ""}
    monkeypatch.setattr(state.st, "session_state", kept)
    return kept


def show(session, text, cut=""):
    session["text"], session["cut"] = text, cut
    history.note(Step(text, cut))


def now(session):
    return session["text"], session["cut"]


def test_nothing_to_undo_at_first(session):
    assert not history.can_undo()
    assert not history.can_redo()
    history.undo()
    history.redo()
    assert now(session) == ("甲", "")
    show(session, "甲")
    assert not history.can_undo()


def test_back_and_forth_through_cuts_and_sentences(session):
    steps = [("甲乙", ""), ("甲乙", "1"), ("丙丁戊", ""), ("丙丁戊", "1.2")]
    for step in steps:
        show(session, *step)
    for step in reversed(steps[:-1]):
        history.undo()
        assert now(session) == step
        history.note(Step(*now(session)))  # the run that follows
    assert not history.can_undo()
    for step in steps[1:]:
        history.redo()
        assert now(session) == step
        history.note(Step(*now(session)))
    assert not history.can_redo()


def test_the_same_step_again_is_no_new_step(session):
    show(session, "甲乙")
    show(session, "甲乙", "1")
    show(session, "甲乙", "1")
    history.undo()
    assert now(session) == ("甲乙", "")
    assert not history.can_undo()


def test_a_new_step_ends_what_could_be_redone(session):
    show(session, "甲")
    show(session, "乙")
    history.undo()
    history.note(Step(*now(session)))
    show(session, "丙")
    assert not history.can_redo()
    history.undo()
    assert now(session) == ("甲", "")


def test_a_restored_cut_belongs_to_its_sentence(session):
    show(session, "甲乙", "1")
    show(session, "丙")
    history.undo()
    assert session["_typed"] == "甲乙"  # else the lesson would drop the cut as that of another sentence


def test_going_back_from_what_cannot_be_shown_gives_what_is_shown(session):
    show(session, "甲乙", "1")
    session["text"], session["cut"] = "的" * 201, ""
    assert history.can_undo()
    history.undo()
    assert now(session) == ("甲乙", "1")
    assert not history.can_undo()


def test_the_past_is_bounded(session):
    for n in range(history.LENGTH + 50):
        show(session, f"第{n}句")
    count = 0
    while history.can_undo():
        history.undo()
        count += 1
    assert count == history.LENGTH - 1
    assert now(session) == ("第50句", "")
