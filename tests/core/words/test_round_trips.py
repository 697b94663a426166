"""What holds for any text, tried on seeded random ones."""

import random

import pytest

from attention_core.errors import InputError
from attention_core.words import boundaries, clean, cut_at, format_words, graphemes, join_words, parse_words, segment

ALPHABET = [
    *"我你他的了在着过不很一二三两个只本书们花人看喝茶買蘋著𠮷㐂⼈〇々abcXYZ019ＡＢ９éñЖかカーกי",
    *",.-+#'’%/\\:@_<>[]()\"“”！？!?…—，。、·&=~^|©™²①Ⅳ�",
    *" \t\n\u3000\u00a0\u2028\x1c\x85\u2800",
    *"\x00\x07\u200b\u200d\u200e\u202e\ufeff\ufe0f\u20e3\u00ad\u034f\u3164\ufffe\ud83d\ude00\udfff",
    *"e\u0301\u0300\u0e33\u0939\u093f\u0958\u1100\u1161\u11a8",
    *"🇨🇳🇬🏴👍🏽👩\U000e0067",
    "👨‍👩‍👧",
    "👍🏽",
]


def random_texts(count):
    rng = random.Random(2017)
    return ["".join(rng.choice(ALPHABET) for _ in range(rng.randint(1, 30))) for _ in range(count)]


TEXTS = random_texts(3000)


def test_cleaning_twice_is_cleaning_once():
    for text in TEXTS:
        assert clean(clean(text)) == clean(text), ascii(text)


def test_graphemes_lose_nothing():
    for text in TEXTS:
        assert "".join(graphemes(text)) == text, ascii(text)


def test_words_boundaries_and_notation():
    cut = 0
    for text in TEXTS:
        if not clean(text):
            continue
        words = segment(text)
        cut += 1
        assert join_words(words) == clean(text), ascii(text)
        assert all(word.text and not any(char.isspace() for char in word.text) for word in words), ascii(text)
        assert cut_at(text, boundaries(words)) == words, ascii(text)
        assert parse_words(format_words(words)) == words, ascii(text)
    assert cut > 2500


def test_any_boundaries():
    rng = random.Random(3)
    for text in TEXTS:
        if not clean(text):
            continue
        everywhere = boundaries(cut_at(text, range(1, sum(len(graphemes(chunk)) for chunk in clean(text).split()))))
        some = [position for position in everywhere if rng.random() < 0.4]
        words = cut_at(text, some)
        assert set(some) <= set(boundaries(words)), ascii(text)
        assert join_words(words) == clean(text), ascii(text)
        assert cut_at(text, boundaries(words)) == words, ascii(text)
        assert parse_words(format_words(words)) == words, ascii(text)


def test_any_text_as_notation():
    parsed = 0
    for text in TEXTS:
        try:
            words = parse_words(text)
        except InputError:  # a word without a visible character
            continue
        parsed += 1
        assert parse_words(format_words(words)) == words, ascii(text)
        assert cut_at(join_words(words), boundaries(words)) == words, ascii(text)
    assert parsed > 2000


@pytest.mark.parametrize("copies", [1, 2000])
def test_cleaning_does_not_depend_on_length(copies):
    """A long text of the worst characters is cleaned piece by piece like a short one."""
    piece = "a\u0315\u0300🇨🇳\u200b👍🏽龘Ａ"
    assert clean(piece * copies) == clean(piece) * copies
