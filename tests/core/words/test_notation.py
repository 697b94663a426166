import pytest

from attention_core.errors import InputError
from attention_core.words import Word, format_words, parse_words


def test_written_form():
    words = (Word("a/b"), Word("\\", space_before=True), Word("我"), Word("\\/"))
    assert format_words(words) == "a\\/b/ \\\\/我/\\\\\\/"
    assert parse_words(format_words(words)) == words
    assert parse_words("我/昨天/ 去") == (Word("我"), Word("昨天"), Word("去", space_before=True))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Ａ/苹\u200b果/e\u0301", (Word("A"), Word("苹果"), Word("é"))),  # cleaned like a sentence
        (" 我 /爱\t你", (Word("我"), Word("爱", True), Word("你", True))),  # white space cuts and is remembered
        ("🇨/🇳/e/\u0301", (Word("🇨🇳"), Word("é"))),  # a slash inside a grapheme does not cut
        ("a\\b\\", (Word("a\\b\\"),)),  # a backslash that escapes nothing is itself
        ("a/\u200b b", (Word("a"), Word("b", True))),
    ],
)
def test_lenient_reading(text, words):
    assert parse_words(text) == words
    assert parse_words(format_words(words)) == words


@pytest.mark.parametrize(
    ("text", "position"), [("/", 1), ("我//去", 2), ("我/ /去", 2), ("我/\u200b/去", 2), ("我/去/", 3), ("/我", 1)]
)
def test_a_word_without_a_visible_character(text, position):
    with pytest.raises(InputError) as error:
        parse_words(text)
    assert (error.value.key, error.value.values) == ("empty_word", {"position": position})


@pytest.mark.parametrize("text", ["", "  ", "\u200b"])
def test_no_word_at_all(text):
    with pytest.raises(InputError) as error:
        parse_words(text)
    assert error.value.key == "empty"
