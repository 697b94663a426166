"""The introduction and presenter mode, as a class and its teacher meet them."""

from __future__ import annotations

import re

import pytest

from tests.browser.helpers import eventually, link, open_at, rerun, said, settle, wait_ready


def test_a_first_visit_is_introduced_once(open_page):
    page = open_page(first_visit=True)
    open_at(page)
    dialog = page.locator("dialog")
    assert dialog.is_visible()
    assert "第 1 步，共 3 步" in dialog.inner_text()
    page.keyboard.press("Enter")  # the focus is on "next"
    assert "第 2 步，共 3 步" in dialog.inner_text()
    dialog.get_by_text("上一步").click()
    dialog.get_by_text("下一步").click()
    dialog.get_by_text("下一步").click()
    dialog.get_by_text("开始").click()
    assert not dialog.is_visible()
    open_at(page)
    assert page.locator("dialog").count() == 0


def test_the_introduction_can_be_skipped_and_comes_back_on_demand(open_page):
    for leave in ("click", "escape"):
        page = open_page(first_visit=True)
        open_at(page, "/?lang=en")
        if leave == "click":
            page.locator("dialog").get_by_text("Skip").click()
        else:
            page.keyboard.press("Escape")
        assert not page.locator("dialog").is_visible()
        with rerun(page):
            page.get_by_role("button", name="Introduction").click()
        assert page.locator("dialog").is_visible()
        assert "Step 1 of 3" in page.locator("dialog").inner_text()


def test_the_introduction_survives_a_rerun_below_it(open_page):
    page = open_page(first_visit=True)
    open_at(page)
    page.locator("dialog").get_by_text("下一步").click()
    with rerun(page):
        page.emulate_media(color_scheme="dark")
    assert "第 2 步，共 3 步" in page.locator("dialog").inner_text()


def test_presenting_by_keys_alone(page):
    open_at(page)
    with rerun(page):
        page.get_by_role("button", name="投影").click()
    assert page.locator(".st-key-text").count() == 0
    assert page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") >= 20
    with rerun(page):
        page.keyboard.press("ArrowRight")
    with rerun(page):
        page.keyboard.press("ArrowDown")
    assert link(page)["word"] == "6"
    assert (link(page)["layer"], link(page)["head"]) == ("7", "4")
    for _ in range(2):
        with rerun(page):
            page.keyboard.press("ArrowUp")
    with rerun(page):
        page.keyboard.press("ArrowLeft")
    assert (link(page)["layer"], link(page)["head"], link(page)["word"]) == ("7", "2", "5")
    assert link(page)["numbers"] == "off"
    guess = "第7层第2头里，猜一猜：买 最关注谁？"
    assert said(page) == guess
    with rerun(page):
        page.keyboard.press("Space")
    assert "numbers" not in link(page)
    assert said(page).startswith("第7层第2头里，买 ")
    with rerun(page):
        page.keyboard.press("Space")
    assert said(page) == guess
    with rerun(page):
        page.keyboard.press("Escape")
    assert "present" not in link(page)
    assert page.locator(".st-key-text input").input_value() == "我昨天去超市买了苹果。"


WORDS = ["我", "昨天", "去", "超市", "买", "了", "苹果", "。"]
WIDTHS = "all => [...new Set(all.map(e => `${e.getAttribute('stroke-width')} ${e.getAttribute('opacity')}`))]"
INK = """canvas => {
  const { width, height } = canvas;
  const ink = canvas.getContext("2d").getImageData(0, Math.round((height * 4.5) / 8), width, 1).data;
  return ink.filter((_, i) => i % 4 === 3).some((alpha) => alpha > 0);
}"""


