"""The untrained sources: settings, X, weights, and the same numbers in every process."""

import dataclasses
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from attention_core.errors import InputError
from attention_core.positional import positional_encoding
from attention_core.sources import (
    D_MODELS,
    EMBEDDINGS,
    SOURCES,
    Settings,
    draw,
    paper,
    source_info,
    toy,
    training,
    used_settings,
    vectors,
)
from attention_core.sources.word_vectors import lookup
from attention_core.words.word import Word

ROOT = Path(__file__).parents[2]
SENTENCE = tuple(map(Word, ["我", "昨天", "去", "超市", "买", "了", "苹果"]))
REPEATED = tuple(map(Word, ["我", "喜欢", "我", "的", "猫", "，", "猫", "也", "喜欢", "我"]))
EVERY = [(source, embedding) for source in (toy, paper) for embedding in EMBEDDINGS]


# -- settings -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"d_model": 5}, "unknown_choice"),
        ({"d_model": 4.0}, "unknown_choice"),
        ({"embedding": "bert"}, "unknown_choice"),
        ({"positions": 1}, "unknown_choice"),
        ({"projection": "none"}, "unknown_choice"),
        ({"seed": -1}, "out_of_range"),
        ({"seed": 10000}, "out_of_range"),
        ({"seed": True}, "out_of_range"),
        ({"seed": 1.5}, "out_of_range"),
    ],
)
def test_settings_outside_their_range(change, key):
    with pytest.raises(InputError) as caught:
        Settings(**change)
    assert caught.value.key == key
    assert caught.value.values["name"] == next(iter(change))


def test_settings_are_a_cache_key():
    assert {Settings(), Settings(seed=0), Settings(seed=1)} == {Settings(), Settings(seed=1)}


def test_registry():
    assert list(SOURCES) == ["real", "toy", "paper", "vectors"]
    assert [name for name, info in SOURCES.items() if info.trained] == ["real"]
    assert (SOURCES["real"].n_layers, SOURCES["real"].n_heads, SOURCES["real"].d_head) == (12, 12, 32)
    for info in SOURCES.values():
        assert info.d_model == info.n_heads * info.d_head
        assert set(info.settings) <= set(Settings.__dataclass_fields__)
    assert (source_info("toy", Settings(d_model=6)).d_model, source_info("toy", Settings(d_model=6)).d_head) == (6, 3)
    with pytest.raises(InputError, match="source must be one of real, toy, paper, vectors, not bert"):
        source_info("bert")


@pytest.mark.parametrize("name", ["toy", "paper", "vectors"])
def test_info_tells_the_truth(name):
    source = {"toy": toy, "paper": paper, "vectors": vectors}[name]
    settings = Settings(d_model=8)
    info = source_info(name, settings)
    assert source.trace(SENTENCE, settings).multi_head.W_Q.shape == (info.n_heads, info.d_model, info.d_head)
    base = source.trace(SENTENCE, Settings()).multi_head.attn_out
    other = {"d_model": 6, "embedding": "seeded", "positions": True, "projection": "seeded", "seed": 1}
    for field, value in other.items():
        settings = Settings(**{field: value, **({"projection": "seeded"} if name == "vectors" else {})})
        changed = source.trace(SENTENCE, settings).multi_head.attn_out
        same = changed.shape == base.shape and np.array_equal(changed, base)
        if field in info.settings:
            assert not same, field
        elif name != "vectors":
            assert same, field


# -- X --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("source", "embedding"), EVERY)
@pytest.mark.parametrize("positions", [False, True])
def test_x_is_one_hot_times_table_times_scale_plus_positions(source, embedding, positions):
    settings = Settings(d_model=6, embedding=embedding, positions=positions)
    t = source.trace(REPEATED, settings)
    e = t.embedding
    d_model = t.multi_head.W_Q.shape[1]
    assert e.vocabulary == ("我", "喜欢", "的", "猫", "，", "也")
    assert (e.one_hot.shape, e.table.shape, e.x.shape) == ((10, 6), (6, d_model), (10, d_model))
    np.testing.assert_array_equal(e.one_hot.sum(axis=1), 1)
    np.testing.assert_array_equal([e.vocabulary[i] for i in e.one_hot.argmax(axis=1)], [w.text for w in REPEATED])
    np.testing.assert_allclose(e.embedded, e.table[e.one_hot.argmax(axis=1)] * e.scale, rtol=1e-6)
    expected = positional_encoding(10, d_model) if positions else np.zeros((10, d_model))
    np.testing.assert_allclose(e.positions, expected, atol=0.0051 if source is toy else 1e-6)
    np.testing.assert_array_equal(e.x, e.embedded + e.positions)
    np.testing.assert_array_equal(t.x, e.x)
    np.testing.assert_array_equal(t.multi_head.x_q, e.x)
    assert len(e.kinds) == 6
    assert (e.vectors is None) == (e.projection is None) == (embedding != "word_vectors")


