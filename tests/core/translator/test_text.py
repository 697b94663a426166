"""Text to pieces and back, on both sides."""

import pytest

from attention_core.translator.source_text import read_as, source_pieces
from attention_core.translator.target_text import plain_text, target_pieces, tokens, word_spans
from attention_core.words.word import Word
from tests.core.translator.conftest import vocabulary


def words(*texts):
    return [Word(text) for text in texts]


def test_the_model_reads_simplified_characters_and_one_form_of_each_mark():
    assert read_as(words("湯姆", ",", "看著", "OK", "?")) == ["汤姆", "，", "看着", "ok", "？"]
    assert read_as([Word("I"), Word("我", space_before=True), Word(".")]) == ["i", "我", "。"]


def test_a_word_is_one_piece_or_its_characters():
    ids = vocabulary().source_ids
    assert source_pieces(words("我", "买", "苹果", "果我", "龘"), ids) == [
        ["我"],
        ["买"],
        ["苹果"],
        ["果", "我"],
        ["龘"],
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I bought it.", ["▁I", "▁bought", "▁it", "."]),
        ("It’s Tom's.", ["▁It", "'s", "▁Tom", "'s", "."]),
        ("I don't!", ["▁I", "▁don't", "!"]),
        ("a well-known “fact”", ["▁a", "▁well-known", '▁"', "fact", '"']),
        ("  two\n spaces ", ["▁two", "▁spaces"]),
        ("'sleep", ["▁'", "sleep"]),
        ("", []),
    ],
)
def test_tokens(text, expected):
    assert tokens(text) == expected


def test_pieces_give_the_text_again():
    ranks = vocabulary().ranks
    assert target_pieces("I apples.", ranks) == ["▁I", "▁appl", "es", "."]
    for text in ("I'm well-known, isn't it?", 'He said: "No."', "naïve 3.5"):
        assert plain_text(target_pieces(text, ranks)) == text


def test_words_of_pieces():
    def shown(*pieces):
        return [plain_text(pieces[start:stop]) for start, stop in word_spans(pieces)]

    assert shown("▁I", "▁bou", "ght", "▁appl", "es", ".") == ["I", "bought", "apples", "."]
    assert shown("▁Tom", "'s", "▁do", "n't", "!") == ["Tom's", "don't", "!"]
    assert shown("▁", '"', "N", "o", '"') == ['"', "No", '"']
    assert shown("x", "▁y") == ["x", "y"]
    assert word_spans([]) == []
