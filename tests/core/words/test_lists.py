"""The committed lists: each entry does something, the rules it belongs to are general."""

import pytest

from attention_core.words.counting import _PAIR, split_counted
from attention_core.words.dictionary import load_tokenizer, read_list
from attention_core.words.regroup import regroup
from attention_core.words.simplified import simplified


@pytest.mark.parametrize("name", ["extra_words.txt", "fixed_words.txt", "split_words.txt"])
def test_no_entry_twice(name):
    entries = read_list(name)
    assert len(entries) == len(set(entries)) > 10


def test_every_fixed_word_is_a_pair_that_would_be_cut():
    assert [word for word in read_list("fixed_words.txt") if not _PAIR.fullmatch(word)] == []


def test_every_split_has_parts():
    assert [entry for entry in read_list("split_words.txt") if not all(entry.split("/")) or "/" not in entry] == []


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        *[("一只", "一/只"), ("三本", "三/本"), ("这部", "这/部"), ("十五个", "十五/个"), ("五分钟", "五/分钟")],
        *[("一个", "一个"), ("每天", "每天"), ("八点", "八点"), ("三月", "三月"), ("一样", "一样"), ("本书", "本书")],
    ],
)
def test_numeral_and_measure_word(word, parts):
    assert "/".join(split_counted(word)) == parts


def test_regroup():
    assert regroup(["看着", "老师", "们", "和", "一只", "猫"]) == ["看", "着", "老师们", "和", "一", "只", "猫"]
    assert regroup(["们"]) == ["们"]


def test_simplified_copy_keeps_the_length():
    assert simplified("我買蘋果，看著⼈們") == "我买苹果，看着人们"
    assert simplified("乾淨的乾坤") == "干净的乾坤"
    for text in ("買" * 200, "⺠⼀⻣", "𠮷㐂", "Ω가"):
        assert len(simplified(text)) == len(text)


def test_the_dictionary_keeps_its_own_frequencies():
    """看/着 is in the list of splits and in the dictionary: how likely 看着 is stays the dictionary's matter."""
    frequencies = load_tokenizer().FREQ
    assert frequencies["看着"] == 6766
    assert frequencies["小明"] == 1000
