"""What there is to learn: the vocabulary, drawn sentences with their answers, and sentences typed by a person."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest

from attention_core.errors import InputError
from attention_core.learn.settings import TASKS, LearnSettings
from attention_core.learn.tasks import MOST_CHARACTERS, MOST_WORDS, answers_of, draw_sentences, read_sentence
from attention_core.learn.vocabulary import GAP, SLOT, load_vocabulary

V = load_vocabulary()
EXAMPLE = "我昨天买了一[?]红色的鞋"


def in_words(ids):
    return [V.words[i] for i in ids if i]


def test_ten_measure_words_with_four_nouns_each_and_one_more_that_is_never_taught():
    assert len(V.measures) == len(set(V.measures)) == 10
    assert Counter(V.measure_of[noun] for noun in V.nouns) == dict.fromkeys(V.measures, 4)
    assert Counter(V.measure_of[noun] for noun in V.held_out) == dict.fromkeys(V.measures, 1)
    assert len({*V.nouns, *V.held_out}) == 50
    assert len(set(V.words)) == len(V.words)
    assert all(V.english[word] for word in (*V.measures, *V.nouns, *V.held_out, *V.adjectives))


def test_frames_put_the_gap_behind_one_and_at_different_places():
    for frame in V.frames:
        assert frame.count(GAP) == frame.count(SLOT) == 1
        assert frame[frame.index(GAP) - 1] == "一"
        assert frame.index(SLOT) == frame.index(GAP) + 1
        assert V.english[" ".join(frame)]
    assert len({frame.index(GAP) for frame in V.frames}) >= 4
    assert any(frame[-1] != SLOT for frame in V.frames)  # the noun is not always the last word


@pytest.mark.parametrize("held_out", [False, True])
def test_sentences_to_fill_are_what_they_say(held_out):
    drawn = draw_sentences("measure", (7, 30), 3, "test", held_out=held_out)
    assert drawn.ids.shape == drawn.answers.shape
    assert drawn.ids.shape[:2] == (7, 30)
    nouns, lengths, distances = set(), set(), set()
    for ids, answers in zip(drawn.ids.reshape(210, -1), drawn.answers.reshape(210, -1), strict=True):
        words = in_words(ids)
        assert (ids[len(words) :] == 0).all()
        (gap,) = np.flatnonzero(answers >= 0)
        typed = read_sentence("".join(words), "measure")
        assert (typed.words, typed.gap, typed.answer) == (tuple(words), gap, answers[gap])
        nouns.add(words[typed.deciding])
        lengths.add(len(words))
        distances.add(typed.deciding - gap)
    assert nouns <= set(V.held_out if held_out else V.nouns)
    assert len(nouns) == (10 if held_out else 40)
    assert distances == {1, 3, 5}  # none, one or two adjectives with 的
    assert len(lengths) > 4


def test_two_adjectives_are_two_different_ones():
    for ids in draw_sentences("measure", (300,), 1, "test").ids:
        found = [word for word in in_words(ids) if word in V.adjectives]
        assert len(set(found)) == len(found) <= 2


def test_to_copy_is_to_name_the_word_before():
    drawn = draw_sentences("copy", (50,), 2, "test")
    names = answers_of("copy")
    places = set()
    for ids, answers in zip(drawn.ids, drawn.answers, strict=True):
        words = in_words(ids)
        assert [names[a] for a in answers[1 : len(words)]] == words[:-1]
        assert answers[0] == -1
        assert (answers[len(words) :] == -1).all()
        assert words.count(GAP) == 1
        places.add(words.index(GAP))
    assert 0 not in places
    assert len(places) > 5


def test_shuffled_answers_are_drawn_by_lot_for_every_sentence():
    real, lot = (draw_sentences(task, (400,), 5, "test") for task in ("measure", "shuffled"))
    assert (real.ids == lot.ids).all()
    asked = real.answers >= 0
    assert (asked == (lot.answers >= 0)).all()
    assert 0.02 < (real.answers[asked] == lot.answers[asked]).mean() < 0.2
    assert set(lot.answers[asked]) == set(range(10))


@pytest.mark.parametrize("task", TASKS)
def test_sentences_depend_on_the_seed_and_the_name_alone(task):
    one, same, seed, name = (
        draw_sentences(task, (40,), seed, name).ids for seed, name in ((4, "a"), (4, "a"), (5, "a"), (4, "b"))
    )
    assert (one == same).all()
    assert (one != seed).any()
    assert (one != name).any()


def test_the_example_is_read():
    typed = read_sentence(EXAMPLE, "measure")
    assert typed.words == ("我", "昨天", "买", "了", "一", GAP, "红色", "的", "鞋")
    assert (typed.gap, typed.deciding) == (5, 8)
    assert V.measures[typed.answer] == "双"
    copied = read_sentence(EXAMPLE, "copy")
    assert (answers_of("copy")[copied.answer], copied.deciding) == ("一", 4)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("他画了一【？】大衣。", "他 画 了 一 [?] 大衣"),
        ("这里有一[?]大的衣服！", "这里 有 一 [?] 大 的 衣服"),
        ("  我 买了 一[?]小说，送给 妈妈 ", "我 买 了 一 [?] 小说 送给 妈妈"),
        ("一［？］毛笔", "一 [?] 毛笔"),
        ("[?]鱼", "[?] 鱼"),
    ],
)
def test_sentences_are_cut_into_the_fewest_known_words(text, words):
    assert read_sentence(text, "measure").words == tuple(words.split())


@pytest.mark.parametrize(
    ("text", "task", "key", "values"),
    [
        ("", "measure", "empty", {}),
        (" 　", "measure", "empty", {}),
        ("鞋" * (MOST_CHARACTERS + 1), "measure", "too_many_characters", {"limit": MOST_CHARACTERS, "count": 61}),
        ("我吃了一[?]苹果和鱼", "measure", "unknown_words", {"words": "吃、苹果和"}),
        ("<b>[?]鱼", "measure", "unknown_words", {"words": "b"}),
        ("我买了鱼", "measure", "one_gap", {"count": 0}),
        ("一[?]鱼一[?]鱼", "measure", "one_gap", {"count": 2}),
        ("我买了一[?]", "measure", "no_noun", {}),
        ("鱼一[?]", "shuffled", "no_noun", {}),
        ("[?]鱼", "copy", "nothing_before", {}),
        ("[?]" + "鱼" * MOST_WORDS, "measure", "too_many_words", {"limit": MOST_WORDS, "count": MOST_WORDS + 1}),
    ],
)
def test_what_is_wrong_with_a_sentence_is_said(text, task, key, values):
    with pytest.raises(InputError) as caught:
        read_sentence(text, task)
    assert (caught.value.key, caught.value.values) == (key, values)


@pytest.mark.parametrize("task", TASKS)
def test_any_text_is_read_or_refused(task):
    letters = ("一", "[?]", "大", "衣", "服", "的", "鞋", "?", "[", "b", "\n", "😀")
    for parts in itertools.product(letters, repeat=3):
        text = "".join(parts)
        try:
            typed = read_sentence(text, task)
        except InputError:
            continue
        else:
            assert typed.words[typed.gap] == GAP
            assert "".join(typed.words) == "".join(
                c for c in text.replace("[?]", "♥") if c.isalnum() or c == "♥"
            ).replace("♥", GAP)


@pytest.mark.parametrize(
    "wrong", [{"task": "x"}, {"n_heads": 3}, {"rate": 0.5}, {"seed": 100}, {"seed": True}, {"positions": 2}]
)
def test_settings_outside_of_their_range_are_refused(wrong):
    with pytest.raises(InputError):
        LearnSettings(**wrong)