@pytest.mark.parametrize(("source", "embedding"), EVERY)
def test_repeated_words_look_alike_until_positions_tell_them_apart(source, embedding):
    t = source.trace(REPEATED, Settings(embedding=embedding))
    a = t.multi_head.attention.attn_weights
    assert a.shape[1:] == (10, 10)  # as many rows as words, although 我 comes three times
    for i, j in ((0, 2), (0, 9), (1, 8), (4, 6)):
        np.testing.assert_array_equal(t.x[i], t.x[j])
        np.testing.assert_allclose(a[:, i], a[:, j], rtol=1e-5)
        np.testing.assert_allclose(a[:, :, i], a[:, :, j], rtol=1e-5)
    assert len(np.unique(t.x.round(6), axis=0)) == 6  # different words differ
    with_positions = source.trace(REPEATED, Settings(embedding=embedding, positions=True)).multi_head.attention
    assert not np.allclose(with_positions.attn_weights[:, 0], with_positions.attn_weights[:, 2])


@pytest.mark.parametrize("source", [toy, paper])
def test_seeded_belongs_to_the_word_and_one_hot_to_the_place_in_the_vocabulary(source):
    ab, ba = (Word("甲"), Word("乙")), (Word("乙"), Word("甲"))
    x, y = (source.trace(words, Settings(embedding="seeded")).x for words in (ab, ba))
    np.testing.assert_array_equal(x, y[::-1])
    x, y = (source.trace(words, Settings(embedding="one_hot")).x for words in (ab, ba))
    np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize("source", [toy, paper, vectors])
def test_an_unknown_word_is_flagged_and_looks_at_everybody_equally(source):
    t = source.trace((Word("Python"), *SENTENCE, Word("小红")), Settings())
    assert t.embedding.kinds == ("unknown", *["word"] * 7, "characters")
    np.testing.assert_array_equal(t.x[0], 0)
    np.testing.assert_allclose(t.multi_head.attention.attn_weights[:, 0], 1 / 9, rtol=1e-6)


