"""Real word vectors: meaning, kinds of look-up, and a file that holds arrays only."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from attention_core.sources import Settings
from attention_core.sources.word_vectors import lookup, unit_vectors, unknown_words
from attention_core.words.word import Word

DATA = Path(__file__).parents[2] / "attention_core" / "data"


def cosine(a, b):
    a, b = lookup(a).vector, lookup(b).vector
    return a @ b / np.linalg.norm(a) / np.linalg.norm(b)


@pytest.mark.parametrize(
    ("word", "near", "far"), [("苹果", "草莓", "昨天"), ("超市", "商场", "我"), ("昨天", "昨晚", "苹果")]
)
def test_similar_words_are_near(word, near, far):
    assert cosine(word, near) > cosine(word, far) + 0.2


def test_a_word_has_its_own_vector():
    found = lookup("苹果")
    assert (found.kind, found.vector.shape, found.vector.dtype) == ("word", (75,), np.float32)
    np.testing.assert_allclose(found.vector[:3], [0.44, -0.72, -0.72], atol=0.01)


def test_a_word_outside_the_list_is_the_mean_of_its_characters():
    found = lookup("小红")
    assert found.kind == "characters"
    np.testing.assert_allclose(found.vector, (lookup("小").vector + lookup("红").vector) / 2, rtol=1e-6)
    assert found.vector.dtype == np.float32


@pytest.mark.parametrize("text", ["Python", "蘋果", "😀", "龘龘的", "", "\ud800"])
def test_nothing_is_invented_for_an_unknown_word(text):
    found = lookup(text)
    assert found.kind == "unknown"
    np.testing.assert_array_equal(found.vector, np.zeros(75, np.float32))


def test_a_vector_is_read_only():
    assert not lookup("苹果").vector.flags.writeable


def test_the_file_holds_no_pickle_and_has_its_licence_beside_it():
    with np.load(DATA / "word_vectors_12k.npz", allow_pickle=False) as file:
        assert {name: file[name].dtype for name in file.files} == {"q": np.int8, "s": np.float16, "w": np.uint8}
    assert "Apache License" in (DATA / "word_vectors_12k.LICENSE").read_text(encoding="utf-8")
    assert "cnsyn" in (DATA / "word_vectors_12k.md").read_text(encoding="utf-8")


def test_importing_loads_nothing():
    code = (
        "import sys, attention_core, attention_core.cli\n"
        "from attention_core.sources import word_vectors, paper\n"
        "assert word_vectors._load.cache_info().currsize == 0\n"
        "assert paper.weights.cache_info().currsize == 0\n"
        "heavy = {'jieba', 'opencc', 'torch', 'scipy', 'pandas', 'streamlit', 'plotly'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=DATA.parents[1])


def test_words_without_a_vector_are_named_where_the_source_wanted_one():
    words = tuple(map(Word, ("龘龘", "爱", "你", "龘龘")))
    assert unknown_words(words, "vectors", Settings(embedding="seeded")) == ("龘龘",)
    assert unknown_words(words, "toy", Settings()) == unknown_words(words, "paper", Settings()) == ("龘龘",)
    assert unknown_words(words, "toy", Settings(embedding="one_hot")) == ()
    assert unknown_words(words, "real", Settings()) == ()


def test_unit_vectors_point_as_the_words_do_and_draw_what_is_unknown():
    unit = unit_vectors(["苹果", "zzzq", "苹果", "qqqz"], seed=3)
    assert unit.shape == (4, 75)
    np.testing.assert_allclose(np.linalg.norm(unit, axis=1), 1)
    vector = lookup("苹果").vector
    np.testing.assert_allclose(unit[0], vector / np.linalg.norm(vector), rtol=1e-6)
    np.testing.assert_array_equal(unit[0], unit[2])
    np.testing.assert_array_equal(unit[1], unit_vectors(["zzzq"], seed=3)[0])  # its own text decides, not its place
    assert abs(unit[1] @ unit[3]) < 0.5
    assert not np.allclose(unit[1], unit_vectors(["zzzq"], seed=4)[0])
