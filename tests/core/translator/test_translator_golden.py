"""Parity with PyTorch on the committed weights: its answers were made by training/make_translator_golden.py."""

from pathlib import Path

import numpy as np
import pytest

from attention_core.translator import load_translator, search, target_words
from attention_core.words import parse_words

FILE = Path(__file__).parents[2] / "data" / "golden_translator.npz"
EVERY = 9
SENTENCES = range(3)


@pytest.fixture(scope="module")
def golden():
    with np.load(FILE, allow_pickle=False) as file:
        return dict(file)


@pytest.fixture(scope="module", params=SENTENCES)
def case(request, golden):
    return {key.partition("/")[2]: array for key, array in golden.items() if key.startswith(f"{request.param}/")}


@pytest.fixture(scope="module")
def source(case):
    return load_translator().encode(parse_words(str(case["sentence"])))


def near(ours, theirs):
    np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-4)


def test_the_file_stays_small(golden):
    assert FILE.stat().st_size < 500_000
    assert len({str(golden[f"{number}/sentence"]) for number in SENTENCES}) == len(SENTENCES)


def test_encoder(case, source):
    near(source.hidden, case["encoder_hidden"])
    near(source.attn_weights, case["encoder_attention"])


def test_every_step_of_the_decoder(case, source):
    run = load_translator().read(source, case["pieces"].tolist())
    near(run.hidden, case["decoder_hidden"])
    near(run.self_attention, case["self_attention"])
    near(run.cross_attention, case["cross_attention"])
    near(run.logits[:, ::EVERY], case["logits"])
    near(np.log(np.exp(run.logits - run.logits.max()).sum(axis=1)) + run.logits.max(), case["log_sum"])


def test_the_text(case, source):
    found = search(load_translator(), source)
    assert found.pieces == tuple(case["pieces"].tolist())
    assert found.stopped == "end"
    words = target_words(load_translator().read(source, found.pieces))
    assert " ".join(words.words).replace(" .", ".").replace(" ?", "?") == "".join(case["pieces"][:-1].tolist()).replace(
        "▁", " "
    ).strip(" ")
