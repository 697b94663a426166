"""The command line, run as a person runs it: untrained sources, and every kind of bad argument."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from attention_core.cli.terminal import display_width

ROOT = Path(__file__).parents[2]
WORDS = "我/昨天/去/超市/买/了/苹果"


def run(*arguments, **options):
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", **options.pop("env", {})}
    command = [sys.executable, "-m", "attention_core", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=60, **options)


def answer(*arguments):
    done = run("attend", *arguments, "--format", "json")
    assert (done.returncode, done.stderr) == (0, b"")
    return json.loads(done.stdout)


def test_json():
    done = run("attend", "--words", WORDS, "--source", "vectors", "--format", "json")
    assert "超市" in done.stdout.decode()  # not \u escapes
    content = json.loads(done.stdout)
    assert list(content) == ["words", "pieces", "source", "layer", "head", "weights", "special", "settings"]
    assert content["words"] == content["pieces"] == WORDS.split("/")
    assert (content["source"], content["layer"], content["head"]) == ("vectors", 1, 1)
    assert [round(weight, 3) for weight in content["weights"][4]] == [0.126, 0.127, 0.134, 0.16, 0.228, 0.106, 0.12]
    assert content["special"] == [[]] * 7
    assert content["settings"] == {"projection": "identity", "seed": 0}
    for row in content["weights"]:
        assert sum(row) == pytest.approx(1, abs=1e-5)
        assert all(weight == round(weight, 6) for weight in row)


def test_settings_reach_the_numbers():
    base = ["--words", WORDS, "--source", "toy"]
    settings = ["--embedding", "one_hot", "--positions", "--d-model", "6", "--seed", "42"]
    content = answer(*base, *settings, "--head", "2")
    assert content["settings"] == {"d_model": 6, "embedding": "one_hot", "positions": True, "seed": 42}
    assert content["head"] == 2
    others = [answer(*base, *settings), answer(*base, "--head", "2"), answer(*base, *settings, "--no-positions")]
    assert all(other["weights"] != content["weights"] for other in others)


def test_the_real_model_is_the_default():
    content = answer("我昨天去超市买了苹果。")
    assert list(content) == ["words", "pieces", "source", "layer", "head", "weights", "special"]
    assert (content["source"], content["layer"], content["head"]) == ("real", 7, 3)
    assert (content["pieces"][0], content["pieces"][-1]) == ("<s>", "</s>")
    row = content["words"].index("买")
    assert content["words"][max(range(8), key=content["weights"][row].__getitem__)] == "苹果"
    for weights, special in zip(content["weights"], content["special"], strict=True):
        assert len(special) == 2
        assert sum(weights) + sum(special) == pytest.approx(1, abs=1e-5)
    assert answer("我昨天去超市买了苹果。", "--layer", "12", "--head", "12")["weights"] != content["weights"]


def test_the_table_of_the_real_model_has_columns_for_the_special_tokens():
    table = run("attend", "--words", WORDS).stdout.decode().splitlines()
    assert table[0] == "source real, layer 7, head 3"
    assert table[3].split()[-2:] == ["<s>", "</s>"]
    assert all(len(line.split()) == 10 for line in table[4:])


def test_a_sentence_is_cut_into_words():
    assert answer("我昨天去超市买了苹果", "--source", "toy")["words"] == WORDS.split("/")


def test_a_space_before_a_word_is_kept():
    assert answer("我用 Python", "--source", "toy")["words"][-1] == " Python"


def test_a_sentence_that_begins_with_a_dash():
    content = json.loads(run("attend", "--source", "toy", "--format", "json", "--", "-我").stdout)
    assert "".join(content["words"]) == "-我"
    assert "".join(answer("--words=-/我", "--source", "toy")["words"]) == "-我"


def test_table_lines_up():
    done = run("attend", "--words", "我/Python/超市/😀", "--source", "toy", "--embedding", "seeded")
    lines = done.stdout.decode().splitlines()
    assert "source toy" in lines[0]
    assert "untrained" in lines[0]
    assert "sums to 1" in lines[1]
    table = lines[3:]
    assert len(table) == 5
    assert len({display_width(line) for line in table}) == 1
    assert [line.split()[0] for line in table[1:]] == ["我", "Python", "超市", "😀"]
    assert all(len(line.split()) == 5 for line in table[1:])


def test_the_table_names_words_without_a_vector():
    table = run("attend", "--words", "我/Python", "--source", "vectors").stdout.decode()
    assert "no word vector, all numbers 0: Python" in table
    table = run("attend", "--words", "我/Python", "--source", "toy", "--embedding", "seeded").stdout.decode()
    assert "no word vector" not in table


def test_display_width():
    assert [display_width(text) for text in ("a", "我", "，", "é", "e\u0301", "👍🏽", "👨\u200d👩\u200d👧", "🇨🇳")] == [
        1,
        2,
        2,
        1,
        1,
        2,
        2,
        2,
    ]


def test_version_is_the_projects():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert run("--version").stdout.decode().strip() == f"seeing-attention {version}"


BAD = {
    "no command": [],
    "unknown command": ["foo"],
    "neither sentence nor words": ["attend", "--source", "toy"],
    "both": ["attend", "我", "--words", "我", "--source", "toy"],
    "two sentences": ["attend", "我", "你", "--source", "toy"],
    "empty": ["attend", "", "--source", "toy"],
    "only spaces": ["attend", " \u3000 ", "--source", "toy"],
    "empty words": ["attend", "--words", "", "--source", "toy"],
    "too long": ["attend", "我" * 30_000, "--source", "toy"],
    "too many words": ["attend", "--words", "/".join(["我"] * 5000), "--source", "toy"],
    "layer 0": ["attend", "我", "--source", "toy", "--layer", "0"],
    "layer 2 of 1": ["attend", "我", "--source", "toy", "--layer", "2"],
    "layer 13 of the real model": ["attend", "我", "--layer", "13"],
    "head 13 of the real model": ["attend", "我", "--head", "13"],
    "negative layer": ["attend", "我", "--layer=-1"],
    "head 3 of 2": ["attend", "我", "--source", "toy", "--head", "3"],
    "layer no number": ["attend", "我", "--layer", "seven"],
    "layer a fraction": ["attend", "我", "--layer", "7.5"],
    "layer without value": ["attend", "我", "--layer"],
    "huge layer": ["attend", "我", "--layer", "9" * 5000],
    "unknown source": ["attend", "我", "--source", "bert"],
    "source with a line feed": ["attend", "我", "--source", "to\ny"],
    "unknown embedding": ["attend", "我", "--source", "toy", "--embedding", "x"],
    "unknown format": ["attend", "我", "--format", "xml"],
    "unknown option": ["attend", "我", "--source", "toy", "--colour"],
    "abbreviated option": ["attend", "我", "--sour", "toy"],
    "seed too large": ["attend", "我", "--source", "toy", "--seed", "10000"],
    "seed no number": ["attend", "我", "--source", "toy", "--seed", "x"],
    "odd d_model": ["attend", "我", "--source", "toy", "--d-model", "5"],
    "d_model of the paper": ["attend", "我", "--source", "paper", "--d-model", "4"],
    "seed of the real model": ["attend", "我", "--seed", "1"],
    "positions of the vectors": ["attend", "我", "--source", "vectors", "--positions"],
    "sentence with a dash": ["attend", "-我", "--source", "toy"],
    "not UTF-8": ["attend", b"\xe6\x88\xff", "--source", "toy"],
    "words not UTF-8": ["attend", "--words", b"\xff/\xfe", "--source", "toy"],
}


def one_line(done):
    assert done.returncode == 2
    assert done.stdout == b""
    line = done.stderr.decode()
    assert line.count("\n") == 1
    assert line.endswith("\n")
    assert line.startswith("python -m attention_core: ")
    assert len(line) < 400
    return line


@pytest.mark.parametrize("name", BAD)
def test_bad_arguments_get_one_line(name):
    one_line(run(*BAD[name]))


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("both", "exactly one"),
        ("layer 2 of 1", "layer can only be 1, not 2"),
        ("layer 13 of the real model", "layer must lie between 1 and 12, not 13"),
        ("head 3 of 2", "head must lie between 1 and 2, not 3"),
        ("unknown source", "'bert' (choose from"),
        ("d_model of the paper", "--d-model does not apply to --source paper"),
        ("seed too large", "seed must lie between 0 and 9999, not 10000"),
        ("not UTF-8", "not valid UTF-8"),
        ("empty", "nothing to look at"),
    ],
)
def test_the_line_says_what_is_wrong(name, part):
    assert part in one_line(run(*BAD[name]))


@pytest.mark.parametrize("arguments", [["attend", "--words", WORDS, "--source", "toy"], ["--help"], ["--version"]])
def test_a_reader_that_has_gone_away(arguments):
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "attention_core", *arguments]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(command, cwd=ROOT, env=buffered, stdout=write, stderr=subprocess.PIPE, timeout=60)
    os.close(write)
    assert done.returncode == 2
    assert done.stderr.decode().count("\n") == 1
    assert "could not be written" in done.stderr.decode()


def test_standard_output_closed():
    arguments = [sys.executable, "-m", "attention_core", "attend", "--words", WORDS, "--source", "toy"]
    code = f"import os, sys; os.close(1); os.execv(sys.executable, {arguments})"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == 2
    assert done.stderr.decode().count("\n") == 1


@pytest.mark.parametrize("form", ["table", "json"])
def test_a_terminal_without_chinese(form):
    arguments = ["attend", "--words", WORDS, "--source", "toy", "--format", form]
    done = run(*arguments, env={"PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("option", [["--source", "\x1b[31mtoy\u202e"], ["--\x1b[31m\n\u202e"]])
def test_control_characters_do_not_reach_the_terminal(option):
    line = one_line(run("attend", "我", *option))
    assert "\x1b" not in line
    assert "\u202e" not in line
