"""The glossary: complete in both languages, in the field's vocabulary, and with every term that the pages explain."""

from __future__ import annotations

import ast
import itertools
import tomllib
from pathlib import Path

import pytest

from attention_app import text
from attention_app.text import LANGUAGES, glossary
from attention_app.ui.terms import explain

ROOT = Path(__file__).parents[2]
TERMS = tomllib.loads((Path(text.__file__).parent / "glossary.toml").read_text("utf-8"))
FIELDS = {"zh", "en", "zh_says", "en_says"}
# Terms that a page of this size cannot do without, whether or not a tooltip asks for them yet.
NEEDED = {
    "query",
    "key",
    "value",
    "attention",
    "attention_weight",
    "head",
    "layer",
    "special_token",
    "token",
    "piece",
    "softmax",
    "d_model",
    "d_head",
    "seed",
    "one_hot",
    "word_vector",
    "positional_encoding",
    "untrained",
    "trained",
    "mean_of_heads",
    "renormalise",
    "baseline",
    "treebank",
    "antecedent",
    "direction",
}


def explained(source: str) -> set[str]:
    """The terms that calls of explain() in this Python source write out."""
    terms = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == "explain":
            terms |= {argument.value for argument in node.args[1:] if isinstance(argument, ast.Constant)}
    return terms


def used() -> set[str]:
    paths = [*(ROOT / "attention_app").rglob("*.py"), *(ROOT / "pages").glob("*.py"), ROOT / "app.py"]
    return set().union(*(explained(path.read_text("utf-8")) for path in paths))


def test_every_term_has_a_name_and_an_explanation_in_both_languages():
    for key, term in TERMS.items():
        assert term.keys() == FIELDS, key
        assert all(entry.strip() == entry and entry for entry in term.values()), key
        assert term["zh_says"].endswith("。"), key
        assert term["en_says"].endswith("."), key


def test_the_terms_of_the_page_are_there():
    assert TERMS.keys() >= NEEDED


def test_every_term_that_is_explained_somewhere_is_there():
    assert {"head", "layer"} <= explained('a.explain(t, "head"); explain("zh", "layer", name)')
    assert used()
    assert used() <= TERMS.keys()


def test_every_term_is_explained_on_some_page():
    named = {"layer"}  # beside the control of its name: explain(t, name)
    assert used() | named == TERMS.keys()


def test_the_page_explains_its_terms_where_they_stand(open_app):
    app = open_app(source="toy")
    helps = {heading.value: heading.help for heading in app.subheader}
    for title, term in {
        "谁在看谁": "self_attention",
        "注意力权重": "attention_weight",
        "这个词在看谁": "softmax",
    }.items():
        assert explain("zh", term) in helps[title]
    assert explain("zh", "seed") == app.number_input(key="seed").help
    assert explain("zh", "one_hot") in app.radio(key="embedding").help
    assert explain("zh", "positional_encoding") == app.toggle(key="positions").help
    assert explain("zh", "least_weight") == app.select_slider(key="least").help
    assert explain("zh", "real_model") in app.button_group(key="source").help
    assert explain("zh", "renormalise") in open_app().toggle(key="special").help


def test_names_are_told_apart():
    for language in LANGUAGES:
        names = [term.name for term in glossary(language).values()]
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("key", TERMS)
def test_chinese_uses_the_fields_terms_and_full_width_punctuation(key):
    written = TERMS[key]["zh"] + TERMS[key]["zh_says"]
    for wrong in ("您", "标记", "令牌", "掩码", "编码机", "归一化层", "层归一化", "注意力机制力"):
        assert wrong not in written
    assert "归一化" not in written or key == "renormalise"  # for weights that sum to 1; layer norm is 规范化
    for left, mark in itertools.pairwise(written):
        assert not ("一" <= left <= "鿿" and mark in ",;:?!()")


@pytest.mark.parametrize("key", TERMS)
def test_english_is_english(key):
    assert not any("一" <= character <= "鿿" for character in TERMS[key]["en"] + TERMS[key]["en_says"])


@pytest.mark.parametrize("key", TERMS)
def test_an_explanation_is_short(key):
    assert len(TERMS[key]["zh_says"]) <= 90
    assert len(TERMS[key]["en_says"]) <= 220


@pytest.mark.parametrize("key", TERMS)
def test_nothing_is_lost_as_markdown(key):
    """A tag outside of backticks would vanish, a dollar sign would start a formula."""
    for entry in TERMS[key].values():
        plain = "".join(entry.split("`")[::2])
        assert not set("<>$*") & set(plain)


def test_a_tooltip_explains_its_terms_in_the_readers_language():
    assert explain("zh", "query") == "**查询（query）**：正在看的那个词：“我在找什么？”图里的一行。"
    assert explain("en", "query", "key").startswith("**query**: The word that looks")
    assert explain("en", "query", "key").count("\n\n**key**: ") == 1
    with pytest.raises(KeyError):
        explain("zh", "querry")
