"""看它学会 in a real browser: play, slider, keys, sentences, links; on a phone, in the dark, two visitors at once."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from attention_core.learn.training import N_STEPS, STEPS
from tests.browser.helpers import eventually, link, rerun, wait_ready, witness_of

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LONG = "我今天买了一[?]奇怪的可爱的摩托车送给妈妈妈妈妈妈"

# What is cut, too small, too near to another, or wider than the page.
FAULTS = """() => {
  const deep = (node) =>
    [...node.querySelectorAll("*")].flatMap((it) => [it, ...(it.shadowRoot ? deep(it.shadowRoot) : [])]);
  const main = document.querySelector("[data-testid=stMain]");
  const found = main.scrollWidth > main.clientWidth ? ["page too wide"] : [];
  const all = deep(main).filter((it) => it.closest(".controls, .head, .grid, .part"));
  for (const it of all) {
    const said = `${it.getAttribute("class")} ${it.textContent}`;
    if (it.matches("button") && it.offsetHeight < 32) found.push(`small target: ${said}`);
    const speaks = [...it.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!speaks || !it.getClientRects().length) continue;
    if (parseFloat(getComputedStyle(it).fontSize) < 12.5) found.push(`small: ${said}`);
    const { display, textOverflow, writingMode } = getComputedStyle(it);
    const along = writingMode === "horizontal-tb" ? "Width" : "Height";
    const cut = it.offsetWidth && it[`scroll${along}`] > it[`client${along}`] + 1;
    if (cut && display !== "inline" && textOverflow !== "ellipsis") found.push(`cut: ${said}`);
  }
  const named = all.filter((it) => it.matches(".name:not(.out)"));
  const names = named.map((it) => [it.textContent, it.getBoundingClientRect()]);
  if (names.length < 15) found.push(`only ${names.length} nouns are named`);
  const box = all.find((it) => it.matches(".scatter")).getBoundingClientRect();
  names.forEach(([name, a], i) => {
    if (a.left < box.left - 1 || a.right > box.right + 1) found.push(`${name} leaves the picture`);
    for (const [other, b] of names.slice(i + 1)) {
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 1 && down > 3) found.push(`${name} upon ${other}`);
    }
  });
  return found;
}"""


def open_at(page, query=""):
    page.goto(f"/learn?{query}")
    page.wait_for_selector(".scatter .noun")
    wait_ready(page)


def slider(page):
    return page.locator("input[type=range]")


def step(page):
    return STEPS[int(slider(page).input_value())]


def weights(page):
    """The gap's weights as shown, one list for each head."""
    texts = page.locator(".weight").all_inner_texts()
    n = page.locator(".word").count()
    return [[float(text) for text in texts[i : i + n]] for i in range(0, len(texts), n)]


def rest_at(page, act, wanted):
    with rerun(page):
        act()
    assert step(page) == wanted
    assert link(page)["learn_step"] == str(wanted)


def test_play_step_and_slide_without_asking_the_server(open_page):
    page = open_page()
    open_at(page)
    assert page.locator("h1").inner_text() == "看它学会"
    assert step(page) == 0  # who wants no motion is not shown any
    expect(page.locator(".badge")).to_have_text("未训练")
    rest_at(page, lambda: page.keyboard.press("End"), N_STEPS)
    expect(page.locator(".badge")).to_have_text(f"训练了 {N_STEPS} 步")
    assert min(row[8] for row in weights(page)) > 0.8
    assert all(abs(sum(row) - 1) < 0.05 for row in weights(page))
    expect(page.locator(".bar.best .label")).to_have_text("双")
    expect(page.locator(".said")).to_contain_text("对了")
    rest_at(page, lambda: page.keyboard.press("ArrowLeft"), STEPS[-2])
    rest_at(page, lambda: page.locator("button.forward").click(), N_STEPS)
    rest_at(page, lambda: page.keyboard.press("Home"), 0)
    slider(page).focus()
    rest_at(page, lambda: page.keyboard.press("ArrowRight"), STEPS[1])

    asked = witness_of(page).asked
    page.keyboard.press(" ")  # on the slider, too
    expect(page.locator("button.play")).to_have_attribute("aria-label", "暂停")
    page.locator(".speeds button").last.click()
    eventually(page, lambda: step(page) > STEPS[6])
    assert witness_of(page).asked == asked
    page.locator("button.play").click()
    expect(page.locator("button.play")).to_have_attribute("aria-label", "播放")
    rest = step(page)
    eventually(page, lambda: link(page).get("learn_step") == str(rest))

    wait_ready(page)
    with rerun(page):
        page.locator(".chart").first.click(position={"x": 230, "y": 60})
    assert 60 < step(page) < 180
    assert step(page) != rest
    page.locator(".kind").nth(2).click()
    expect(page.locator(".kind").nth(2)).to_have_attribute("aria-pressed", "true")
    assert page.locator(".name.faint").count() == 45


