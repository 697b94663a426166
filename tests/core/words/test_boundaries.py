import pytest

from attention_core.errors import InputError
from attention_core.words import Word, boundaries, cut_at, segment


def texts(words):
    return [word.text for word in words]


def test_positions_count_graphemes_without_white_space():
    words = segment("👨‍👩‍👧 喜欢café。")
    assert texts(words) == ["👨‍👩‍👧", "喜欢", "café", "。"]
    assert boundaries(words) == (1, 3, 7)


def test_a_person_cuts_differently():
    assert texts(cut_at("他从小学习钢琴。", [1, 2, 4, 5, 7])) == ["他", "从", "小学", "习", "钢琴", "。"]
    assert cut_at("我爱你", []) == (Word("我爱你"),)
    assert cut_at("我爱你", [2, 1, 2]) == (Word("我"), Word("爱"), Word("你"))


def test_white_space_always_cuts():
    assert cut_at(" 我 爱你", []) == (Word("我"), Word("爱你", space_before=True))
    assert cut_at("我 爱你", [1]) == cut_at("我 爱你", [])


def test_no_cut_inside_a_grapheme():
    assert texts(cut_at("🇨🇳👍🏽e\u0301", [1, 2])) == ["🇨🇳", "👍🏽", "é"]


def test_a_mark_after_a_space_is_a_character_of_its_own():
    words = cut_at("a \u0301b", [2])
    assert texts(words) == ["a", "\u0301", "b"]
    assert cut_at("a \u0301b", boundaries(words)) == words


@pytest.mark.parametrize("position", [0, 3, 4, -1])
def test_out_of_range(position):
    with pytest.raises(InputError) as error:
        cut_at("我 爱你", [1, position])
    assert error.value.key == "bad_boundary"
    assert error.value.values == {"position": position}


def test_empty():
    with pytest.raises(InputError) as error:
        cut_at("\u200b ", [])
    assert error.value.key == "empty"
    assert boundaries(()) == ()
