"""翻译与交叉注意力 in a real browser: played without the server, hovered on either side, another piece, a phone."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.helpers import eventually, link, rerun, settle, wait_ready, witness_of

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LONG = "那个昨天在公园里帮我找到钥匙的男孩是你同学，他买了一条鱼、两件衣服和三双鞋，如果明天不下雨就和妈妈去爬山。"
HERO = ".st-key-decode"
CROSS, MASK = ".st-key-translate-cross", ".st-key-translate-mask"

FAULTS = """() => {
  const deep = (node) =>
    [...node.querySelectorAll("*")].flatMap((it) => [it, ...(it.shadowRoot ? deep(it.shadowRoot) : [])]);
  const main = document.querySelector("[data-testid=stMain]");
  const found = main.scrollWidth > main.clientWidth ? ["page too wide"] : [];
  for (const it of deep(main)) {
    if (!it.offsetWidth || !it.closest(".deck, .halves, .cells, .read, .axis")) continue;
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
    page.goto(f"/translate?{query}")
    for part in (f"{HERO} .deck", f"{CROSS} .cells", f"{MASK} .cells"):
        page.wait_for_selector(part)
    wait_ready(page)


def told(page):
    """The words that have been said."""
    return page.locator(f"{HERO} .below .word:not(.coming)").all_inner_texts()


def rows(page, grid):
    """How many rows of a map are there."""
    width = page.locator(f"{grid} .column-head").count()
    return page.locator(f"{grid} .cell:not(.later)").count() // width


def test_the_translation_is_played_in_the_browser(open_page):
    page = open_page(reduced_motion="no-preference")
    page.clock.install()
    open_at(page)
    words = told(page)
    assert len(words) >= 5
    asked = witness_of(page).asked
    page.get_by_role("button", name="播放", exact=True).click()
    page.clock.run_for(500)
    assert told(page) == words[:1]
    assert rows(page, CROSS) == rows(page, MASK) == 1
    page.clock.run_for(1100)
    assert len(told(page)) == 2
    assert rows(page, MASK) == 2
    assert page.locator(f"{HERO} .candidates li").count() >= 10
    assert witness_of(page).asked == asked  # no step asks the server
    page.get_by_role("button", name="暂停", exact=True).click()
    page.clock.run_for(5000)
    assert len(told(page)) == 2
    page.clock.resume()
    eventually(page, lambda: link(page).get("made") == "2")


def test_steps_hovering_and_another_piece(open_page):
    page = open_page()  # which asks for less motion: nothing plays by itself
    open_at(page, "made=3")
    assert not page.get_by_role("button", name="播放", exact=True).is_visible()
    asked = witness_of(page).asked
    # Hovering lights the word on the other side, in the map and in the chips; nobody asks the server.
    page.locator(f"{HERO} .line .word", has_text="苹果").first.hover()
    expect(page.locator(f"{CROSS} .column-head.lit")).to_have_text("苹果")
    expect(page.locator(f"{HERO} .said")).to_contain_text("看“苹果”最多的是")
    page.locator(f"{HERO} .below .word").first.hover()
    expect(page.locator(f"{CROSS} .row-head.lit")).to_have_count(1)
    page.locator(f"{CROSS} .cell").nth(0).hover()
    expect(page.locator(f"{HERO} .word.lit").first).to_be_visible()
    page.locator(f"{MASK} .cell.masked").first.hover()
    expect(page.locator(f"{MASK} .read")).to_contain_text("还不知道")
    page.mouse.move(0, 0)
    settle(page)
    assert witness_of(page).asked == asked

    # By keyboard: steps on the whole page, words of the source and cells of a map where the focus is.
    with rerun(page):
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
    assert link(page)["made"] == "5"
    weave = page.get_by_role("group", name="原句和译文，线越粗，看得越多")
    weave.press("ArrowDown")
    expect(page.locator(f"{HERO} .said")).to_contain_text("看“我”最多的是")
    weave.press("Escape")
    with rerun(page):
        weave.press("Home")
    assert link(page)["made"] == "0"
    assert told(page) == []
    with rerun(page):
        weave.press("End")
    assert "made" not in link(page)
    cells = page.get_by_role("group", name="解码器自注意力的图")
    cells.press("ArrowDown")
    cells.press("ArrowRight")
    expect(page.locator(f"{MASK} .read")).to_contain_text("后面的词")

    # Another candidate: what follows changes, and the link restores it.
    before = told(page)
    with rerun(page):
        page.get_by_role("slider", name="走了几步").press("Home")
    with rerun(page):
        page.get_by_role("slider", name="走了几步").press("ArrowRight")
    second = page.locator(f"{HERO} .candidates button").nth(1)
    piece = second.locator(".name").inner_text()
    with rerun(page):
        second.press("Enter")
    assert link(page)["made"] == "1"
    expect(page.locator(f"{HERO} .word.now")).to_contain_text(piece)
    with rerun(page):
        page.locator(f"{HERO} .deck input").press("End")
    after = told(page)
    assert after != before
    again = open_page()
    open_at(again, page.url.partition("?")[2])
    assert told(again) == after
    with rerun(page):
        page.locator(".st-key-pick-clear button").click()
    assert told(page) == before


def test_a_phone_in_the_dark_cuts_nothing(open_page):
    page = open_page(color_scheme="dark", **PHONE)
    open_at(page, f"text={LONG}&lang=en")
    assert page.evaluate(FAULTS) == []


def test_a_projector_cuts_nothing(open_page):
    page = open_page(viewport={"width": 1280, "height": 800})
    open_at(page, "present=on&numbers=on")
    assert page.evaluate(FAULTS) == []
    word = int(link(page)["word"])
    with rerun(page):
        page.keyboard.press("ArrowDown")
    assert link(page)["word"] == str(word % 8 + 1)
    with rerun(page):
        page.keyboard.press("Home")
    assert link(page)["made"] == "0"