@pytest.mark.parametrize("page_options", [{"viewport": {"width": 1920, "height": 1080}}])
def test_the_class_sees_the_answer_only_after_the_teacher_pressed_space(page):
    open_at(page, "/?present=on&numbers=off")
    page.wait_for_selector(".map canvas")
    card, preview = page.locator(".st-key-card-lines"), page.locator(".preview")

    assert said(page) == "第7层第3头里，猜一猜：买 最关注谁？"
    assert card.locator(".arc").count() == 10
    assert len(card.locator(".arc").evaluate_all(WIDTHS)) == 1
    assert card.locator(".bar, .value, .key").count() == 0
    assert page.locator("li .name").all_inner_texts() == ["<s>", *WORDS, "</s>"]
    assert page.locator("li .fill").evaluate_all("all => all.every(e => e.style.width === '0%')")
    assert card.get_by_role("option").nth(4).get_attribute("aria-label") == "买"
    assert "苹果" not in "".join(preview.locator("p").all_inner_texts())
    assert "苹果" not in page.locator(".map").nth(6 * 12 + 2).get_attribute("aria-label")
    assert not preview.locator("canvas").evaluate(INK)
    page.locator(".st-key-card-lines .word").nth(2).hover()  # nor that of another word
    assert len(card.locator(".arc").evaluate_all(WIDTHS)) == 1
    page.mouse.move(5, 5)

    with rerun(page):
        page.keyboard.press("Space")
    assert said(page).startswith("第7层第3头里，买 最关注 苹果（0.73）")
    assert len(card.locator(".arc").evaluate_all(WIDTHS)) > 3
    assert card.locator(".key text").all_text_contents() == ["苹果"]
    assert page.locator("li .name").first.inner_text() == "苹果"
    assert "买 → 苹果 0.73" in preview.inner_text()
    assert preview.locator("canvas").evaluate(INK)
    assert card.get_by_role("option").nth(4).get_attribute("aria-label").startswith("买：苹果 0.73")


@pytest.mark.parametrize("page_options", [{"viewport": {"width": 1920, "height": 1080}}])
def test_space_presses_the_button_that_has_the_focus(page):
    open_at(page, "/?present=on&numbers=off")
    page.get_by_role("button", name="退出投影").focus()
    with rerun(page):
        page.keyboard.press("Space")
    assert "present" not in link(page)


@pytest.mark.parametrize("page_options", [{"viewport": {"width": 1920, "height": 1080}}])
def test_what_was_clicked_does_not_keep_the_keys(page):
    open_at(page, "/?present=on&numbers=off")
    page.wait_for_selector(".map canvas")
    places = (
        page.locator(".st-key-direction").get_by_text("被谁看"),
        page.locator(".chip", has_text="苹果"),
        page.locator(".map").nth(5),
        page.locator(".st-key-card-lines .word").nth(2),
    )
    for place in places:
        with rerun(page):
            place.click()
        before = link(page)
        with rerun(page):
            page.keyboard.press("Space")
        assert "numbers" not in link(page)
        with rerun(page):
            page.keyboard.press("Space")
        assert link(page) == before


@pytest.mark.parametrize("page_options", [{"viewport": {"width": 1920, "height": 1080}}])
def test_a_presentation_fills_the_screen(page):
    open_at(page, "/?present=on")
    page.wait_for_selector(".map canvas")
    card, last = page.locator(".st-key-card-heads").bounding_box(), page.locator(".preview").bounding_box()
    maps = page.locator(".map").nth(11).bounding_box()
    assert maps["x"] + maps["width"] - card["x"] > 0.6 * card["width"]
    assert last["x"] - (maps["x"] + maps["width"]) < 0.05 * card["width"]
    bars = page.locator("ol.bars")
    assert bars.locator("li").count() == 10
    assert bars.evaluate("e => e.scrollHeight <= e.clientHeight")


@pytest.mark.parametrize("page_options", [{"viewport": {"width": 390, "height": 844}}])
def test_a_phones_first_screen_shows_the_picture(page):
    open_at(page)
    number = page.locator(".st-key-card-lines .value.strong").bounding_box()
    assert number["y"] + number["height"] < 844
    assert page.get_by_role("button", name="换一个例子").count() == 1  # an icon with its name
    assert page.get_by_role("button", name="显示选项").count() == 1


