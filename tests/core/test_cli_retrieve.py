"""`python -m attention_core retrieve`, run as a person runs it."""

import json

import pytest

from attention_core.cli import main

REQUEST, SHELF = "我想找一本关于人工智能的书", ("深度学习入门", "家常菜谱")


def answer(capsys, *arguments):
    assert main(["retrieve", *arguments]) == 0
    return capsys.readouterr().out


def test_json(capsys):
    content = json.loads(answer(capsys, REQUEST, *SHELF, "--format", "json"))
    assert content["query"] == REQUEST
    assert content["keys"] == list(SHELF)
    assert content["temperature"] == 0.01
    assert content["best"] == "深度学习入门"
    assert content["fits"] == "fits"
    assert content["scores"] == pytest.approx([0.884, 0.839], abs=1e-3)
    assert sum(content["weights"]) == pytest.approx(1, abs=1e-5)
    assert content["weights"][0] > 0.95


def test_temperature(capsys):
    content = json.loads(answer(capsys, "--temperature", "1", "--format", "json", REQUEST, *SHELF))
    assert content["weights"] == pytest.approx([0.51, 0.49], abs=0.005)


def test_table(capsys):
    written = answer(capsys, REQUEST, *SHELF)
    assert " 0.884   0.989  深度学习入门\n" in written
    assert "best: 深度学习入门, 0.884; it is higher than" in written
    assert "not to be judged" in answer(capsys, "😀", *SHELF)
    assert "probably none" in answer(capsys, "水管漏水了找谁修？", "家常菜谱", "世界地图")


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ([REQUEST], "KEY"),
        ([REQUEST, " "], "label 1 is empty"),
        ([" ", *SHELF], "the request is empty"),
        ([REQUEST, "近", ""], "label 2 is empty"),
        ([REQUEST, *SHELF, "--temperature", "0"], "temperature must lie between"),
        ([REQUEST, *SHELF, "--temperature", "x"], "--temperature"),
        ([REQUEST, "字" * 201], "label 1 cannot be used: At most 200"),
        (["\udcff", *SHELF], "UTF-8"),
    ],
)
def test_bad_arguments_get_one_line(capsys, arguments, part):
    assert main(["retrieve", *arguments]) == 2
    written = capsys.readouterr()
    assert written.out == ""
    assert written.err.count("\n") == 1
    assert part in written.err
