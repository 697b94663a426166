"""多头与拼接 in a real browser: maps, blocks, switches, links, by mouse and keyboard, on a phone, in the dark."""

from __future__ import annotations

import pytest

from tests.browser.helpers import rerun, wait_ready
from tests.browser.test_explore import link

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LONG = "那个昨天在公园里帮我找到钥匙的男孩是你同学，他买了一条鱼、两件衣服和三双鞋，如果明天不下雨就和妈妈去爬山。"

FAULTS = """() => {
  const deep = (node) =>
    [...node.querySelectorAll("*")].flatMap((it) => [it, ...(it.shadowRoot ? deep(it.shadowRoot) : [])]);
  const main = document.querySelector("[data-testid=stMain]");
  const found = main.scrollWidth > main.clientWidth ? ["page too wide"] : [];
  for (const it of deep(main)) {
    const said = `${it.className} ${it.textContent}`;
    const wide = it.scrollWidth > it.clientWidth + 1;
    if (it.matches(".switch, .alone, .tile, .block, .all") && Math.min(it.offsetWidth, it.offsetHeight) < 32)
      found.push(`small target: ${said}`);
    if (it.matches(".bar") && wide) found.push(`bar: ${said}`);
    const speaks = [...it.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!speaks || !it.offsetWidth || !it.closest(".tiles, .concat, .bars, .line, .square")) continue;
    const { fontSize, textOverflow, display } = getComputedStyle(it);
    if (parseFloat(fontSize) < 12.5) found.push(`small: ${said}`);
    if (wide && textOverflow !== "ellipsis" && display !== "inline") found.push(`cut: ${said}`);
  }
  return found;
}"""


def open_at(page, query=""):
    page.goto(f"/multihead?{query}")
    page.wait_for_selector(".square")
    page.wait_for_selector(".switch")
    wait_ready(page)


def switch(page, head):
    return page.locator(".switch").nth(head - 1)


def colour(page, selector, nth):
    return page.locator(selector).nth(nth).evaluate("it => getComputedStyle(it).backgroundColor")


def focused(page):
    return page.evaluate(
        "() => { let at = document.activeElement; while (at?.shadowRoot) at = at.shadowRoot.activeElement;"
        " return at?.getAttribute('aria-label') ?? null; }"
    )


def darkest(page, selector, nth):
    """Where the strongest colour of a painted canvas is: (column, row)."""
    return (
        page.locator(selector)
        .nth(nth)
        .evaluate(
            """canvas => {
          const { width, height } = canvas;
          const ink = canvas.getContext("2d").getImageData(0, 0, width, height).data;
          let best = 3;
          for (let i = 3; i < ink.length; i += 4) if (ink[i] > ink[best]) best = i;
          return [((best - 3) / 4) % width, Math.floor((best - 3) / 4 / width)];
        }"""
        )
    )


def test_a_deep_link_on_a_fresh_server(fresh_server, open_page):
    page = open_page(fresh_server)
    open_at(page, "word=5&off=3&lang=en")
    assert page.locator("h1").inner_text() == "Heads and Concat"
    assert switch(page, 3).get_attribute("aria-checked") == "false"
    assert page.locator(".tile").count() == page.locator(".block").count() == 12


def test_maps_are_painted_where_the_weights_are(page):
    """Head 7·3: 买 (position 5) looks at 苹果 (position 7)."""
    open_at(page, "word=5")
    assert darkest(page, ".tile canvas", 2) == [7, 5]
    assert darkest(page, ".block canvas", 2)[1] in range(10)


def test_a_head_has_one_colour_everywhere(page):
    open_at(page)
    for head in (0, 4, 11):
        there = {colour(page, ".tile .chip", head), colour(page, ".square th[scope=col] .chip", head)}
        there.add(colour(page, ".switch", head))
        there.add(colour(page, ".block .head-line", head))
        assert len(there) == 1
    assert len({colour(page, ".switch", head) for head in range(12)}) == 12


def test_a_click_on_a_map_chooses_the_head_for_all_pages(page):
    open_at(page)
    with rerun(page):
        page.locator(".tile").nth(7).click()
    assert link(page)["head"] == "8"
    assert page.locator(".tile[aria-pressed=true] .chip").inner_text() == "8"
    assert page.locator(".block[aria-pressed=true]").get_attribute("aria-label").startswith("Z 8")


