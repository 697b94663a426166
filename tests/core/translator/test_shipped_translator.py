"""The weights that are shipped: what facts.json and the model card say about them is what they do."""

import csv
from pathlib import Path

import numpy as np
import pytest

from attention_core.translator import load_facts, load_translator, search, target_words, translate
from attention_core.translator.decoding import beam
from attention_core.translator.weights import FOLDER
from attention_core.words import parse_words, segment

PAIRS = Path(__file__).parents[3] / "training" / "alignment_pairs.tsv"


@pytest.fixture(scope="module")
def facts():
    return load_facts()


def test_the_files_are_small_and_have_a_licence():
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) < 16_000_000
    assert "Tatoeba" in (FOLDER / "LICENSE").read_text("utf-8")


def test_sizes(facts):
    model, told = load_translator(), facts["model"]
    assert (model.n_layers, model.n_heads, model.d_model, model.d_ff) == tuple(
        told[name] for name in ("n_layers", "n_heads", "d_model", "d_ff")
    )
    assert len(model.vocabulary.source) == told["source_pieces"] == len(set(model.vocabulary.source))
    assert len(model.vocabulary.target) == told["target_pieces"] == len(set(model.vocabulary.target))
    with np.load(FOLDER / "weights.npz", allow_pickle=False) as file:
        assert sum(file[name].size for name in file.files) == told["parameters"]


def test_the_translations_on_the_card_are_what_comes_out(facts):
    model = load_translator()
    card = (FOLDER / "README.md").read_text("utf-8")
    assert len(facts["tests"]) == 20
    for told in facts["tests"]:
        source = model.encode(segment(told["source"]))
        for name, width in (("greedy", 1), ("beam 5", 5)):
            assert model.read(source, search(model, source, width).pieces).text == told[name]
        assert told["source"] in card
        assert told["greedy"] in card


def test_the_card_quotes_what_was_measured(facts):
    card = (FOLDER / "README.md").read_text("utf-8")
    held_out, alignment = facts["held_out"], facts["alignment"]
    for number in (held_out["loss"], *held_out["greedy"].values(), *held_out["beam 5"].values()):
        assert f"| {number}" in card
    assert f"{alignment['right'][alignment['best layer'] - 1]} of {alignment['pairs']}" in card
    assert f"{facts['training']['training']:,}" in card


def test_alignments(facts):
    """English words look at their Chinese words: 苹果 and apples, 老师 and teacher."""
    model, right = load_translator(), 0
    rows = list(csv.DictReader(PAIRS.read_text("utf-8").splitlines(), delimiter="\t"))
    layer = facts["alignment"]["best layer"] - 1
    for row in rows:
        words = parse_words(row["words"])
        shown = target_words(model.read(model.encode(words), model.reference_pieces(row["translation"])))
        looks = shown.cross_attention[layer, :, shown.words.index(row["english"])].mean(axis=0)
        right += words[int(looks.argmax())].text == row["chinese"]
    assert (len(rows), right) == (30, facts["alignment"]["right"][layer])
    assert facts["alignment"]["share"] == round(right / 30, 3) > 0.8


def test_without_the_mask_the_next_word_leaks():
    """A step that sees the piece it should produce looks there, and its answer changes."""
    model = load_translator()
    source = model.encode(segment("我喜欢苹果。"))
    pieces = model.reference_pieces("I like music.")
    masked, open_ = model.read(source, pieces), model.read(source, pieces, masked=False)
    assert (masked.self_attention[..., ~np.tri(len(pieces), dtype=bool)] == 0).all()
    assert (open_.self_attention[..., ~np.tri(len(pieces), dtype=bool)] > 0).all()
    assert not np.allclose(masked.probabilities, open_.probabilities, atol=0.01)


def plain_beam(model, source, width):
    """Beam search that reads every beginning anew: the texts it ends with, and their scores."""
    finished, beginnings = {}, {(): 0.0}
    while beginnings:
        longer = {}
        for pieces, total in beginnings.items():
            log_probs = np.log(model.read(source, (*pieces, ".")).probabilities[-1])
            for number in np.argsort(-log_probs)[:width]:
                longer[(*pieces, model.vocabulary.target[number])] = total + float(log_probs[number])
        best = sorted(longer, key=lambda pieces: -longer[pieces])[:width]
        over = [pieces for pieces in best if pieces[-1] == "</s>"]
        finished |= {pieces: longer[pieces] for pieces in over}
        beginnings = {pieces: longer[pieces] for pieces in best if pieces not in over}
        width = len(beginnings)
    return finished


def test_beam_search_against_a_plain_one():
    model, width = load_translator(), 3
    source = model.encode(segment("如果明天下雨，我就不去公园。"))
    ours = {found.pieces: found.log_probability for found in beam(model, source, width, ())}
    assert ours == pytest.approx(plain_beam(model, source, width), rel=1e-4)


def test_simplified_and_traditional_characters_are_one():
    assert translate(parse_words("我/喜歡/蘋果/。")).run.text == translate(parse_words("我/喜欢/苹果/。")).run.text


def test_the_longest_sentence_ends():
    result = translate(parse_words("/".join(["很"] * 63 + ["好"])), 5)
    assert result.found.stopped in ("end", "length", "repetition")
    assert len(result.run.pieces) <= 100
