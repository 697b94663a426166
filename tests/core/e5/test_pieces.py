"""Cutting words into the model's pieces."""

import itertools
import random
from dataclasses import replace

import pytest

from attention_core.errors import InputError
from attention_core.words.pieces import (
    SPECIAL_IDS,
    UNKNOWN,
    PieceVocabulary,
    best_pieces,
    normalise,
    split_word,
    split_words,
)
from attention_core.words.word import Word


def small_vocabulary(scores, normaliser=None):
    return PieceVocabulary(
        scores=scores,
        ids={piece: 10 + i for i, piece in enumerate(scores)} | SPECIAL_IDS,
        normaliser=normaliser or {},
        unknown_score=min(scores.values()) - 10,
        longest=max(map(len, scores)),
    )


def all_cuts(text):
    """Every way to cut text, 2 ** (len - 1) of them."""
    for marks in itertools.product([False, True], repeat=len(text) - 1):
        places = [0, *(i + 1 for i, cut in enumerate(marks) if cut), len(text)]
        yield [text[a:b] for a, b in itertools.pairwise(places)]


def total(pieces, vocabulary):
    """The score of one cut, None where a longer string is no piece."""
    score = 0.0
    for piece in pieces:
        if piece in vocabulary.scores:
            score += vocabulary.scores[piece]
        elif len(piece) == 1:
            score += vocabulary.unknown_score
        else:
            return None
    return score


@pytest.mark.parametrize("seed", range(60))
def test_viterbi_against_every_cut(seed):
    chance = random.Random(seed)
    strings = ["".join(chance.choices("abcd", k=chance.randint(1, 4))) for _ in range(14)]
    vocabulary = small_vocabulary({piece: -chance.uniform(1, 12) for piece in strings})
    text = "".join(chance.choices("abcde", k=chance.randint(1, 10)))  # e is never a piece
    scored = [(total(cut, vocabulary), cut) for cut in all_cuts(text)]
    highest = max(score for score, _ in scored if score is not None)
    winners = [cut for score, cut in scored if score is not None and score > highest - 1e-9]  # bb b ties with b bb
    shown = [[piece if piece in vocabulary.scores else UNKNOWN for piece in cut] for cut in winners]
    assert best_pieces(text, vocabulary) in shown


def test_one_unknown_can_be_cheaper_than_bad_pieces():
    """An unknown character scores 10 below the worst piece: not minus infinity, and not free."""
    vocabulary = small_vocabulary({"ab": -1.0, "a": -2.0, "bc": -3.0})
    assert best_pieces("abc", vocabulary) == ["a", "bc"]
    assert best_pieces("abb", vocabulary) == ["ab", UNKNOWN]
    assert best_pieces("xyab", vocabulary) == [UNKNOWN, UNKNOWN, "ab"]


