"""What results weigh in the shared caches, and that nobody can write to them."""

from __future__ import annotations

import numpy as np
import pytest

from attention_app.ui import shared
from attention_app.ui.structure import runs
from attention_core.sources import SOURCES, Settings, e5
from attention_core.sources.paper import trace as paper
from attention_core.sources.seeded_decoder import decode
from attention_core.words import segment

WORDS = segment("我昨天去超市买了苹果。")
SECOND = segment("我打他")


def inner(layer):
    """Bytes of what one attention computes, by hand: q, k, v, mask, four times scores, z, concat and output."""
    a = layer.attention
    made = [a.q, a.k, a.v, a.mask, a.scores, a.scaled_scores, a.masked_scores, a.attn_weights, a.z]
    return sum(one.nbytes for one in [layer.x_q, *made, layer.concat, layer.attn_out])


def test_a_layer_of_the_real_model_weighs_what_was_made_for_it():
    layer = e5.layer_trace(e5.load_model().run(WORDS), 6).multi_head
    made = inner(layer) + layer.W_Q.nbytes + layer.b_Q.nbytes
    assert shared.real_bytes(layer) == pytest.approx(made, rel=0.05)
    owners = {name: getattr(layer, name).base is not None for name in ("W_K", "W_V", "W_O", "b_K", "b_V", "b_O")}
    assert all(owners.values()), "these are views of the model's own"


def test_a_source_weighs_its_embedding_too():
    trace = paper(WORDS, Settings())
    weights = trace.multi_head.W_Q.nbytes
    assert shared.own_bytes(trace) > inner(trace.multi_head) + trace.embedding.table.nbytes
    assert shared.own_bytes(trace) < inner(trace.multi_head) + 4 * trace.embedding.table.nbytes + weights
    assert trace.multi_head.W_Q.shape == (SOURCES["paper"].n_heads, 512, 64)


def test_a_decoder_weighs_little_without_the_weights_that_all_decoders_share():
    memory = e5.load_model().run(WORDS).hidden[-1]
    assert shared.own_bytes(decode(["I", "bought", "apples"], memory)) < 2**20


def test_an_array_counts_once_and_a_text_nothing():
    one = np.zeros((7, 5))
    assert shared.own_bytes((one, one[:], ("text", 3, np.zeros(3)))) == 7 * 5 * 8 + 3 * 8


@pytest.mark.parametrize(
    "result",
    [
        lambda: runs.alike(WORDS),
        lambda: runs.cross(WORDS, SECOND, SECOND)[1:],
        lambda: [one.padding for one in runs.batch(WORDS, SECOND, causal=True)],
        lambda: [runs.order(WORDS, (1, 0, *range(2, len(WORDS))), positions=True).after],
        lambda: [runs.block(WORDS, 3).norm_ffn, runs.decoder(WORDS, SECOND).logits],
    ],
    ids=["alike", "cross", "batch", "order", "traces"],
)
def test_what_a_class_shares_cannot_be_written_to(result):
    for array in result():
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
