"""Odd input: each kind has a decided answer."""

import pytest

from attention_core.errors import InputError
from attention_core.words import Word, clean, format_words, graphemes, segment

ENGLAND = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"  # a flag spelt in tag characters

# (typed, words in the notation of words/notation.py)
ODD = [
    # lone surrogates become U+FFFD, a pair in two halves becomes its character
    ("我\ud83d爱", "我/�/爱"),
    ("我\ud83d\ude00", "我/😀"),
    # invisible characters are dropped
    ("我\u200d喜\u200b欢你\ufeff", "我/喜欢/你"),
    ("\u202e我喜欢\u202c你\x00\x07\x1b", "我/喜欢/你"),
    ("苹\u00ad果\u2060\ue0001", "苹果/\ue000/1"),
    ("葛\U000e0100飾", "葛/飾"),
    # emoji, flags, skin tones and keycaps stay whole, and each is one word
    ("👨‍👩‍👧喜欢🇨🇳👍🏽", "👨‍👩‍👧/喜欢/🇨🇳/👍🏽"),
    ("🇨🇳🇬🇧🇯", "🇨🇳/🇬🇧/🇯"),
    ("❤️1️⃣", "❤️/1️⃣"),
    ("👨\u200d我", "👨/我"),
    (ENGLAND + "赢了", ENGLAND + "/赢/了"),
    # white space of any kind cuts, is remembered, and is no word
    ("  我 \t喜欢\u3000你\u00a0们\n好\u2028吗\x1c ", "我/ 喜欢/ 你/ 们/ 好/ 吗"),
    # full-width digits and letters become narrow, Chinese punctuation stays
    ("１２３个ＡＢＣ，ｘ！", "123/个/ABC/，/x/！"),
    # a run of the same mark is one word, mixed marks are not, brackets stay single
    ("真的吗？？！！……——", "真的/吗/？？！！/……/——"),
    ("《《书》》（（a））", "《/《/书/》/》/（/（/a/）/）"),
    ("好。。。“”''", "好/。。。/“/”/'/'"),
    # traditional characters are cut like simplified ones and stay as typed
    ("我昨天去超市買了蘋果", "我/昨天/去/超市/買/了/蘋果"),
    ("他們說：裡面有一隻貓，頭髮很長。", "他們/說/：/裡面/有/一/隻/貓/，/頭髮/很/長/。"),
    ("我看著你，看了這本著名的書", "我/看/著/你/，/看/了/這/本/著名/的/書"),
    ("我跟著你走，他的著作", "我/跟著/你/走/，/他/的/著作"),
    # rare Han characters stand alone; Kangxi radicals are looked up as what they look like
    ("𠮷野家", "𠮷/野/家"),
    ("㐂龘靐", "㐂/龘/靐"),
    ("⼈⼯智能", "⼈⼯智能"),
    # other scripts
    ("café 很好喝", "café/ 很/好喝"),
    ("cafe\u0301很好喝", "café/很/好喝"),
    ("Привет，мир", "Привет/，/мир"),
    ("これはペンです", "これは/ペン/です"),
    ("안녕 세상", "안녕/ 세상"),
    # addresses
    ("看https://example.com/a?b=1，很好", "看/https:\\/\\/example.com\\/a?b=1/，/很/好"),
    ("见 www.example.com.", "见/ www.example.com/."),
    ("写信到li.hua@example.com", "写/信/到/li.hua@example.com"),
    # markup and model tokens are text
    ("<b>重点</b><br/>", "<b>/重点/<\\/b>/<br\\/>"),
    ("[SEP]<s>[CLS]<|end|>", "[SEP]/<s>/[CLS]/<|end|>"),
    ("a<b<c", "a/</b/</c"),
    ("a&b", "a/&/b"),
    ('"我"和\'你\'', "\"/我/\"/和/'/你/'"),
    # numbers
    ("-5℃到+3.5%", "-5/℃/到/+3.5%"),
    ("5-3 5+3 10:30 3/4", "5-3/ 5/+/3/ 10:30/ 3\\/4"),
    ("2024-05-01和1,234.56和1,2", "2024-05-01/和/1,234.56/和/1/,/2"),
    # Latin words
    ("C++17 C# A+ U.S. app.py x_1", "C++17/ C#/ A+/ U.S./ app.py/ x_1"),
    ("Yes.No", "Yes/./No"),
    ("3D打印和5G", "3D/打印/和/5G"),
    # dictionary words of two scripts
    ("T恤XT恤卡拉OK歌", "T恤/XT/恤/卡拉OK/歌"),
    ("唱卡拉OK，不OK", "唱/卡拉OK/，/不/OK"),
    # a mark on a Han character does not fall off
    ("喝\u0301茶", "喝\u0301/茶"),
    # repeated words are as many words
    ("我喜欢我的猫，猫也喜欢我", "我/喜欢/我/的/猫/，/猫/也/喜欢/我"),
]  # fmt: skip


@pytest.mark.parametrize(("typed", "words"), ODD)
def test_decided_answer(typed, words):
    assert format_words(segment(typed)) == words


@pytest.mark.parametrize(
    "typed", ["", " \t\n\u3000", "\u200b\ufeff\u202e", "\x00", "\ufe0f", "\u3164", "\u2800", "\u200d \u200d"]
)
def test_nothing_visible(typed):
    assert clean(typed) == ""
    with pytest.raises(InputError, match="nothing to look at") as error:
        segment(typed)
    assert error.value.key == "empty"


def test_cleaned_text_can_be_saved():
    assert clean("a\udfffb").encode("utf-8") == "a�b".encode()


def test_words_remember_white_space():
    assert segment(" 你好  世界") == (Word("你好"), Word("世界", space_before=True))


def test_graphemes():
    text = "e\u0301👨‍👩‍👧🇨🇳🇬🇧🇯👍🏽1️⃣각\u1100\u1161"
    assert graphemes(text) == ["e\u0301", "👨‍👩‍👧", "🇨🇳", "🇬🇧", "🇯", "👍🏽", "1️⃣", "각", "\u1100\u1161"]


def test_marks_are_bounded():
    """Unicode's stream-safe limit: 30 marks on one letter."""
    assert len(clean("x" + "\u0335" * 100)) == 31
