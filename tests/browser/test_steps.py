"""The page 一步一步 in a real browser."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from tests.browser.helpers import rerun, wait_ready, witness_of

MATRIX = "table.numbers"


def open_at(page, path="/steps"):
    page.goto(path)
    page.wait_for_selector(MATRIX)
    wait_ready(page)


def link(page):
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def title(page):
    return page.locator("[class*=st-key-card-step-] h3").first.inner_text()


def matrix(page, key):
    return page.locator(f".st-key-steps-{key}")


def place(page, key):
    return matrix(page, key).locator(".place").inner_text()


def cell(page, key, row, column):
    """A cell of the result, by its numbers from 0."""
    return matrix(page, key).locator(MATRIX).last.locator(f'td[data-at="{row},{column}"]')


def test_a_link_opens_the_page_on_a_server_nobody_has_opened(fresh_server, open_page):
    page = open_page(fresh_server)
    open_at(page, "/steps?step=6")
    assert title(page).startswith("6 · softmax")
    assert place(page, "weights").startswith("attn_weights[买, 苹果] = 0.73")


def test_arrow_keys_turn_the_steps_and_stop_at_the_ends(page):
    open_at(page)
    assert title(page).startswith("1 · ")
    for step in (2, 3):
        with rerun(page):
            page.keyboard.press("ArrowRight")
        assert title(page).startswith(f"{step} · ")
    assert link(page)["step"] == "3"
    with rerun(page):
        page.keyboard.press("ArrowLeft")
    assert title(page).startswith("2 · ")
    open_at(page, "/steps?step=7")
    with rerun(page):
        page.keyboard.press("ArrowRight")
    assert title(page).startswith("7 · ")


def test_arrow_keys_inside_a_matrix_walk_there_and_turn_nothing(page):
    open_at(page, "/steps?step=3")
    cell(page, "scores", 5, 7).focus()
    asked = witness_of(page).asked
    page.keyboard.press("ArrowLeft")
    assert place(page, "scores").startswith("scores[买, 了] = 40.41")
    assert title(page).startswith("3 · ")
    assert witness_of(page).asked == asked  # walking asks the server for nothing


def test_a_clicked_cell_goes_along_to_the_weights_and_takes_its_word(page):
    open_at(page, "/steps?step=3")
    with rerun(page):
        cell(page, "scores", 3, 4).click()
    assert (link(page)["cell"], link(page)["word"]) == ("4-5", "3")
    assert page.locator(".chip[aria-checked=true]").inner_text() == "去"
    for _ in range(3):
        with rerun(page):
            page.locator(".st-key-steps-next button").click()
    assert place(page, "weights").startswith("attn_weights[去, 超市] = 0.61")
    page.reload()
    page.wait_for_selector(MATRIX)
    wait_ready(page)
    assert place(page, "weights").startswith("attn_weights[去, 超市] = 0.61")


def test_cells_are_masked_by_clicking_until_one_is_left(page):
    open_at(page, "/steps?step=5&source=toy&mask=hand&text=我爱你&word=1")
    for column in (0, 1):
        with rerun(page):
            cell(page, "masked", 0, column).click()
    assert link(page)["hidden"] == "1-1.1-2"
    with rerun(page):
        cell(page, "masked", 0, 2).click()
    assert "不能全部掩蔽" in page.locator("[data-testid=stAlert]").inner_text()
    assert link(page)["hidden"] == "1-1.1-2"
    with rerun(page):
        cell(page, "masked", 0, 1).click()
    assert link(page)["hidden"] == "1-1"


def test_a_number_of_the_toy_is_changed_and_put_back(page):
    open_at(page, "/steps?step=1&source=toy&word=5")
    x = cell(page, "x-edit", 4, 1)
    before = x.inner_text()
    x.dblclick()
    page.keyboard.type("2.5")
    with rerun(page):
        page.keyboard.press("Enter")
    assert cell(page, "x-edit", 4, 1).inner_text() == "2.50"
    assert link(page)["edits"]
    page.reload()
    page.wait_for_selector(MATRIX)
    wait_ready(page)
    assert cell(page, "x-edit", 4, 1).inner_text() == "2.50"
    with rerun(page):
        page.locator(".st-key-steps-restore button").click()
    assert cell(page, "x-edit", 4, 1).inner_text() == before
    assert "edits" not in link(page)


def test_switches_change_the_numbers_and_are_undone(page):
    open_at(page, "/steps?step=4")
    with rerun(page):
        page.locator(".st-key-scaled label").click()
    assert place(page, "scaled").startswith("scaled_scores[买, 苹果] = 61.10")
    with rerun(page):
        page.locator(".st-key-steps-restore button").click()
    assert place(page, "scaled").startswith("scaled_scores[买, 苹果] = 10.80")
    assert "scaled" not in link(page)


def test_sentence_word_and_head_come_from_the_explore_page_and_go_back(page):
    page.goto("/?text=他跑得很快。&layer=3&head=2&word=4")
    page.wait_for_selector(".chip")
    wait_ready(page)
    page.get_by_text("计算", exact=True).click()
    with rerun(page):
        page.get_by_text("一步一步", exact=True).click()
    page.wait_for_selector(MATRIX)
    assert page.locator(".chip[aria-checked=true]").inner_text() == "很"
    assert {"layer": "3", "head": "2", "word": "4", "text": "他跑得很快。"}.items() <= link(page).items()
    with rerun(page):
        page.get_by_text("换一句话", exact=True).click()
    assert link(page)["text"] == "他跑得很快。"
    assert page.locator(".st-key-text input").input_value() == "他跑得很快。"


@pytest.mark.parametrize("page_options", [{"viewport": {"width": 390, "height": 844}}])
@pytest.mark.parametrize("source", ["real", "toy"])
def test_a_phone_scrolls_no_step_sideways(page, source):
    open_at(page, f"/steps?step=0&source={source}")
    over = "e => e.scrollWidth - e.clientWidth"
    assert page.locator("[data-testid=stMain]").evaluate(over) == 0
    cards = page.locator("[class*=st-key-card-step-]")
    assert cards.count() == (8 if source == "real" else 7)
    for card in cards.all():
        assert card.evaluate(over) <= 0


def test_presenting_reveals_with_the_space_bar(page):
    open_at(page, "/steps?step=6&present=on&numbers=off")
    assert "0.73" not in matrix(page, "weights").inner_text()
    page.locator("h1").click()
    with rerun(page):
        page.keyboard.press(" ")
    assert place(page, "weights").startswith("attn_weights[买, 苹果] = 0.73")
    with rerun(page):
        page.keyboard.press("ArrowDown")
    assert page.locator(".chip[aria-checked=true]").inner_text() == "了"
    with rerun(page):
        page.keyboard.press("Escape")
    assert "present" not in link(page)


LONG_WORDS = "/steps?step=6&lang=en&text=unbelievable Transformers for everyone"


@pytest.mark.parametrize("width", [390, 1440])
def test_long_names_end_in_an_ellipsis_and_none_loses_its_beginning(open_page, width):
    page = open_page(viewport={"width": width, "height": 900})
    open_at(page, LONG_WORDS)
    names = page.locator(".st-key-steps-weights :is(.row-name, .group-name, .column-name)")
    cut = names.evaluate_all(
        """names => names.filter((name) => {
          const text = document.createRange();
          text.selectNodeContents(name);
          const [box, line] = [name.getBoundingClientRect(), text.getBoundingClientRect()];
          const shortened = getComputedStyle(name).textOverflow === "ellipsis" && name.closest("[title]");
          return line.width && (line.left < box.left - 1 || (line.right > box.right + 1 && !shortened));
        }).map((name) => name.textContent)"""
    )
    assert names.count() > 11
    assert cut == []


def test_orange_stands_for_the_chosen_word_alone(page):
    """买 is chosen; the rows of the two lower tables are what is looked at, or no words."""
    orange = (
        "root => { const query = getComputedStyle(root).getPropertyValue('--query').trim();"
        " const made = document.createElement('i'); made.style.color = query; root.append(made);"
        " const is = getComputedStyle(made).color; made.remove();"
        " return [...root.querySelectorAll('.row-label.lit')].filter(it => getComputedStyle(it).color === is)"
        ".map(it => it.textContent); }"
    )
    open_at(page, "/steps?step=0&word=5&layer=2")
    found = {
        key: matrix(page, key).locator(".root").first.evaluate(orange)
        for key in ("x", "scaled", "compare", "weights", "chain", "words", "z", "parts")
    }
    for key in ("x", "scaled", "weights", "words", "z"):
        assert set(found[key]) == {"买"}, key
    assert found["compare"] == found["chain"] == found["parts"] == []
