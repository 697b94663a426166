"""Query, key and value with whole texts: the arithmetic by hand, the model's vectors, and our own shelves."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from attention_core.errors import InputError
from attention_core.retrieval_facts import readable, retrieval_facts, typical, verdict
from attention_core.retrieve import MAX_KEYS, TEMPERATURE, retrieve
from attention_core.sources import e5_sentences
from attention_core.sources.e5 import load_model
from attention_core.sources.e5_sentences import pieces_of, prefixed, sentence_vectors
from attention_core.words.pieces import SPACE_MARK, best_pieces, normalise
from training.measure_retrieval import measure

SHELVES = Path(__file__).parents[2] / "data" / "retrieval.tsv"
MISSES = {"怎么去机场最快？", "How do I get to the airport?"}  # the model's, on this file: 26 of 28 are right

# Unit vectors with easy dot products: (3, 4) / 5 and its like.
PLANE = {
    "request": (1.0, 0.0),
    "near": (0.8, 0.6),
    "far": (0.0, 1.0),
    "against": (-0.6, 0.8),
}


def on_paper(texts, kind):
    return np.array([PLANE[text] for text in texts])


def shelves():
    with SHELVES.open(encoding="utf-8") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [(query, keys) for query, *keys in rows if not query.startswith("#")]


def test_the_arithmetic_on_paper():
    keys, values = ["far", "near", "against"], ["near", "far", "request"]
    trace = retrieve("request", keys, values, temperature=0.2, encode=on_paper)
    np.testing.assert_allclose(trace.scores, [0, 0.8, -0.6])
    np.testing.assert_allclose(trace.scaled_scores, [0, 4, -3])
    parts = np.exp([0.0, 4.0, -3.0])
    np.testing.assert_allclose(trace.attn_weights, parts / parts.sum())
    assert trace.best == 1
    w = trace.attn_weights
    np.testing.assert_allclose(trace.z, [0.8 * w[0] + w[2], 0.6 * w[0] + w[1]])
    np.testing.assert_allclose(trace.distances, [np.hypot(*(trace.z - PLANE[v])) for v in values])
    np.testing.assert_allclose(trace.cosines[1], trace.z[1] / np.hypot(*trace.z))
    assert not trace.z.flags.writeable


def test_without_contents_the_labels_are_their_own():
    trace = retrieve("request", ["far", "near"], encode=on_paper)
    assert trace.values == trace.keys
    np.testing.assert_array_equal(trace.v, trace.k)
    assert trace.temperature == TEMPERATURE


def test_a_high_temperature_makes_all_weights_equal_and_a_low_one_chooses():
    keys = ["near", "far", "against"]
    hot, cold = (retrieve("request", keys, temperature=T, encode=on_paper).attn_weights for T in (100, 0.01))
    np.testing.assert_allclose(hot, 1 / 3, atol=0.01)
    np.testing.assert_allclose(cold, [1, 0, 0], atol=1e-12)


@pytest.mark.parametrize(
    ("keys", "temperature", "key"),
    [
        ([], 1, "empty"),
        (["近"] * (MAX_KEYS + 1), 1, "out_of_range"),
        (["近"], 0, "out_of_range"),
        (["近"], float("nan"), "out_of_range"),
        (["近", " \u200b "], 1, "empty"),
        (["近", "字" * 201], 1, "too_many_characters"),
        (["近", "\ufdfa" * 60], 1, "too_many_pieces"),
    ],
)
def test_what_cannot_be_used_is_named(keys, temperature, key):
    with pytest.raises(InputError) as error:
        retrieve("找书", keys, temperature=temperature)
    assert error.value.key == key


def test_every_key_has_its_value():
    with pytest.raises(ValueError, match="2 keys need as many values, not 1"):
        retrieve("request", ["near", "far"], ["near"], encode=on_paper)


@pytest.mark.parametrize("text", ["我想找一本关于人工智能的书", "An introduction to deep learning", "iPhone 手机，25℃"])
@pytest.mark.parametrize("kind", ["query", "passage"])
def test_the_pieces_are_those_of_the_whole_text(text, kind):
    vocabulary = load_model().weights.vocabulary
    whole = SPACE_MARK + normalise(f"{kind}: {text}", vocabulary.normaliser)
    assert list(pieces_of(text, kind))[1:-1] == best_pieces(whole, vocabulary)


def test_a_vector_is_the_mean_of_the_last_layer_with_length_1():
    run = load_model().run(prefixed("深度学习入门", "passage"))
    mean = run.hidden[-1].astype(np.float64).mean(axis=0)
    (vector,) = sentence_vectors(["深度学习入门"], "passage")
    np.testing.assert_allclose(vector, mean / np.linalg.norm(mean), atol=2e-6)


def test_texts_read_together_do_not_see_each_other(monkeypatch):
    """In one pass or in several: only what is left of rounding differs."""
    texts = ["天气", "今天北京是晴天，温度25℃", "hello world", "菜谱", "一" * 150, "地铁"]
    alone = np.concatenate([sentence_vectors([text], "passage") for text in texts])
    np.testing.assert_allclose(sentence_vectors(texts, "passage"), alone, atol=2e-6)
    monkeypatch.setattr(e5_sentences, "POSITIONS_AT_ONCE", 20)
    np.testing.assert_allclose(sentence_vectors(texts, "passage"), alone, atol=2e-6)


def test_request_and_passage_are_read_differently():
    query, passage = sentence_vectors(["天气"], "query")[0], sentence_vectors(["天气"], "passage")[0]
    assert 0.5 < query @ passage < 0.999


def test_no_texts_have_no_vectors():
    assert sentence_vectors([], "passage").shape == (0, 384)


def test_our_own_shelves_are_answered_as_expected():
    found = {query: retrieve(query, keys).best for query, keys in shelves()}
    assert len(shelves()) >= 20
    assert {query for query, best in found.items() if best} == MISSES


def test_the_request_of_the_lesson():
    trace = retrieve("我想找一本关于人工智能的书", ["家常菜谱", "深度学习入门", "唐诗三百首"])
    assert trace.best == 1
    assert trace.attn_weights[1] > 0.9
    plain = retrieve("我想找一本关于人工智能的书", ["家常菜谱", "深度学习入门", "唐诗三百首"], temperature=1)
    assert np.ptp(plain.attn_weights) < 0.02


def test_the_shipped_measurement_is_that_of_the_script():
    shipped = {name: vars(entry) for name, entry in retrieval_facts().items()}
    for name, entry in json.loads(json.dumps(measure()))["languages"].items():
        for spread in ("unrelated", "related"):
            assert vars(shipped[name][spread]) == pytest.approx(entry[spread], abs=2e-4)
        assert shipped[name]["limit"] == pytest.approx(entry["limit"], abs=2e-4)
        assert shipped[name]["missed"] == pytest.approx(entry["missed"], abs=0.02)


@pytest.mark.parametrize(
    ("query", "key", "languages"),
    [("找书", "天气", "zh"), ("a book", "weather", "en"), ("找书", "weather", "mixed"), ("a book", "AI入门", "mixed")],
)
def test_scores_are_judged_by_their_languages(query, key, languages):
    known = typical(query, key)
    assert known.languages == languages
    assert known.unrelated.low < known.unrelated.middle < known.unrelated.high < known.limit < known.related.high
    assert known.judge(known.limit) == "fits"
    assert known.judge((known.unrelated.high + known.limit) / 2) == "unsure"
    assert known.judge(known.unrelated.high) == "none"


def test_a_request_that_nothing_fits_is_known_by_its_raw_score_though_the_weights_look_sure():
    keys = ["家常菜谱", "唐诗三百首", "世界地图"]
    trace = retrieve("水管漏水了找谁修？", keys, temperature=0.001)
    assert trace.attn_weights.max() > 0.7
    assert typical(trace.query, keys[trace.best]).judge(float(trace.scores[trace.best])) == "none"


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("找书", True),
        ("a book", True),
        ("2024年12月", True),
        ("今天25℃ 😀", True),
        ("AI", True),
        ("😀", False),
        ("<b>x</b> http://a.b $x$", False),
        ("3.14 + 2", False),
        ("привет, как дела", False),
        ("好😀😀😀", False),
    ],
)
def test_only_texts_like_the_measured_ones_are_judged(text, known):
    assert readable(text) == known
    assert (verdict(text, "天气", 0.99) == "fits") == known
    assert (verdict("天气", text, 0.99) == "unknown") == (not known)
