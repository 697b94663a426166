"""Numbers of the toy that a learner changed: kept in the link, checked, undone."""

from __future__ import annotations

import base64
import zlib

import numpy as np
import pytest

from attention_app.text import load
from attention_app.ui import packed, state
from attention_app.ui.steps import edits
from attention_core.sources import SOURCES
from tests.app.looking import link
from tests.app.steps import matrices, result, said

EDITS = {("X", (4, 1)): 2.5, ("W_Q", (1, 0, 1)): -1.0, ("W_V", (1, 3, 0)): 0.125}


def test_edits_are_packed_and_unpacked():
    assert edits.unpack(edits.pack(EDITS)) == EDITS
    assert edits.pack({}) == ""
    for wrong in ("x", "AAAA", "____", edits.pack({("W_O", (0, 0)): 1.0}), edits.pack({("X", (0,)): 1.0})):
        with pytest.raises(ValueError, match=r"no edits|no packed text"):
            edits.unpack(wrong)
    bomb = base64.urlsafe_b64encode(zlib.compress(b";" * 10_000_000)).decode().rstrip("=")
    with pytest.raises(ValueError, match=r"no edits|no packed text"):
        edits.unpack(bomb)


def test_edits_in_a_link_change_everything_after_them(open_steps):
    plain, app = (open_steps(source="toy", head=2, step=0, edits=given) for given in ("", edits.pack(EDITS)))
    assert result(app, "x-edit")[4, 1] == 2.5
    np.testing.assert_array_equal(result(app, "x"), result(plain, "x"))  # the table is as it was
    for key in ("project-q", "scores", "scaled", "weights", "z"):
        assert not np.array_equal(result(app, key), result(plain, key))
    assert load("steps", "zh")("steps.changed") in said(app)
    app.button(key="steps-restore").click().run()
    assert "edits" not in link(app)
    np.testing.assert_array_equal(result(app, "z"), result(plain, "z"))


def test_the_toys_x_and_weights_can_be_changed_and_no_other_source(open_steps):
    for source in SOURCES:
        given = matrices(open_steps(source=source, step=2))["project-q"]
        assert [part["editable"] for part in given["sources"]] == [source == "toy"] * 2
        assert not given["result"]["editable"]


def test_edits_belong_to_their_sentence_source_and_settings(open_steps):
    for name, value in (("text", "他跑得很快。"), ("source", "paper"), ("seed", 3)):
        app = open_steps(source="toy", edits=edits.pack(EDITS))
        assert "edits" in link(app)
        app.session_state[name] = value
        app.run()
        assert "edits" not in link(app)


def test_edits_of_a_link_that_fit_nothing_leave_a_note(open_app):
    for wrong in ("AAAA", edits.pack({("X", (40, 0)): 1.0})):
        app = open_app(source="toy", edits=wrong)
        app.switch_page("pages/steps.py").run()
        assert load("common", "zh")("param.edits") in app.warning[0].value
        assert "edits" not in link(app)


def test_an_edit_that_the_link_cannot_hold_is_refused(monkeypatch):
    values = {"edits": edits.pack(EDITS), "_steps_full": None}
    monkeypatch.setattr(edits.state, "get", values.__getitem__)
    monkeypatch.setattr(edits.state, "put", values.__setitem__)
    monkeypatch.setattr(edits.state, "remember", lambda name, value: values.update({f"_{name}": value}))
    keep = edits.options("toy", 1, 3)["on_edit"]
    keep("X", 0, 2, 0.25)
    keep("W_K", 0, 1, -7)
    assert edits.unpack(values["edits"]) == {**EDITS, ("X", (3, 2)): 0.25, ("W_K", (1, 0, 1)): -7}
    rng = np.random.default_rng(0)
    for row in range(64):
        for column in range(8):
            keep("X", row, column, float(rng.normal()))
    assert values["_steps_full"]
    assert len(values["edits"]) <= packed.MOST_BYTES
    assert state.SCHEMA["edits"].read(values["edits"])
