"""The small maps of all heads and the head shortcuts, by mouse, touch and keyboard."""

from __future__ import annotations

import pytest

from tests.browser.helpers import eventually, link, open_at, rerun, said, type_sentence, wait_ready

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def open_maps(page, query=""):
    open_at(page, f"/?{query}")
    page.wait_for_selector(".map canvas")
    wait_ready(page)
    page.locator(".st-key-card-heads").scroll_into_view_if_needed()


def cell(page, layer, head):
    return page.locator(".st-key-maps [role=row]").nth(layer).locator(".map").nth(head - 1)


def chosen(page):
    """The marked heads, counted from 1."""
    return page.locator(".map").evaluate_all(
        "maps => maps.map((map, i) => map.ariaSelected === 'true' && `${Math.floor(i / 12) + 1}-${i % 12 + 1}`)"
        ".filter(Boolean)"
    )


def heads_in_link(page):
    now = link(page)
    return [f"{now['layer']}-{now['head']}", *filter(None, now.get("mean", "").split("."))]


def focused(page):
    return page.evaluate(
        "() => { let at = document.activeElement; while (at?.shadowRoot) at = at.shadowRoot.activeElement;"
        " return at?.getAttribute('aria-label') ?? null; }"
    )


def darkest(page, layer, head):
    """Where the strongest colour of a painted map is: [x, y] as fractions of its sides."""
    return (
        cell(page, layer, head)
        .locator("canvas")
        .evaluate(
            """canvas => {
          const { width, height } = canvas;
          const ink = canvas.getContext("2d").getImageData(0, 0, width, height).data;
          let best = 0;
          for (let i = 3; i < ink.length; i += 4) if (ink[i] > ink[best]) best = i;
          const [x, y] = [((best - 3) / 4) % width, Math.floor((best - 3) / 4 / width)];
          return [(x + 1) / width, (y + 1) / height];
        }"""
        )
    )


def test_a_click_on_a_map_shows_that_head(page):
    open_maps(page)
    assert page.locator(".map").count() == 144
    assert chosen(page) == ["7-3"]
    with rerun(page):
        cell(page, 8, 5).click()
    assert said(page).startswith("第8层第5头里，")
    assert chosen(page) == ["8-5"]
    assert heads_in_link(page) == ["8-5"]
    assert page.locator(".st-key-layer [aria-checked=true]").inner_text() == "8"
    assert page.locator(".st-key-head [aria-checked=true]").inner_text() == "5"


def test_a_map_is_painted_where_its_weights_are(page):
    """Head 7·3: 买 (row 5 of 8) looks at 苹果 (column 7 of 8, after one special token and a gap)."""
    open_maps(page)
    x, y = darkest(page, 7, 3)
    wide = 8 + 2 + 2 * 0.35
    assert (1.35 + 6) / wide < x < (1.35 + 7) / wide
    assert 4 / 8 < y < 5 / 8
    assert darkest(page, 3, 7) != darkest(page, 1, 3)


def test_pointing_at_a_map_shows_it_large_with_what_was_measured_and_asks_nobody(page):
    open_maps(page)
    preview = page.locator(".preview")
    assert preview.locator(".name").inner_text().split() == ["第7层第3头", "7·3"]
    address = page.url
    cell(page, 9, 9).hover()
    assert preview.locator(".name").inner_text().split() == ["第9层第9头", "9·9"]
    assert "代词 → 先行词" in preview.inner_text()
    cell(page, 12, 12).hover()
    assert "没有一件做得突出" in preview.inner_text()
    page.mouse.move(5, 5)
    assert preview.locator(".name").inner_text().startswith("第7层第3头")
    assert "买 → 苹果 0.73" in preview.locator(".peak").inner_text()
    assert page.url == address


