"""What a teacher expects: every sentence of the two tables is cut as written there."""

import json
from pathlib import Path

import pytest

from attention_core.words import load_examples, segment

DATA = Path(__file__).parents[2] / "data"


def rows(name):
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()[1:]
    return [(json.loads(sentence), words) for sentence, words in (line.split("\t") for line in lines)]


GOLDEN = rows("segmentation.tsv")
TEACHING = rows("segmentation_teaching.tsv")


def test_the_tables_are_complete():
    assert len(GOLDEN) == 62
    assert len(TEACHING) > 40
    chinese = {example.sentence for example in load_examples() if example.language == "zh"}
    assert chinese <= {sentence for sentence, _ in GOLDEN}


@pytest.mark.parametrize(("sentence", "words"), GOLDEN + TEACHING)
def test_words(sentence, words):
    assert "/".join(word.text for word in segment(sentence)) == words
