"""Encoder, decoder over all steps, the mask, and what is refused; on a small model."""

import numpy as np
import pytest

from attention_core.errors import InputError
from attention_core.ops import softmax
from attention_core.positional import positional_encoding
from attention_core.words.word import Word
from tests.core.translator.conftest import D_HEAD, D_MODEL, N_HEADS, N_LAYERS, SOURCE, TARGET

WORDS = (Word("我"), Word("买"), Word("果苹"), Word("龘"), Word("。"))  # 果苹 has two pieces, nobody knows 龘
PIECES = ("▁I", "▁bought", "▁appl", "es", "</s>")


@pytest.fixture(scope="module")
def source(small):
    return small.encode(WORDS)


@pytest.fixture(scope="module")
def target(small, source):
    return small.read(source, PIECES)


def test_source_run(small, source):
    assert source.pieces == ("我", "买", "果", "苹", "龘", "。")
    assert source.spans == ((0, 1), (1, 2), (2, 4), (4, 5), (5, 6))
    assert source.unknown.tolist() == [False, False, False, False, True, False]
    assert [SOURCE[number] for number in source.ids] == ["我", "买", "果", "苹", "<unk>", "。"]
    assert source.hidden.shape == (N_LAYERS + 1, 6, D_MODEL)
    assert source.attn_weights.shape == (N_LAYERS, N_HEADS, 6, 6)
    assert source.hidden.dtype == np.float32
    np.testing.assert_allclose(source.attn_weights.sum(axis=-1), 1, atol=1e-6)
    assert source.attn_weights[0, 0, 0, 5] > 0  # the encoder looks ahead
    np.testing.assert_array_equal(source.memory, source.hidden[-1])
    assert small.d_head == D_HEAD


def test_input(small, source):
    first = small.source_input(source.ids)
    np.testing.assert_array_equal(first.embedding, small.weights.source_embedding[source.ids])
    np.testing.assert_allclose(first.scaled, first.embedding * 6**0.5, rtol=1e-6)
    np.testing.assert_allclose(first.position, positional_encoding(6, D_MODEL), rtol=1e-6)
    np.testing.assert_array_equal(first.summed, source.hidden[0])


def test_target_run(small, target):
    assert target.inputs == ("<s>", "▁I", "▁bought", "▁appl", "es")
    assert (target.text, target.ended) == ("I bought apples", True)
    assert target.self_attention.shape == (N_LAYERS, N_HEADS, 5, 5)
    assert target.cross_attention.shape == (N_LAYERS, N_HEADS, 5, 6)
    assert target.logits.shape == (5, len(TARGET))
    future = ~np.tri(5, dtype=bool)
    assert (target.self_attention[..., future] == 0).all()
    np.testing.assert_array_equal(target.probabilities, softmax(target.logits))
    np.testing.assert_array_equal(target.hidden[0], small.target_input(np.array([0, *target.ids[:-1]])).summed)
    for step, piece in enumerate(PIECES):
        assert target.chosen[step] == target.probabilities[step, TARGET.index(piece)]


def test_candidates(target):
    best = target.candidates(2, count=4)
    row = dict(zip(TARGET, target.probabilities[2].tolist(), strict=True))
    assert [(c.piece, c.probability) for c in best] == sorted(row.items(), key=lambda item: -item[1])[:4]


def test_the_output_matrix_is_the_table_of_the_input(small, target):
    expected = target.hidden[-1] @ small.weights.target_embedding.T + small.weights.out_bias
    np.testing.assert_allclose(target.logits, expected, rtol=1e-6)


def test_a_later_word_changes_no_earlier_step(small, source, target):
    other = small.read(source, ("▁I", "▁bought", "▁an", ".", "</s>"))
    for name in ("hidden", "logits", "self_attention", "cross_attention"):
        ours, theirs = getattr(target, name), getattr(other, name)
        axis = {"hidden": 1, "logits": 0}.get(name, 2)
        np.testing.assert_array_equal(np.take(ours, range(3), axis), np.take(theirs, range(3), axis))
    assert not np.allclose(target.logits[3:], other.logits[3:])


def test_without_the_mask_it_does(small, source, target):
    open_, other = (small.read(source, pieces, masked=False) for pieces in (PIECES, (*PIECES[:2], "▁an", ".", "</s>")))
    assert not np.isclose(open_.logits[:3], other.logits[:3]).all(axis=1).any()
    assert (open_.self_attention > 0).all()
    assert not np.allclose(open_.logits, target.logits)


def test_traces_are_the_runs(small, source, target):
    for layer in range(N_LAYERS):
        encoder, decoder = small.encoder_trace(source, layer), small.decoder_trace(target, layer)
        np.testing.assert_array_equal(encoder.norm_ffn, source.hidden[layer + 1])
        np.testing.assert_array_equal(decoder.norm_ffn, target.hidden[layer + 1])
        np.testing.assert_array_equal(decoder.cross_attention.x_kv, source.memory)
        np.testing.assert_array_equal(decoder.self_attention.attention.attn_weights, target.self_attention[layer])
    unmasked = small.read(source, PIECES, masked=False)
    np.testing.assert_array_equal(small.decoder_trace(unmasked, 1).norm_ffn, unmasked.hidden[2])
    for layer in (-1, N_LAYERS):
        with pytest.raises(IndexError, match="there are 2"):
            small.encoder_trace(source, layer)
        with pytest.raises(IndexError, match="there are 2"):
            small.decoder_trace(target, layer)


def test_runs_are_read_only(source, target):
    for run in (source, target):
        with pytest.raises(ValueError, match="read-only"):
            run.hidden[0, 0, 0] = 1


def refused(function, *arguments):
    with pytest.raises(InputError) as error:
        function(*arguments)
    return error.value.key, error.value.values


def test_what_is_refused(small, source):
    assert refused(small.encode, ()) == ("empty", {})
    assert refused(small.encode, [Word("龘" * 65)] * 2) == ("too_many_pieces", {"limit": 128, "count": 130})
    assert refused(small.read, source, ()) == ("empty", {})
    assert refused(small.read, source, ["."] * 101) == ("too_many_pieces", {"limit": 100, "count": 101})
    for pieces in (["▁We"], ["<s>", "."], [".", "</s>", "."]):
        assert refused(small.read, source, pieces)[0] == "unknown_piece"
    assert refused(small.read, source, ["x" * 99])[1] == {"piece": "x" * 20}


def test_reference(small, source):
    pieces = small.reference_pieces("I bought Ω.")
    assert pieces == ("▁I", "<unk>", *["<unk>"] * 6, "<unk>", "<unk>", ".", "</s>")
    assert (small.read(source, pieces).chosen > 0).all()
    assert refused(small.reference_pieces, " \n") == ("empty", {})
    assert refused(small.reference_pieces, "x" * 201)[0] == "too_many_characters"
    assert refused(small.reference_pieces, "." * 100) == ("too_many_pieces", {"limit": 99, "count": 101})