def test_shift_and_a_switch_average_heads(page):
    open_maps(page)
    with rerun(page):
        cell(page, 1, 3).click(modifiers=["Shift"])
    assert heads_in_link(page) == ["7-3", "1-3"]
    assert "2 个头的平均" in page.locator(".count").inner_text()
    assert said(page).startswith("2 个头的平均里")
    with rerun(page):
        cell(page, 3, 7).click(modifiers=["Control"])
    assert heads_in_link(page) == ["7-3", "1-3", "3-7"]
    page.get_by_role("button", name="选多个头").click()
    with rerun(page):
        cell(page, 7, 3).click()  # the first one goes, the next one takes its place
    assert heads_in_link(page) == ["1-3", "3-7"]
    assert page.get_by_role("button", name="选多个头").get_attribute("aria-pressed") == "true"  # it lasts
    with rerun(page):
        page.locator(".bar").get_by_role("button", name="只看第1层第3头").click()
    assert heads_in_link(page) == ["1-3"]
    assert chosen(page) == ["1-3"]
    with rerun(page):
        cell(page, 2, 2).click()
    page.get_by_role("button", name="选多个头").click()
    with rerun(page):
        cell(page, 5, 5).click()
    assert heads_in_link(page) == ["5-5"]


def test_the_last_head_cannot_be_taken_away(page):
    open_maps(page)
    with rerun(page):
        cell(page, 7, 3).click(modifiers=["Shift"])
    assert heads_in_link(page) == ["7-3"]


def test_a_number_at_the_edge_chooses_a_whole_layer_or_column(page):
    open_maps(page)
    with rerun(page):
        page.get_by_role("rowheader", name="第 2 层的所有头").click()
    assert sorted(heads_in_link(page)) == sorted(f"2-{head}" for head in range(1, 13))
    assert heads_in_link(page)[0] == "2-3"  # the head stays
    assert "12 个头的平均" in page.locator(".count").inner_text()
    with rerun(page):
        page.get_by_role("columnheader", name="每一层的第 7 头").click()
    assert sorted(heads_in_link(page)) == sorted(f"{layer}-7" for layer in range(1, 13))
    assert heads_in_link(page)[0] == "2-7"


def test_the_grid_by_keyboard(page):
    open_maps(page)
    stops = page.locator(".st-key-maps [role=grid] [tabindex='0']")
    assert stops.count() == 1
    stops.focus()
    assert focused(page).startswith("第7层第3头，")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert focused(page).startswith("第8层第4头，")
    assert page.locator(".preview .name").inner_text().startswith("第8层第4头")
    assert heads_in_link(page) == ["7-3"]  # moving chooses nothing
    with rerun(page):
        page.keyboard.press("Enter")
    assert heads_in_link(page) == ["8-4"]
    assert focused(page).startswith("第8层第4头，")  # the focus stayed
    page.keyboard.press("End")
    with rerun(page):
        page.keyboard.press("Space")
    assert heads_in_link(page) == ["8-4", "8-12"]
    page.keyboard.press("ArrowRight")  # the edge
    assert focused(page).startswith("第8层第12头，")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowLeft")
    assert focused(page) == "第 8 层的所有头"
    with rerun(page):
        page.keyboard.press("Enter")
    assert len(heads_in_link(page)) == 12


def test_another_view_s_row_is_marked_in_every_map(page):
    open_maps(page)
    hover = "detail => document.dispatchEvent(new CustomEvent('attn:hover', { detail: { from: 'test', ...detail } }))"
    line = cell(page, 4, 4)
    shown = "e => getComputedStyle(e, '::before').display"
    assert line.evaluate(shown) == "none"
    page.evaluate(hover, {"row": 4, "column": None})
    assert line.evaluate(shown) == "block"
    top = float(line.evaluate("e => getComputedStyle(e, '::before').top").removesuffix("px"))
    assert top == pytest.approx(line.evaluate("e => e.clientHeight") * 4.5 / 8, abs=1)
    page.evaluate(hover, {"row": None, "column": -2})
    assert line.evaluate(shown) == "none"
    left = float(line.evaluate("e => getComputedStyle(e, '::after').left").removesuffix("px"))
    assert left == pytest.approx(line.evaluate("e => e.clientWidth") * (1 - 0.5 / 10.7), abs=1)
    page.evaluate(hover, {"row": None, "column": None})
    assert line.evaluate("e => getComputedStyle(e, '::after').display") == "none"


