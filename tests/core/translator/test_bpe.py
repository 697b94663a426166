"""Byte-pair encoding, on the example of the paper and on corners."""

from attention_core.translator.bpe import apply_merges, learn_merges, merged

# Sennrich et al. 2016, figure 1: "low" five times, "lower" twice, "newest" six times, "widest" three times.
PAPER = {"low·": 5, "lower·": 2, "newest·": 6, "widest·": 3}


def test_the_example_of_the_paper():
    merges = learn_merges(PAPER, 11 + 4)
    assert len({c for token in PAPER for c in token}) == 11
    assert sorted(merges[:3]) == [("e", "s"), ("es", "t"), ("est", "·")]  # nine times each; and then
    assert merges[3] == ("l", "o")
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    assert apply_merges("lowest·", ranks) == ["lo", "w", "est·"]  # a word that was never seen


def test_a_pair_met_once_is_not_merged():
    assert learn_merges({"ab": 1, "cd": 1}, 99) == []


def test_overlapping_pairs_are_merged_from_the_left():
    assert merged("aaaaa", ("a", "a")) == ["aa", "aa", "a"]
    assert learn_merges({"aaaa": 2}, 3) == [("a", "a"), ("aa", "aa")]


def test_the_earlier_merge_wins():
    assert apply_merges("abc", {("b", "c"): 0, ("a", "b"): 1}) == ["a", "bc"]
    assert apply_merges("x", {}) == ["x"]
