"""The interface's words: complete and alike in both languages, and in the field's vocabulary."""

from __future__ import annotations

import itertools
from pathlib import Path
from string import Formatter

import pytest

from attention_app import text
from attention_app.text import LANGUAGES, load
from attention_core.errors import MESSAGES

PAGES = sorted(path.name.split(".")[0] for path in Path(text.__file__).parent.glob("*.zh.toml"))


def fields(template: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(template) if field}


def test_there_are_texts():
    assert {"common", "explore"} <= set(PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_both_languages_say_the_same_things_with_the_same_numbers(page):
    zh, en = load(page, "zh").entries, load(page, "en").entries
    assert zh.keys() == en.keys()
    assert {key: fields(zh[key]) for key in zh} == {key: fields(en[key]) for key in en}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", sorted(MESSAGES.keys() - {"out_of_range", "only_value", "unknown_choice"}))
def test_every_error_a_typed_sentence_can_cause_has_its_text(language, key):
    assert fields(load("common", language).entries[f"error.{key}"]) == fields(MESSAGES[key])


@pytest.mark.parametrize("page", PAGES)
def test_chinese_uses_the_fields_terms_and_full_width_punctuation(page):
    for key, entry in load(page, "zh").entries.items():
        for wrong in ("您", "标记", "令牌", "归一化", "掩码", "编码机"):
            assert wrong not in entry, (key, wrong)
        plain = "".join(literal for literal, *_ in Formatter().parse(entry))
        for left, mark in itertools.pairwise(plain):
            assert not ("一" <= left <= "鿿" and mark in ",;:?!()"), (key, entry)


@pytest.mark.parametrize("page", PAGES)
def test_english_holds_no_chinese_but_the_example_sentence(page):
    for key, entry in load(page, "en").entries.items():
        if key != "explore.placeholder":
            assert not any("一" <= character <= "鿿" for character in entry), key


def test_parts_keep_the_values_apart_from_the_prose():
    parts = load("explore", "zh").parts("explore.say.only_plain", query="{key}", key="<b>", value="1.00")
    assert [(part.text, part.name) for part in parts if part.name] == [
        ("{key}", "query"),
        ("<b>", "key"),
        ("1.00", "value"),
    ]


def test_a_missing_value_is_an_error_and_not_a_gap():
    with pytest.raises(KeyError):
        load("explore", "zh")("explore.say.only_plain", query="买", key="买")
