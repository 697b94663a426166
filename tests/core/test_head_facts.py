"""The shipped measurement of the heads: complete, plausible, and what the lesson says about it holds."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from attention_core.attend import attend
from attention_core.head_facts import SHOWN, Question, head_facts
from attention_core.words import Word
from training import measure_heads

ROOT = Path(__file__).parents[2]


def question(share, *, offset=1, offset_share=0.25):
    table = ((share,),)
    return Question("object", False, 100, offset, offset_share, table, table, table)


def test_every_question_has_a_number_for_every_head():
    facts = head_facts()
    assert [found.name for found in facts.questions] == list(SHOWN)
    assert facts.treebank == "UD Chinese-GSDSimp"
    assert facts.sentences > 400
    for found in facts.questions:
        assert found.cases > 0
        assert found.offset != 0
        assert 0 <= found.offset_share <= 1
        for table in (found.share, found.weight, found.special):
            assert np.shape(table) == (12, 12)
            assert np.min(table) >= 0
            assert np.max(table) <= 1
        assert np.max(np.add(found.weight, found.special)) <= 1.002  # both are shares of the same row


@pytest.mark.parametrize("name", SHOWN)
def test_the_head_of_each_shortcut_does_what_it_stands_for(name):
    layer, head = SHOWN[name]
    found = head_facts()[name]
    assert found.share[layer][head] > 0.55
    assert found in head_facts().notable(layer, head)
    if name in ("object", "verb"):
        assert found.share[layer][head] == np.max(found.share)
        assert found.share[layer][head] > 2 * found.offset_share


def test_neighbours_are_found_by_position_alone_and_grammar_is_not():
    facts = head_facts()
    assert {found.name for found in facts.questions if found.by_position} == {"previous", "next"}
    assert (facts["previous"].offset, facts["next"].offset) == (-1, 1)


def test_the_particle_head_looks_back_far_less_often_elsewhere():
    """What the page says beside a baseline that beats this head."""
    facts, (layer, head) = head_facts(), SHOWN["particle"]
    assert facts["particle"].offset == -1
    assert facts["particle"].share[layer][head] < facts["particle"].offset_share
    assert facts["previous"].share[layer][head] < facts["particle"].share[layer][head] / 2


def test_notable_is_often_and_more_often_than_a_fixed_distance():
    assert question(0.5).notable(0, 0)
    assert not question(0.49).notable(0, 0)
    assert not question(0.69, offset_share=0.6).notable(0, 0)
    assert question(0.7, offset_share=0.6).notable(0, 0)
    assert question(0.5, offset_share=1.0).notable(0, 0)  # by position: nothing to be better than


def test_the_pronouns_are_counted_again():
    """The part of the measurement whose sentences are ours gives the shipped numbers."""
    own = measure_heads.read_pronouns()
    assert len({words for words, _ in own}) == head_facts().own_sentences
    counts: dict[str, measure_heads.Count] = {}
    for words, case in own:
        assert words[case.row].text in ("他", "她", "它", "他们", "它们")
        measure_heads.add(counts, words, [("antecedent", case)])
    result = counts["antecedent"].result("own")
    shipped = json.loads((ROOT / "attention_core/data/heads.json").read_text("utf-8"))["questions"]["antecedent"]
    assert (result["cases"], result["offset"]) == (shipped["cases"], shipped["offset"])
    for table in ("share", "weight", "special"):
        np.testing.assert_allclose(result[table], shipped[table], atol=2e-3)


CONLLU = """\
# text = 我吃了苹果 好
1	我	我	PRON	PRP	_	2	nsubj	_	SpaceAfter=No
2	吃	吃	VERB	VV	_	0	root	_	SpaceAfter=No
3	了	了	AUX	AS	_	2	aux	_	SpaceAfter=No
4-5	苹果好	_	_	_	_	_	_	_	_
4	苹果	苹果	NOUN	NN	_	2	obj	_	_
5	好	好	ADJ	JJ	_	2	obj:x	_	SpaceAfter=No

"""


def test_a_treebank_is_read_with_its_spaces_and_gives_its_cases(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(CONLLU, encoding="utf-8")
    (tokens,) = measure_heads.read_conllu(path)
    assert [token.word for token in tokens] == [Word("我"), Word("吃"), Word("了"), Word("苹果"), Word("好", True)]
    found = [(name, case.row, sorted(case.answers)) for name, case in measure_heads.cases_of(tokens)]
    assert ("object", 1, [3, 4]) in found
    assert [case for case in found if case[0] == "verb"] == [("verb", 3, [1]), ("verb", 4, [1])]
    assert ("particle", 2, [1]) in found
    assert [row for name, row, _ in found if name == "previous"] == [1, 2, 3, 4]
    assert [row for name, row, _ in found if name == "next"] == [0, 1, 2, 3]


def test_a_head_is_judged_by_its_strongest_other_word():
    words = tuple(map(Word, ("我", "昨天", "去", "超市", "买", "了", "苹果", "。")))
    counts: dict[str, measure_heads.Count] = {}
    measure_heads.add(counts, words, [("object", measure_heads.Case(4, frozenset([6])))])
    result = counts["object"].result("treebank")
    weights = attend(words).weights
    assert (result["offset"], result["offset_share"]) == (2, 1.0)
    assert result["share"][6][2] == 1
    assert result["weight"][6][2] == pytest.approx(weights[6, 2, 4, 6], abs=1e-3)
    for layer in range(12):
        for head in range(12):
            best = max((j for j in range(8) if j != 4), key=lambda j: weights[layer, head, 4, j])
            assert result["share"][layer][head] == (best == 6)