# -- the sources one by one -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("d_model", D_MODELS)
@pytest.mark.parametrize("embedding", EMBEDDINGS)
@pytest.mark.parametrize("seed", [0, 1, 9999])
def test_the_toy_can_be_computed_by_hand(d_model, embedding, seed):
    settings = Settings(d_model=d_model, embedding=embedding, seed=seed)
    t = toy.trace(SENTENCE, settings)
    m = t.multi_head
    for W in (m.W_Q, m.W_K, m.W_V, m.W_O):
        np.testing.assert_array_equal(W * 2, np.round(W * 2))
        assert np.abs(W).max() <= 1
    np.testing.assert_allclose(t.x * 10, np.round(t.x * 10), atol=1e-12)
    assert np.abs(t.x).max() <= 3
    for shown in (t.x, t.embedding.table):
        assert not np.signbit(shown[shown == 0]).any()  # "-0.0" on a worksheet
    assert t.x.dtype == m.attn_out.dtype == np.float64
    assert m.W_Q.shape == (2, d_model, d_model // 2)
    for bias in (m.b_Q, m.b_K, m.b_V, m.b_O):
        assert not bias.any()
    assert m.attention.attn_weights.std(axis=-1).mean() > 0.01  # something to see
    positions = toy.trace(SENTENCE, dataclasses.replace(settings, positions=True)).embedding.positions
    np.testing.assert_allclose(positions * 100, np.round(positions * 100), atol=1e-9)


def test_toy_word_vectors_are_the_first_numbers_of_the_real_ones():
    t = toy.trace(SENTENCE, Settings(d_model=6))
    np.testing.assert_allclose(t.x[6], lookup("苹果").vector[:6], atol=0.0501)
    np.testing.assert_allclose(t.embedding.table, t.embedding.vectors @ t.embedding.projection, atol=0.0501)


def test_many_different_words_have_different_one_hot_rows():
    words = tuple(Word(f"w{i}") for i in range(700))  # more than the 625 rows of four halves
    t = toy.trace(words, Settings(embedding="one_hot"))
    assert len(np.unique(t.x, axis=0)) == 700


@pytest.mark.parametrize("embedding", EMBEDDINGS)
@pytest.mark.parametrize("positions", [False, True])
def test_the_papers_spread(embedding, positions):
    t = paper.trace(SENTENCE, Settings(embedding=embedding, positions=positions))
    m = t.multi_head
    assert (m.W_Q.shape, m.W_O.shape, m.concat.shape) == ((8, 512, 64), (512, 512), (7, 512))
    np.testing.assert_allclose(m.attention.scaled_scores, m.attention.scores / 8, rtol=1e-6)
    assert t.x.dtype == m.attn_out.dtype == np.float32
    assert 0.6 < t.x.std() < 1.4
    assert 0.3 < m.attention.scaled_scores.std() < 2.5
    assert np.abs(m.W_Q).max() <= np.sqrt(6 / 1024)
    np.testing.assert_allclose(m.W_K.var(), 1 / 512, rtol=0.02)
    assert t.embedding.scale == np.sqrt(512)


def test_the_papers_projection_keeps_similar_words_similar():
    words = tuple(map(Word, ["苹果", "草莓", "昨天", "昨晚", "我", "超市"]))
    x = paper.trace(words, Settings()).x
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    v = np.array([lookup(word.text).vector for word in words])
    v /= np.linalg.norm(v, axis=1, keepdims=True)
    np.testing.assert_allclose(unit @ unit.T, v @ v.T, atol=0.2)
    np.testing.assert_array_equal(x, paper.trace(words, Settings(seed=5)).x)  # the words stay, the weights change


def test_word_vectors_row_of_the_lesson():
    t = vectors.trace(SENTENCE, Settings())
    a = t.multi_head.attention
    np.testing.assert_allclose(a.attn_weights[0, 4], [0.126, 0.127, 0.134, 0.160, 0.228, 0.106, 0.120], atol=0.0005)
    np.testing.assert_allclose(a.scaled_scores[0], t.x @ t.x.T / np.sqrt(75), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(t.multi_head.attn_out, a.z[0], rtol=1e-6)
    assert a.attn_weights.shape == (1, 7, 7)


def test_word_vectors_cannot_tell_full_from_cold():
    rows = []
    for end in ("饱", "凉"):
        words = tuple(map(Word, f"小猫 没有 喝 牛奶 ， 因为 它 已经 {end} 了".split()))
        scores = vectors.trace(words, Settings()).multi_head.attention.scores[0, 6]
        rows.append(np.delete(scores, 8))
    np.testing.assert_array_equal(rows[0], rows[1])


# -- determinism ----------------------------------------------------------------------------------------------------


def test_drawn_numbers_are_pinned():
    np.testing.assert_allclose(draw.uniform((2, 2), 0, "x"), draw.uniform((4,), 0, "x").reshape(2, 2))
    assert not np.array_equal(draw.uniform((4,), 0, "x"), draw.uniform((4,), 1, "x"))
    assert not np.array_equal(draw.uniform((4,), 1, "0"), draw.uniform((4,), 10))
    many = draw.uniform((20_000,), 3, "many")
    assert 0 <= many.min() < many.max() < 1
    np.testing.assert_allclose([many.mean(), many.var()], [1 / 2, 1 / 12], rtol=0.02)
    assert set(draw.from_choices((1.0, 2.0, 4.0), (100,), 0)) == {1, 2, 4}


def test_every_process_draws_the_same():
    code = (
        "import hashlib\n"
        "from attention_core.sources import *\n"
        "from attention_core.sources import toy, paper, vectors\n"
        "from attention_core.words.word import Word\n"
        "words = [Word(t) for t in '我 喜欢 猫'.split()]\n"
        "for source in (toy, paper, vectors):\n"
        "    for e in EMBEDDINGS:\n"
        "        t = source.trace(words, Settings(embedding=e, projection='seeded', seed=3))\n"
        "        m = t.multi_head\n"
        "        for a in (t.x, m.W_Q, m.W_K, m.W_V, m.W_O):\n"
        "            print(hashlib.sha256(a.tobytes()).hexdigest())\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={"PYTHONHASHSEED": hash_seed, "PATH": ""},
            capture_output=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "2")
    }
    assert len(outputs) == 1
    # three X and four W each for toy and paper, one X and four W for vectors; the numbers themselves: test_golden.py
    assert len(set(outputs.pop().split())) == 19


def test_settings_that_a_source_ignores_make_no_difference():
    others = Settings(d_model=8, embedding="seeded", positions=True, projection="seeded", seed=5)
    assert used_settings("real", others) == Settings()
    assert used_settings("vectors", others) == Settings(projection="seeded", seed=5)
    assert used_settings("vectors", Settings(seed=5)) == Settings()  # W = I draws nothing
    assert used_settings("paper", others) == Settings(embedding="seeded", positions=True, seed=5)
    assert used_settings("toy", others) == dataclasses.replace(others, projection="identity")


def test_what_is_said_about_the_weights():
    assert training("real", Settings(projection="seeded")) == "trained"
    assert training("vectors", Settings()) == "plain"
    assert training("vectors", Settings(projection="seeded")) == "untrained"
    assert training("toy", Settings()) == training("paper", Settings()) == "untrained"