def test_work_grows_with_the_length_and_no_faster(vocabulary):
    class Counted(dict):
        """Scores that count how often they are asked."""

        asked = 0

        def get(self, *arguments):
            self.asked += 1
            return super().get(*arguments)

        def __contains__(self, piece):
            self.asked += 1
            return super().__contains__(piece)

    def asked(n):
        scores = Counted(vocabulary.scores)
        assert best_pieces("龘" * n, replace(vocabulary, scores=scores)) == [UNKNOWN] * n
        return scores.asked

    assert asked(2000) <= 2000 * (vocabulary.longest + 1)  # starts times lengths, and once more to name the pieces
    assert asked(4000) - asked(2000) == 2000 * (vocabulary.longest + 1)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("苹果", ["苹果"]),
        ("杯子", ["杯", "子"]),
        ("？", ["?"]),
        ("？？！！", ["??", "!!"]),
        ("……", ["......"]),
        ("——", ["——"]),
        ("ＡＢＣ", ["ABC"]),
        ("⼈", ["人"]),  # a Kangxi radical
        ("ﬁ", ["fi"]),
        ("①", ["1"]),
        ("½", ["1⁄2"]),
        ("龘", [UNKNOWN]),
        ("龘龘", [UNKNOWN, UNKNOWN]),
        ("𠮷野家", [UNKNOWN, "野", "家"]),
        ("Привет", [UNKNOWN] * 6),
        ("한국", [UNKNOWN] * 2),
        ("\ud800", [UNKNOWN]),
        ("😀", ["😀"]),
        ("🇨🇳", ["🇨", "🇳"]),
        ("👨\u200d👩\u200d👧", ["👨", "▁", "👩", "▁", "👧"]),
        ("a▁b", ["a", "▁b"]),  # a typed U+2581 is a space, not a mark of ours
        ("a\u200b\u200d\u200bb", ["a", "▁b"]),
        ("\u200b好\ufeff", ["好"]),
        ("好\x07", ["好"]),
        ("T恤", ["T", "恤"]),
        ("<s>", ["<", "s", ">"]),
        ("</s>", ["</", "s", ">"]),
        ("<unk>", ["<", "unk", ">"]),
        ("<mask>", ["<", "mas", "k", ">"]),
        ("[SEP]", ["[", "S", "EP", "]"]),
    ],
)
def test_pieces_inside_a_sentence(vocabulary, text, pieces):
    assert split_word(Word(text), vocabulary, first=False) == pieces


def test_composed_and_decomposed_are_the_same(vocabulary):
    composed, decomposed = Word("caf\u00e9"), Word("cafe\u0301")
    assert split_words([composed], vocabulary) == split_words([decomposed], vocabulary) == [["▁café"]]


@pytest.mark.parametrize("text", ["\u200b", "\u200d", "\ufeff", "▁", "▁▁", "\x01", "\u3000", " ", "\ufffd", ""])
def test_a_word_that_becomes_empty_is_refused(vocabulary, text):
    with pytest.raises(InputError) as error:
        split_words([Word("我"), Word("们"), Word(text)], vocabulary)
    assert (error.value.key, error.value.values) == ("empty_word", {"position": 3})


def test_the_space_mark_goes_first_and_after_a_space_and_nowhere_else(vocabulary):
    def cut(*words):
        return split_words([Word(text.strip(), text.startswith(" ")) for text in words], vocabulary)

    assert cut("我", "用", "Python") == [["▁我"], ["用"], ["P", "y", "thon"]]
    assert cut("我", "用", " Python") == [["▁我"], ["用"], ["▁Python"]]
    assert cut(" 我", "们") == cut("我", "们") == [["▁我"], ["们"]]
    assert cut("The", " cat", ".") == [["▁The"], ["▁cat"], ["."]]


def test_a_lone_space_mark_belongs_to_its_word(vocabulary):
    assert split_words([Word("弟弟"), Word("把")], vocabulary) == [["▁", "弟弟"], ["把"]]
    assert split_words([Word("把"), Word("弟弟", space_before=True)], vocabulary)[1] == ["▁", "弟弟"]


def test_special_tokens_are_no_pieces(vocabulary):
    assert not SPECIAL_IDS.keys() & vocabulary.scores.keys()
    assert {name: vocabulary.ids[name] for name in SPECIAL_IDS} == SPECIAL_IDS
    assert vocabulary.unknown_score == pytest.approx(-30.364752, abs=1e-6)
    assert vocabulary.longest <= 16


def test_normalise_never_leaves_a_space(vocabulary):
    for code_point in vocabulary.normaliser:
        assert " " not in normalise(f"x{chr(code_point)}y", vocabulary.normaliser)


def test_piece_limit(vocabulary):
    fits = [Word("龘" * 127)]
    assert sum(map(len, split_words(fits, vocabulary))) == 128
    with pytest.raises(InputError) as error:
        split_words([*fits, Word("我")], vocabulary)
    assert (error.value.key, error.value.values) == ("too_many_pieces", {"limit": 128, "count": 129})
    with pytest.raises(InputError) as error:
        split_words([], vocabulary)
    assert error.value.key == "empty"
