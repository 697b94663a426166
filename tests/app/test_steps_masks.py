"""Step 5 of 一步一步: causal, padding, by hand; never a whole row."""

from __future__ import annotations

import numpy as np
import pytest

from attention_app.text import load
from attention_app.ui import state
from attention_app.ui.steps import masks
from tests.app.looking import link
from tests.app.steps import matrices, result


def test_causal_and_padding_masks(open_steps):
    causal = result(open_steps(step=6, mask="causal"), "weights")
    np.testing.assert_array_equal(np.triu(causal, 1), 0)
    app = open_steps(step=5, mask="padding", pad=2)
    masked = np.isneginf(result(app, "masked"))
    assert masked[:, 7:9].all()  # 苹果 and 。 before </s>
    assert masked.sum() == 2 * 10
    reasons = matrices(app)["masked"]["result"]["reasons"]
    assert {why for *_, why in reasons} == {load("steps", "zh")("steps.why.padding")}


def test_padding_leaves_one_word(open_steps):
    app = open_steps(step=5, mask="padding", pad=63, source="toy", text="你好吗")
    assert int(app.session_state["pad"]) == 1
    app = open_steps(step=5, mask="padding", source="toy", text="好")
    assert [info.value for info in app.info] == [load("steps", "zh")("steps.pad_nothing")]


def test_cells_are_masked_by_hand_and_stand_in_the_link(open_steps):
    app = open_steps(step=5, mask="hand", source="toy", hidden="1-2.5-7")
    assert np.argwhere(np.isneginf(result(app, "masked"))).tolist() == [[0, 1], [4, 6]]
    again = open_steps(**link(app))
    np.testing.assert_array_equal(result(again, "masked"), result(app, "masked"))
    app.session_state["text"] = "他跑得很快。"
    app.run()
    assert "hidden" not in link(app)


def test_a_row_is_never_masked_out_entirely(open_app):
    app = open_app(step=5, mask="hand", source="toy", text="我爱你", hidden="2-1.2-2.2-3.3-1")
    app.switch_page("pages/steps.py").run()
    assert [error.value for error in app.error] == [load("steps", "zh")("steps.refused", word="爱")]
    assert np.argwhere(np.isneginf(result(app, "masked"))).tolist() == [[2, 0]]


def test_clicks_mask_and_open_cells_but_never_a_whole_row(monkeypatch):
    values = {"hidden": "1-1", "_steps_refused": None}
    monkeypatch.setattr(masks.state, "get", values.__getitem__)
    monkeypatch.setattr(masks.state, "put", values.__setitem__)
    monkeypatch.setattr(masks.state, "remember", lambda name, value: values.update({f"_{name}": value}))
    masks.toggle(2, 1, 3)
    assert values["hidden"] == "1-1.3-2"
    masks.toggle(2, 1, 3)
    masks.toggle(0, 2, 3)
    assert values == {"hidden": "1-1.1-3", "_steps_refused": None}
    masks.toggle(0, 1, 3)
    assert values == {"hidden": "1-1.1-3", "_steps_refused": 0}


def test_as_many_cells_as_the_link_holds():
    hidden = state.SCHEMA["hidden"]
    cells = [f"{at // 130 + 1}-{at % 130 + 1}" for at in range(masks.MOST + 1)]
    assert hidden.read(".".join(cells[:-1]))
    with pytest.raises(ValueError, match="hidden"):
        hidden.read(".".join(cells))
