"""`translate` at the command line."""

import json

import numpy as np
import pytest

from attention_core.cli import main
from attention_core.translator import load_facts, target_words, translate
from attention_core.words import segment

SENTENCE = "我昨天去超市买了苹果。"


def answer(capsys, *arguments):
    assert main(["translate", *arguments]) == 0
    return capsys.readouterr().out


def test_json(capsys):
    content = json.loads(answer(capsys, SENTENCE, "--format", "json"))
    assert list(content) == ["source_words", "target_words", "text", "cross", "model"]
    assert content["source_words"] == ["我", "昨天", "去", "超市", "买", "了", "苹果", "。"]
    run = translate(segment(SENTENCE)).run
    assert content["text"] == run.text
    assert content["model"] == load_facts()["model"]
    assert len(content["cross"]) == len(content["target_words"])
    for row in content["cross"]:
        assert sum(row) == pytest.approx(1, abs=1e-5)
    last_layer = target_words(run).cross_attention[-1].mean(axis=0)
    np.testing.assert_allclose(content["cross"], last_layer, atol=1e-6)
    yesterday = content["cross"][content["target_words"].index("yesterday")]
    assert content["source_words"][yesterday.index(max(yesterday))] == "昨天"


def test_table(capsys):
    lines = answer(capsys, "--words", "龘/我/喜欢/苹果/。", "--beam", "3").splitlines()
    assert lines[0] == translate([*segment("龘"), *segment("我喜欢苹果。")], 3).run.text
    assert lines[2] == "cross-attention, layer 2, mean of 8 heads"
    assert lines[5].split() == ["龘", "我", "喜欢", "苹果", "。"]
    assert lines[-1] == "never seen, read as <unk>: 龘"


def test_a_text_without_end_says_so(capsys, monkeypatch):
    monkeypatch.setattr("attention_core.translator.decoding.longest", lambda source: 3)
    assert answer(capsys, SENTENCE).endswith("\nstopped before its end: it became too long\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([" "], "type at least one word"),
        ([SENTENCE, "--beam", "6"], "width must lie between 1 and 5, not 6"),
        (["--words", "/".join(["龘" * 65] * 2)], "At most 128 model pieces fit; this sentence has 130"),
        ([], "give either a SENTENCE or --words"),
    ],
)
def test_what_is_refused(capsys, arguments, message):
    assert main(["translate", *arguments]) == 2
    assert message in capsys.readouterr().err