def test_streamlits_own_words_are_the_readers(page):
    open_at(page)
    english = re.compile("Help|Main menu|Expand|Increment|App pages")
    names = "[...document.querySelectorAll('[aria-label]')].map(e => e.getAttribute('aria-label'))"
    assert not [name for name in page.evaluate(names) if english.search(name)]
    assert page.get_by_role("button", name="层：说明").count() == 1
    page.mouse.move(640, 20)
    page.get_by_test_id("stMainMenuButton").click()
    menu = page.get_by_test_id("stMainMenuPopover")
    assert menu.inner_text().split() == ["contrast", "跟随系统", "light_mode", "浅色", "dark_mode", "深色", "打印"]
    page.keyboard.press("Escape")
    with rerun(page):
        page.locator(".st-key-lang").get_by_text("English").click()
    assert page.get_by_role("button", name="Main menu").count() == 1
    assert page.get_by_role("button", name="Help for Layer").count() == 1


def test_heads_go_round_through_all_layers(page):
    open_at(page, "/?layer=12&head=12&present=on")
    with rerun(page):
        page.keyboard.press("ArrowDown")
    assert (link(page)["layer"], link(page)["head"]) == ("1", "1")
    with rerun(page):
        page.keyboard.press("ArrowUp")
    assert (link(page)["layer"], link(page)["head"]) == ("12", "12")


def test_the_page_says_its_language(page):
    open_at(page)
    assert page.evaluate("document.documentElement.lang") == "zh-CN"
    with rerun(page):
        page.locator(".st-key-lang").get_by_text("English").click()
    assert page.evaluate("document.documentElement.lang") == "en"


@pytest.mark.parametrize("page_options", [{"viewport": {"width": 1366, "height": 768}}])
def test_a_small_projector_shows_what_the_lesson_is_about(page):
    open_at(page, "/?present=on&numbers=off")
    chips = [chip.bounding_box() for chip in page.locator(".chip").all()]
    assert len({chip["y"] for chip in chips}) == 1
    question = page.locator("p.said[aria-live]").bounding_box()
    assert question["y"] + question["height"] < 768

    page.goto("/steps?step=5&present=on")
    page.wait_for_selector(".st-key-steps-next")
    wait_ready(page)
    with rerun(page):
        page.keyboard.press("ArrowRight")
    card = page.locator('[class*="st-key-card-step-"]').first
    eventually(page, lambda: 0 < card.bounding_box()["y"] < 100)


def test_each_press_of_back_goes_back(page):
    open_at(page)
    with rerun(page):
        page.get_by_text("一步一步看").click()
    page.wait_for_selector(".st-key-steps-next")
    with rerun(page):
        page.keyboard.press("ArrowRight")
    assert link(page)["step"] == "2"
    with rerun(page):
        page.go_back()
    assert "/steps?" in page.url
    assert "step" not in link(page)
    with rerun(page):
        page.go_back()
    assert "/steps" not in page.url


def test_the_introduction_leaves_those_alone_who_came_for_a_picture(open_page):
    page = open_page(first_visit=True)
    open_at(page, "/?text=好")
    settle(page)
    assert page.locator("dialog").count() == 0


def test_an_unknown_address_is_explained_in_the_readers_language(page):
    page.goto("/nosuch")
    page.wait_for_selector("[role=dialog]")
    eventually(page, lambda: "没有这个页面" in page.locator("[role=dialog]").inner_text())


@pytest.mark.parametrize("page_options", [{"viewport": {"width": 390, "height": 844}}])
def test_a_phone_shows_all_layers_and_heads(page):
    open_at(page)
    for name in ("layer", "head"):
        for button in page.locator(f".st-key-{name} [role=radio]").all():
            box = button.bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 390


def test_a_long_list_is_folded_until_it_is_asked_for(page):
    open_at(page, "/?text=" + "的我" * 12)
    bars, rest = page.locator("ol.bars li:visible"), page.locator("button.rest")
    assert bars.count() == 10
    assert rest.get_attribute("aria-expanded") == "false"
    rest.press("Enter")
    assert bars.count() > 10
    assert rest.get_attribute("aria-expanded") == "true"
