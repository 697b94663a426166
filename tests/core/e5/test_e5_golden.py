"""Rows computed in float64 from the published 4-bit weights, rounded to four decimals."""

import json
from pathlib import Path

import numpy as np
import pytest

from attention_core.sources.e5 import word_attention
from attention_core.words.word import Word

DATA = Path(__file__).parents[2] / "data"
SENTENCES = json.loads((DATA / "e5_rows.json").read_text(encoding="utf-8"))


def as_word(text):
    """A leading space stands for white space before the word."""
    return Word(text.strip(), space_before=text.startswith(" "))


@pytest.mark.parametrize("golden", SENTENCES, ids=lambda golden: "".join(golden["words"]))
def test_rows_ids_and_hidden_state_agree(model, golden):
    run = model.run([as_word(text) for text in golden["words"]])
    assert list(run.pieces) == golden["pieces"]
    assert run.ids.tolist() == golden["ids"]
    np.testing.assert_allclose(run.hidden[12, 1, :4], golden["final_hidden_first4"], atol=1e-4)
    weights = word_attention(run).weights
    assert golden["raw_rows"]
    for name, row in golden["raw_rows"].items():
        layer, head, word = (int(part.lstrip("layerhdwo")) for part in name.split("."))
        # 1e-3 is what float32 code may differ; what it does differ is the rounding of the file, 5e-5
        np.testing.assert_allclose(weights[layer, head, word], row, atol=1e-3, rtol=0, err_msg=name)
        np.testing.assert_allclose(weights[layer, head, word], row, atol=6e-5, rtol=0, err_msg=name)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("short", ["弟弟", "把", "杯子", "打破", "了", "。"]),
        ("long", ["The", " cat", " left", " the", " fish", " because", " it", " was", " full", "."]),
    ],
)
@pytest.mark.parametrize("layer", [2, 11])
def test_parity_with_pytorch(model, name, words, layer):
    """training/make_e5_golden.py: PyTorch in float64, from the published file and not from ours."""
    run = model.run([as_word(text) for text in words])
    with np.load(DATA / "golden_e5.npz", allow_pickle=False) as golden:
        assert run.ids.tolist() == golden[f"{name}_ids"].tolist()
        hidden, attn_weights = golden[f"{name}_hidden_{layer}"], golden[f"{name}_attn_weights_{layer}"]
    np.testing.assert_allclose(run.hidden[layer + 1], hidden, rtol=1e-4, atol=2e-5)
    np.testing.assert_allclose(run.attn_weights[layer], attn_weights, rtol=1e-4, atol=2e-5)
