from dataclasses import astuple

from attention_core.words import MAX_WORDS, load_examples, segment


def test_examples():
    examples = load_examples()
    assert examples is load_examples()
    assert [example.language for example in examples] == ["zh"] * 40 + ["en"] * 8
    assert examples[0].sentence == "我昨天去超市买了苹果。"
    ids = [example.id for example in examples]
    assert len(set(ids)) == 48
    assert all(id.isascii() and id.replace("-", "").isalpha() and id.islower() for id in ids)


def test_columns_are_in_their_language():
    for example in load_examples():
        assert (example.gloss_zh == "") == (example.language == "zh"), example.id
        assert (example.gloss_en == "") == (example.language == "en"), example.id
        assert example.question_en.isascii() or example.question_en[0].isascii(), example.id
        assert any("\u4e00" <= char <= "\u9fff" for char in example.phenomenon_zh), example.id
        assert any("\u4e00" <= char <= "\u9fff" for char in example.question_zh), example.id
        assert all(part == part.strip() and " / " not in part for part in astuple(example) if part != example.gloss_en)


def test_every_example_fits():
    for example in load_examples():
        assert 3 <= len(segment(example.sentence)) <= MAX_WORDS
