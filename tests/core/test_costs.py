"""Table 1 of the 2017 paper with numbers put in."""

import pytest

from attention_core.costs import layer_costs


def by_name(n, d, k, r):
    return {cost.name: (cost.operations, cost.sequential, cost.path) for cost in layer_costs(n, d, k, r)}


def test_the_four_rows_by_hand():
    assert by_name(n=10, d=7, k=3, r=4) == {
        "attention": (700, 1, 1),
        "recurrent": (490, 10, 10),
        "convolution": (1470, 1, 3),  # 3, 9, 27 words
        "restricted": (280, 1, 3),
    }


@pytest.mark.parametrize(("n", "k", "steps"), [(1, 3, 1), (3, 3, 1), (4, 3, 2), (9, 3, 2), (10, 3, 3), (8, 2, 3)])
def test_layers_of_convolution_until_all_words_are_covered(n, k, steps):
    assert by_name(n, 5, k, 2)["convolution"][2] == steps


def test_a_neighbourhood_wider_than_the_sentence_is_the_sentence():
    assert by_name(n=6, d=4, k=3, r=50)["restricted"] == by_name(n=6, d=4, k=3, r=50)["attention"]


@pytest.mark.parametrize(("n", "d", "less"), [(6, 7, "attention"), (7, 6, "recurrent")])
def test_attention_is_cheaper_while_the_sentence_is_shorter_than_the_words_are_wide(n, d, less):
    costs = by_name(n, d, 3, 2)
    assert min(("attention", "recurrent"), key=lambda name: costs[name][0]) == less


@pytest.mark.parametrize("wrong", [(0, 4, 3, 2), (6, 0, 3, 2), (6, 4, 1, 2), (6, 4, 3, 0)])
def test_numbers_that_make_no_sense_are_refused(wrong):
    with pytest.raises(ValueError, match="at least"):
        layer_costs(*wrong)
