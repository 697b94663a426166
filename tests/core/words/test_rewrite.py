"""One word taken away, replaced or moved."""

from __future__ import annotations

import pytest

from attention_core.errors import InputError
from attention_core.words import format_words, parse_words
from attention_core.words.rewrite import moved, replaced, without


@pytest.mark.parametrize(
    ("done", "left"),
    [
        (lambda words: without(words, 1), "我/ AI/模型"),
        (lambda words: without(words, 0), "用/ AI/模型"),
        (lambda words: replaced(words, 1, " 写  了 "), "我/写/ 了/ AI/模型"),
        (lambda words: moved(words, 3, 0), "模型/我/ 用/AI"),
        (lambda words: moved(words, 0, 2), "用/AI/ 我/模型"),
        (lambda words: moved(words, 2, 2), "我/用/ AI/模型"),
    ],
)
def test_the_new_sentence(done, left):
    assert format_words(done(parse_words("我/用/ AI/模型"))) == left


def test_what_cannot_be_done():
    one = parse_words("我")
    with pytest.raises(InputError) as empty:
        without(one, 0)
    assert empty.value.key == "empty"
    with pytest.raises(InputError) as empty:
        replaced(one, 0, " \u200b ")
    assert empty.value.key == "empty"
    with pytest.raises(InputError) as long:
        replaced(parse_words("我/爱/你"), 1, "好" * 199)
    assert long.value.key == "too_many_characters"
    for wrong in (lambda: without(one, 1), lambda: replaced(one, -1, "你"), lambda: moved(one, 0, 1)):
        with pytest.raises(IndexError):
            wrong()
