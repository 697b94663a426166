"""为什么需要注意力 in a real browser: steps played without the server, keyboard, a phone in the dark."""

from __future__ import annotations

from tests.browser.helpers import eventually, link, rerun, wait_chart, wait_ready, witness_of

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LONG = "那个昨天在公园里帮我找到钥匙的男孩是你同学，他买了一条鱼、两件衣服和三双鞋，如果明天不下雨就和妈妈去爬山。"

FAULTS = """() => {
  const deep = (node) =>
    [...node.querySelectorAll("*")].flatMap((it) => [it, ...(it.shadowRoot ? deep(it.shadowRoot) : [])]);
  const main = document.querySelector("[data-testid=stMain]");
  const found = main.scrollWidth > main.clientWidth ? ["page too wide"] : [];
  for (const it of deep(main)) {
    if (!it.offsetWidth || !it.closest(".lanes, .deck, .chips, .directions, table")) continue;
    const said = `${it.className} ${it.textContent}`;
    if (it.matches("button") && Math.min(it.offsetWidth, it.offsetHeight) < 32) found.push(`small target: ${said}`);
    if (![...it.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
    const { fontSize, textOverflow, display } = getComputedStyle(it);
    if (parseFloat(fontSize) < 12.5) found.push(`small: ${said}`);
    const wide = it.scrollWidth > it.clientWidth + 1;
    if (wide && textOverflow !== "ellipsis" && display !== "inline") found.push(`cut: ${said}`);
  }
  return found;
}"""


def open_at(page, query=""):
    page.goto(f"/why?{query}")
    page.wait_for_selector(".deck")
    page.wait_for_selector(".directions")
    wait_ready(page)
    wait_chart(page, "why-focus-chart")


def read_words(page):
    return page.locator(".row.read-yet").count()


def test_the_cooks_are_played_in_the_browser(open_page):
    page = open_page(reduced_motion="no-preference")
    page.clock.install()
    open_at(page)
    assert read_words(page) == 8
    asked = witness_of(page).asked
    page.get_by_role("button", name="播放", exact=True).click()
    page.clock.run_for(400)
    assert read_words(page) == 1
    assert page.locator(".kitchen").nth(0).locator(".cooking").count() == 1
    assert page.locator(".kitchen").nth(1).locator(".cooking").count() == 8
    page.clock.run_for(800)
    assert read_words(page) == 2
    assert page.locator(".lines.there").count() == 1
    assert witness_of(page).asked == asked  # no step asks the server
    page.get_by_role("button", name="暂停", exact=True).click()
    page.clock.run_for(5000)
    assert read_words(page) == 2
    page.clock.resume()
    eventually(page, lambda: link(page).get("moment") == "2")


def test_steps_numbers_and_ways_by_keyboard(open_page):
    page = open_page()  # which asks for less motion: nothing plays by itself
    open_at(page, "moment=2")
    assert not page.get_by_role("button", name="播放", exact=True).is_visible()
    with rerun(page):
        page.get_by_role("slider", name="读到第几个词").press("ArrowRight")
    assert link(page)["moment"] == "3"
    assert read_words(page) == 3
    table = page.get_by_role("group", name="每一步的状态")
    table.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight"):
        table.press(key)
    assert (
        page.locator(".read").first.inner_text().startswith("第 3 步（去）的第 2 个数：")
    )  # the last one that is read
    page.locator(".row.read-yet .strip").nth(1).hover(position={"x": 3, "y": 8})
    assert page.locator(".read").first.inner_text().startswith("第 2 步（昨天）的第 1 个数：")

    word = page.locator(".st-key-card-why-path .chip").nth(2)
    with rerun(page):
        word.press("Enter")
    assert link(page)["pair"] == "7-3"
    assert page.locator(".way.shut").count() == 1
    with rerun(page):
        page.get_by_role("button", name="反过来").press("Enter")
    assert link(page)["pair"] == "3-7"
    assert page.locator(".way").first.locator(".stop").all_inner_texts() == ["去", "超市", "买", "了", "苹果"]


def test_a_race_is_run_when_asked_for(open_page):
    page = open_page()
    open_at(page)
    assert page.locator(".st-key-why-race-chart").count() == 0
    page.locator(".st-key-why-race button").click()
    wait_chart(page, "why-race-chart")
    assert "斜率" in page.locator(".st-key-card-why-race").inner_text()


def test_a_phone_in_the_dark_cuts_nothing(open_page):
    page = open_page(color_scheme="dark", **PHONE)
    open_at(page, f"text={LONG}&lang=en")
    assert page.evaluate(FAULTS) == []


def test_a_projector_cuts_nothing(open_page):
    page = open_page(viewport={"width": 1280, "height": 800})
    open_at(page, "present=on&numbers=on")
    assert page.evaluate(FAULTS) == []
