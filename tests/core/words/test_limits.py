"""Limits are checked before any work."""

import sys

import pytest

from attention_core.errors import InputError
from attention_core.words import MAX_CHARACTERS, MAX_WORDS, Word, check_words, cut_at, parse_words, segment
from attention_core.words.segment import Segmenter


def forbid_work(monkeypatch):
    def reached(*_args, **_kwargs):
        raise AssertionError("work was done on a text over the limit")

    for module, name in [
        ("segment", "clean"),
        ("segment", "segmenter"),
        ("boundaries", "clean"),
        ("notation", "clean"),
    ]:
        monkeypatch.setattr(sys.modules[f"attention_core.words.{module}"], name, reached)


@pytest.mark.parametrize(
    "refuse",
    [segment, Segmenter().cut, lambda text: cut_at(text, ()), parse_words],
    ids=["segment", "Segmenter.cut", "cut_at", "parse_words"],
)
@pytest.mark.parametrize("sentence", ["好" * 201, "龘" * 100_000, "🇨" * 100_000, " " * 201, "\u0301" * 100_000])
def test_one_character_too_many(refuse, sentence, monkeypatch):
    forbid_work(monkeypatch)
    with pytest.raises(InputError) as error:
        refuse(sentence)
    assert error.value.key == "too_many_characters"
    assert error.value.values == {"limit": 200, "count": len(sentence)}


def test_exactly_as_many_as_fit():
    assert [word.text for word in segment("a" * MAX_CHARACTERS)] == ["a" * 200]
    assert [word.text for word in segment(" " * 199 + "a")] == ["a"]
    assert len(segment("a " * MAX_WORDS)) == 64
    assert len(cut_at("好" * 64, range(1, 64))) == 64
    assert len(parse_words("/".join("好" * 64))) == 64


def test_characters_are_counted_again_after_cleaning():
    """U+0958 is one code point as typed and two in NFC."""
    assert segment("\u0958" * 100)
    for refuse in (segment, parse_words, lambda text: cut_at(text, ())):
        with pytest.raises(InputError) as error:
            refuse("\u0958" * 101)
        assert error.value.values == {"limit": 200, "count": 202}


def test_separators_and_escapes_do_not_count():
    assert [word.text for word in parse_words("\\/" * 100 + "/" + "a" * 100)] == ["/" * 100, "a" * 100]


@pytest.mark.parametrize(
    "refuse",
    [lambda: segment("a " * 65), lambda: cut_at("好" * 65, range(1, 65)), lambda: parse_words("/".join("好" * 65)),
     lambda: check_words([Word("a")] * 65)],
    ids=["segment", "cut_at", "parse_words", "check_words"],
)  # fmt: skip
def test_one_word_too_many(refuse):
    with pytest.raises(InputError) as error:
        refuse()
    assert error.value.key == "too_many_words"
    assert error.value.values == {"limit": 64, "count": 65}