def test_switching_heads_by_mouse(page):
    open_at(page, "word=5")
    assert page.locator(".bar.word").count() == 0
    with rerun(page):
        switch(page, 3).click()
    assert link(page)["off"] == "3"
    assert page.locator(".bar.word").count() == 10
    with rerun(page):
        page.locator(".alone").nth(2).click()
    assert link(page)["off"] == ".".join(str(head) for head in range(1, 13) if head != 3)
    with rerun(page):
        page.locator(".all").click()
    assert "off" not in link(page)
    assert page.locator(".bar.word").count() == 0


def test_switching_heads_by_keyboard_keeps_the_place(page):
    open_at(page)
    switch(page, 3).focus()
    with rerun(page):
        page.keyboard.press("Space")
    assert link(page)["off"] == "3"
    assert focused(page) == "头 3 开着"
    page.keyboard.press("Tab")
    with rerun(page):
        page.keyboard.press("Enter")
    assert link(page)["off"] == "3.4"
    assert focused(page) == "头 4 开着"


def test_hovering_a_word_lights_its_row_elsewhere_and_asks_nobody(page):
    open_at(page, "off=3")
    sent = []
    page.on("request", lambda request: sent.append(request.url))
    bar = page.locator(".bar.word").nth(3)
    bar.scroll_into_view_if_needed()
    bar.hover()
    assert page.locator(".names .here").inner_text() == bar.locator(".label .label").inner_text()
    assert sent == []


def test_pointing_at_concat_says_which_number_it_is(page):
    open_at(page)
    face = page.locator(".block .face").nth(2)
    face.scroll_into_view_if_needed()
    box = face.bounding_box()
    page.mouse.move(box["x"] + box["width"] - 4, box["y"] + 60)
    page.mouse.move(box["x"] + box["width"] - 3, box["y"] + 60)
    assert "头 3 的第 32 个数，也就是 Concat 的第 96 列" in page.locator(".read").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("text", ["你好", LONG], ids=["short", "long"])
def test_nothing_is_cut_small_or_wider_than_the_page(open_page, options, scheme, text):
    page = open_page(color_scheme=scheme, **options)
    open_at(page, f"text={text}&off=2&lang=en&word=2")
    faults = page.evaluate(FAULTS)
    assert faults == []


@pytest.mark.parametrize("mode", ["", "&present=on"])
def test_names_stand_beside_their_rows(page, mode):
    open_at(page, f"word=5{mode}")
    places = page.evaluate(
        """() => {
          const roots = [...document.querySelectorAll("*")].map((it) => it.shadowRoot);
          const view = roots.find((it) => it?.querySelector(".concat"));
          return [".names .here", ".face i"].map((what) => {
            const box = view.querySelector(what).getBoundingClientRect();
            return (box.top + box.bottom) / 2;
          });
        }"""
    )
    assert abs(places[0] - places[1]) < 3


def test_the_chosen_word_of_a_long_sentence_is_in_view(page):
    open_at(page, f"text={LONG}&word=30")
    inside = page.locator(".names .here").evaluate(
        """it => {
          const [row, frame] = [it.getBoundingClientRect(), it.closest(".scroll").getBoundingClientRect()];
          return frame.height < 560 && row.top >= frame.top && row.bottom <= frame.bottom;
        }"""
    )
    assert inside


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
def test_links_lead_to_the_cards_and_leave_the_address(open_page, options):
    page = open_page(**options)
    open_at(page, "lang=en")
    address = page.url
    links = page.get_by_role("navigation", name="Cards of this page").get_by_role("link")
    assert links.count() == 7
    for nth, key in ((4, "card-multihead-off"), (1, "card-multihead-concat"), (6, "card-take")):
        links.nth(nth).focus()
        page.keyboard.press("Enter")
        place = page.locator(f".st-key-{key} h3").bounding_box()
        assert 0 < place["y"] < page.viewport_size["height"] - place["height"]
        assert page.evaluate("document.activeElement.className.includes('st-key-card-')")
    assert page.url == address


def test_the_columns_of_a_part_are_counted_in_the_whole(open_page):
    page = open_page(**PHONE)
    open_at(page, "word=5&dim=360")
    card = page.locator(".st-key-multihead-output")
    assert card.locator(".name").all_inner_texts()[1:] == [
        "×W_O(384 × 384)第 353–360 列，共 384 列",
        "=attn_out(10 × 384)第 353–360 列，共 384 列",
    ]
    assert card.locator(".where").nth(2).inner_text() == "第 356–360 列，共 384 列"
    assert card.locator(".place").inner_text().startswith("attn_out[买, 360] = ")
