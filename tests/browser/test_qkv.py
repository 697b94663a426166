"""Q、K、V 是什么 in a real browser: asking, changing the shelf, what follows the pointer, on a phone, in the dark."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import eventually, link, rerun, wait_ready

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LONG = "那个昨天在公园里帮我找到钥匙的男孩是你同学，他买了一条鱼、两件衣服和三双鞋，如果明天不下雨就和妈妈去爬山。"

FAULTS = """() => {
  const deep = (node) =>
    [...node.querySelectorAll("*")].flatMap((it) => [it, ...(it.shadowRoot ? deep(it.shadowRoot) : [])]);
  const main = document.querySelector("[data-testid=stMain]");
  const found = main.scrollWidth > main.clientWidth ? ["page too wide"] : [];
  for (const it of deep(main)) {
    const said = `${it.className} ${it.textContent}`;
    const small = it.offsetWidth && Math.min(it.offsetWidth, it.offsetHeight) < 32;
    if (it.matches(".delete, .add, .more, button.whole") && small)
      found.push(`small target: ${said}`);
    const speaks = [...it.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!speaks || !it.offsetWidth || !it.closest(".stage, .axis, .wholes, .parts, .rows")) continue;
    const { fontSize, textOverflow, display } = getComputedStyle(it);
    if (parseFloat(fontSize) < 12.5) found.push(`small: ${said}`);
    const wide = it.scrollWidth > it.clientWidth + 1;
    if (wide && textOverflow !== "ellipsis" && display !== "inline") found.push(`cut: ${said}`);
  }
  return found;
}"""


def open_at(page, query=""):
    page.goto(f"/qkv?{query}")
    page.wait_for_selector(".axis")
    page.wait_for_selector(".stage.of-head .row")
    wait_ready(page)


def stage(page):
    return page.locator(".st-key-qkv-scene .stage")


def row(page, nth):
    return stage(page).locator(".row").nth(nth)


def strengths(page):
    """The widths of the lines to the rows."""
    wires = stage(page).locator(".wires path")
    return [float(wires.nth(i).get_attribute("stroke-width")) for i in range(wires.count())]


def best(page):
    widths = strengths(page)
    return widths.index(max(widths))


def test_asking_and_changing_the_shelf(fresh_server, open_page):
    """A deep link on a fresh server; then one's own request, a new book, a bad one, a step back."""
    page = open_page(fresh_server)
    open_at(page, "lang=zh")
    assert stage(page).locator(".row").count() == len(strengths(page)) == 6
    assert best(page) == 0

    ask = stage(page).locator(".ask")
    ask.fill("晚上吃什么？")
    with rerun(page):
        ask.press("Enter")
    assert best(page) == 1
    expect(ask).to_be_focused()
    assert ask.input_value() == "晚上吃什么？"
    assert link(page)["shelf"]

    page.locator(".st-key-qkv-shelf summary").click()
    key, value = page.locator("input.key").last, page.locator("input.value").last

    def added():  # fields that the last answer still draws anew take an empty row with them
        if page.locator("input.key").count() < 7:
            page.locator(".add").click()
        return page.locator("input.key").count() == 7

    eventually(page, added)
    expect(key).to_be_focused()
    key.fill("烤蛋糕：烘焙、甜点")
    with rerun(page):
        key.press("Tab")
    expect(value).to_be_focused()
    assert page.locator("li.wrong .problem").inner_text().startswith("第 7 行")
    assert key.input_value() == "烤蛋糕：烘焙、甜点"
    value.fill("<img src=x onerror=alert(1)>怎样烤一个蛋糕。")
    with rerun(page):
        value.press("Enter")
    assert page.locator("li.wrong").count() == 0
    assert stage(page).locator(".row").count() == 7
    assert "<img" in row(page, 6).inner_text()
    with rerun(page):
        page.locator("button.delete").nth(1).click()
    assert stage(page).locator(".row").count() == 6

    with rerun(page):
        page.locator(".st-key-qkv-shelf").get_by_role("button", name="撤销").click()
    assert page.locator("input.key").nth(1).input_value().startswith("家常菜谱")
    page.reload()
    page.wait_for_selector(".stage .row")
    wait_ready(page)
    assert stage(page).locator(".row").count() == 7
    assert ask.input_value() == "晚上吃什么？"


def test_what_is_pointed_at_stands_out_everywhere(page):
    open_at(page)
    row(page, 1).hover()
    assert stage(page).locator(".wires path.far").count() == 5
    assert page.locator(".axis .dot.here").inner_text() == "2"
    assert page.locator(".parts tr.here").inner_text().startswith("一百道家常菜")
    assert page.locator(".whole .part.here").count() == 5
    page.locator(".parts tbody tr").nth(3).hover()
    assert row(page, 3).get_attribute("class") == "row here"
    row(page, 0).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert row(page, 2).evaluate("it => it.matches(':focus')")
    assert "唐诗" in row(page, 2).get_attribute("aria-label")

    with rerun(page):
        page.locator("button.whole").last.click()
    assert link(page)["tau"] == "1"
    assert max(strengths(page)) - min(strengths(page)) < 0.5
    assert page.locator("button.whole[aria-pressed=true]").get_attribute("aria-label").startswith("T = 1")


def test_inside_a_head_the_words_of_the_sentence_follow(page):
    open_at(page, f"word=5&text={LONG}")
    head = page.locator(".stage.of-head")
    assert head.locator(".row").count() == 10
    head.locator(".more").click()
    assert head.locator(".row").count() > 30
    expect(head.locator(".more")).to_be_focused()
    head.locator(".row").nth(3).hover()
    assert page.locator(".chip.key").count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", ["phone", "desktop"])
def test_nothing_is_cut_small_or_too_wide(open_page, scheme, width):
    options = PHONE if width == "phone" else {"viewport": {"width": 1440, "height": 900}}
    page = open_page(color_scheme=scheme, **options)
    language, scene = ("en", "chat") if scheme == "dark" else ("zh", "library")
    open_at(page, f"lang={language}&scene={scene}&decimals=6&text={LONG}")
    page.locator(".st-key-qkv-shelf summary").click()
    page.wait_for_selector("input.key")
    assert page.evaluate(FAULTS) == []
