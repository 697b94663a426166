"""Transformer 结构 in a real browser: the drawing opened, played and walked through, on a phone and in the dark."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import eventually, link, rerun, wait_ready, witness_of

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "color_scheme": "dark"}
LONG = "那个昨天在公园里帮我找到钥匙的男孩是你同学，他买了一条鱼、两件衣服和三双鞋，如果明天不下雨就和妈妈去爬山。"

FAULTS = """() => {
  const deep = (node) =>
    [...node.querySelectorAll("*")].flatMap((it) => [it, ...(it.shadowRoot ? deep(it.shadowRoot) : [])]);
  const main = document.querySelector("[data-testid=stMain]");
  const found = main.scrollWidth > main.clientWidth ? ["page too wide"] : [];
  const boxes = [];
  for (const it of deep(main)) {
    if (!it.closest(".drawing, .plot, .names")) continue;
    const said = `${it.className.baseVal ?? it.className} ${it.textContent}`;
    if (it.matches(".end span") && it.offsetHeight > it.parentNode.clientHeight + 1) found.push(`spills: ${said}`);
    if (it.matches(".box, .end")) {
      const high = it.matches(".box") && it.scrollHeight > it.clientHeight + 1;
      if (high || it.scrollWidth > it.clientWidth + 1) found.push(`cut: ${said}`);
      boxes.push([it.getBoundingClientRect(), said]);
    }
    const speaks = [...it.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (speaks && parseFloat(getComputedStyle(it).fontSize) < 12.5) found.push(`small: ${said}`);
  }
  const beside = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1;
  const stacked = (a, b) => a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
  boxes.forEach(([a, one], i) => {
    for (const [b, two] of boxes.slice(i + 1)) if (!beside(a, b) && !stacked(a, b)) found.push(`${one} over ${two}`);
  });
  return found;
}"""


def open_at(page, query=""):
    page.goto(f"/structure?{query}")
    page.wait_for_selector(".box")
    wait_ready(page)


def box(page, name):
    return page.locator(f".box[data-name={name}]")


def step(page):
    return page.locator(".step .count").inner_text()


def test_a_deep_link_on_a_fresh_server_and_the_way_through_the_drawing(fresh_server, open_page):
    page = open_page(fresh_server)
    open_at(page, "box=cross&lang=en")
    assert page.locator("h1").inner_text() == "The Transformer"
    expect(box(page, "cross")).to_have_attribute("aria-pressed", "true")
    assert page.locator(".box").count() == 18
    assert page.evaluate(FAULTS) == []
    with rerun(page):  # by mouse
        box(page, "ffn").click()
    assert link(page)["box"] == "ffn"
    expect(page.get_by_role("heading", name="Feed-forward")).to_be_visible()
    with rerun(page):  # by keyboard: up to the next box, and in
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
    assert link(page)["box"] == "norm_ffn"
    expect(box(page, "norm_ffn")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(box(page, "norm_cross")).to_be_focused()
    page.go_back()
    expect(box(page, "norm_ffn")).to_have_attribute("aria-pressed", "true")


def test_playing_asks_the_server_nothing_until_a_box_is_opened(page):
    open_at(page)
    asked = witness_of(page).asked
    assert step(page) == "3/18"
    page.get_by_role("button", name="从头开始").click()
    assert step(page) == "1/18"
    page.get_by_role("button", name="下一步").click()
    assert step(page) == "2/18"
    assert page.locator(".box.now").get_attribute("data-name") == "positions"
    page.get_by_role("button", name="播放数据的走向").click()
    eventually(page, lambda: step(page) == "3/18")
    page.get_by_role("button", name="暂停").click()
    assert page.locator(".flows").get_attribute("data-name") == "attention"
    assert page.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches")
    assert page.locator(".flows path").first.evaluate("it => getComputedStyle(it).animationName") == "none"
    page.get_by_role("button", name="下一步").click()
    assert witness_of(page).asked == asked
    with rerun(page):
        page.get_by_role("button", name="看这里的数字").click()
    assert link(page)["box"] == "norm_attn"
    # The chart beside it is read with the arrow keys, without the server.
    asked = witness_of(page).asked
    chart = page.get_by_role("slider", name="任意两个词元的平均余弦")
    before = chart.get_attribute("aria-valuetext")
    chart.press("ArrowRight")
    assert chart.get_attribute("aria-valuetext") != before
    assert witness_of(page).asked == asked


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_long_sentence_on_a_phone(open_page, language):
    page = open_page(**PHONE)
    open_at(page, f"lang={language}&text={LONG}")
    assert page.evaluate(FAULTS) == []
    with rerun(page):
        box(page, "encoder").tap()
    panel = page.locator(".st-key-card-structure-panel")
    eventually(page, lambda: panel.bounding_box()["y"] < 600)  # the panel stands below: it came into view
    assert page.evaluate(FAULTS) == []


def test_a_masked_cell_gives_its_reason_on_hover_and_on_focus(page):
    open_at(page, "box=masked&mask_kind=both")
    grids = page.get_by_role("grid")
    expect(grids).to_have_count(2)
    reason = page.locator(".foot .note").first
    grids.first.locator("td[data-at='0,3']").hover()
    expect(reason).to_contain_text("后面的词还没有说出来，不能看")
    grids.first.locator("td[data-at='3,3']").hover()
    expect(reason).not_to_contain_text("不能看")
    grids.last.locator("td[tabindex='0']").focus()
    for _ in range(5):  # from <s> to the first padding
        page.keyboard.press("ArrowRight")
    expect(page.locator(".foot .note").last).to_contain_text("它只是填充，没有内容；后面的词还没有说出来，不能看")


def test_on_a_projector_the_open_box_and_its_panel_are_in_view_side_by_side(open_page):
    page = open_page(viewport={"width": 1280, "height": 720})
    open_at(page, "present=on&numbers=on&box=encoder")
    for name in ("encoder", "target", "target_positions"):  # from the top of one column to the foot of the other
        opened, title = box(page, name), page.locator(".st-key-card-structure-panel h3")
        expect(opened).to_have_attribute("aria-pressed", "true")
        expect(opened).to_be_in_viewport(ratio=1)
        expect(title).to_be_in_viewport(ratio=1)
        card = page.locator(".st-key-card-structure-drawing").bounding_box()
        at = opened.bounding_box()
        assert card["y"] <= at["y"]
        assert at["y"] + at["height"] <= card["y"] + card["height"]
        with rerun(page):
            page.keyboard.press("ArrowRight")


def test_a_chosen_words_row_and_cell_are_framed(page):
    open_at(page, "box=attention&word=3")
    expect(page.locator("td.here")).to_have_attribute("data-at", "3,4")
    with rerun(page):
        page.locator(".word, [role=radio]").filter(has_text="买").first.click()
    expect(page.locator("td.here")).to_have_attribute("data-at", "5,7")