def test_pointing_into_the_preview_tells_the_other_views(page):
    open_maps(page)
    page.evaluate("document.addEventListener('attn:hover', e => (window.heard = e.detail))")
    box = page.locator(".big").bounding_box()
    page.mouse.move(box["x"] + box["width"] * (1.35 + 6.5) / 10.7, box["y"] + box["height"] * 4.5 / 8)
    assert page.evaluate("heard") == {"from": "maps", "row": 4, "column": 6}
    page.mouse.move(box["x"] + 2, box["y"] + 2)
    assert page.evaluate("heard") == {"from": "maps", "row": 0, "column": -1}
    page.mouse.move(5, 5)
    assert page.evaluate("heard") == {"from": "maps", "row": None, "column": None}


def test_a_shortcut_by_mouse(page):
    open_maps(page)
    with rerun(page):
        page.locator(".st-key-shortcut").get_by_text("后一个词").click()
    assert heads_in_link(page) == ["3-7"]
    assert chosen(page) == ["3-7"]
    with rerun(page):
        cell(page, 3, 8).click()
    assert page.locator(".st-key-shortcut [aria-checked=true]").count() == 0
    assert page.locator(".st-key-fact").count() == 0


@pytest.mark.parametrize(("source", "count"), [("toy", 2), ("paper", 8), ("vectors", 0)])
def test_other_sources_show_their_own_heads(page, source, count):
    open_at(page, f"/?source={source}")
    if count:
        page.wait_for_selector(".map canvas")
    assert page.locator(".map").count() == count
    assert page.locator(".st-key-shortcut").count() == 0


def test_a_new_sentence_repaints_the_maps(page):
    """打破 (row 2 of 5) looks at 杯子 (column 4 of 5)."""
    open_maps(page)
    type_sentence(page, "弟弟打破了杯子。")

    def is_there():
        x, y = darkest(page, 7, 3)
        wide = 5 + 2 + 2 * 0.35
        return (1.35 + 3) / wide < x < (1.35 + 4) / wide and 1 / 5 < y < 2 / 5

    eventually(page, is_there)


@pytest.mark.parametrize("page_options", [PHONE])
def test_maps_can_be_tapped_on_a_phone(page):
    open_maps(page)
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390
    sizes = page.locator(".map").evaluate_all("maps => maps.map(map => map.getBoundingClientRect().width)")
    assert min(sizes) >= 26
    with rerun(page):
        cell(page, 9, 9).tap()
    assert heads_in_link(page) == ["9-9"]
    page.get_by_role("button", name="选多个头").tap()
    with rerun(page):
        cell(page, 9, 12).tap()  # scrolls inside its card
    assert heads_in_link(page) == ["9-9", "9-12"]
    assert page.locator(".preview .name").inner_text().startswith("第9层第12头")  # the one just tapped


def test_the_maps_are_painted_anew_when_the_theme_switches(page):
    open_maps(page)
    ink = "c => [...c.getContext('2d').getImageData(0, 0, c.width, c.height).data].slice(0, 3)"
    first = cell(page, 3, 3).locator("canvas")  # its first column is nearly full
    light = first.evaluate(ink)
    assert light == pytest.approx([35, 87, 165], abs=2)
    page.mouse.move(640, 20)
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollTo(0, 0)")
    page.get_by_test_id("stMainMenuButton").click()
    with rerun(page):
        page.get_by_test_id("stMainMenuPopover").get_by_text("深色").click()
    dark = pytest.approx([127, 171, 240], abs=2)
    eventually(page, lambda: cell(page, 3, 3).locator("canvas").evaluate(ink) == dark)