def test_it_plays_by_itself_to_the_end(open_page):
    page = open_page(reduced_motion="no-preference")
    open_at(page, "lang=en&learn_seed=1")
    expect(page.locator("button.play")).to_have_attribute("aria-label", "Pause")
    page.get_by_role("button", name="Speed 2").click()
    eventually(page, lambda: step(page) == N_STEPS)
    eventually(page, lambda: link(page).get("learn_step") == str(N_STEPS))
    expect(page.locator("button.play")).to_have_attribute("aria-label", "Play")
    page.locator("button.restart").click()
    eventually(page, lambda: 0 < step(page) < N_STEPS)


def test_an_own_sentence_and_what_is_wrong_with_it(open_page):
    page = open_page()
    open_at(page, "learn_step=240&lang=en")
    box = page.locator(".st-key-gap input")
    box.fill("我吃了一[?]<b>苹果</b>")
    with rerun(page):
        box.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("吃、b、苹果")
    assert page.locator(".word").all_inner_texts()[-1] == "鞋"
    assert box.input_value() == "我吃了一[?]<b>苹果</b>"
    box.fill("他画了一【？】小的兔子")
    with rerun(page):
        box.press("Enter")
    assert page.locator(".word").all_inner_texts()[-1] == "兔子"
    expect(page.locator(".bar.best .label")).to_have_text("只")
    assert step(page) == N_STEPS
    page.get_by_text("Vocabulary: another frame").click()
    with rerun(page):
        page.get_by_role("radio", name="书 book").click()
    assert box.input_value() == "他画了一[?]小的书"
    expect(page.locator(".bar.best .label")).to_have_text("本")
    assert step(page) == N_STEPS


def test_a_weight_is_chosen_and_stands_in_the_link(open_page, fresh_server):
    page = open_page(fresh_server)
    open_at(page, "learn_step=51&weight=2-3-4&task=copy&rate=0.01")
    assert step(page) == 51
    assert page.get_by_text("第 51 步，头 2，W_Q 第 3 行第 4 列").is_visible()
    with rerun(page):
        page.locator('.st-key-learn-weight td[data-at="3,3"]').click()
    assert link(page)["weight"] == "2-4-4"
    assert step(page) == 51


def test_two_visitors_train_at_once_and_each_sees_the_own_training(open_page):
    pages = [open_page(), open_page()]
    queries = ["learn_seed=41&learn_step=240&learn_heads=1", "learn_seed=42&learn_step=240&task=shuffled"]
    for page, query in zip(pages, queries, strict=True):
        page.goto(f"/learn?{query}", wait_until="commit")
    for page in pages:
        page.wait_for_selector(".scatter .noun")
        wait_ready(page)
    one, lot = (weights(page) for page in pages)
    assert len(one) == 1
    assert one[0][8] > 0.8
    assert len(lot) == 2
    assert max(row[8] for row in lot) < 0.6
    expect(pages[1].locator(".said")).to_contain_text("抽签")


@pytest.mark.parametrize(
    "options",
    [{**PHONE, "color_scheme": "dark"}, {"viewport": {"width": 1440, "height": 900}}],
    ids=["phone", "desktop"],
)
def test_nothing_is_cut_small_or_upon_another(open_page, options):
    page = open_page(**options)
    open_at(page, f"learn_step=0&learn_heads=4&gap={LONG}&lang=en")
    assert page.evaluate(FAULTS) == []
    page.keyboard.press("End")
    eventually(page, lambda: step(page) == N_STEPS)
    assert page.evaluate(FAULTS) == []
