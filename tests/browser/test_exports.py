"""带走 in a real browser: every file is downloaded, opened, and compared with the numbers on the screen."""

from __future__ import annotations

import csv
import io
import json
import re
import struct
import xml.etree.ElementTree as ElementTree
import zlib
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.browser import helpers
from tests.browser.helpers import rerun, sentence

HOSTILE = "</script><b>x <img src=x onerror=alert(1)>"
SVG = "{http://www.w3.org/2000/svg}"
ROW = ["0.03", "0.00", "0.03", "0.02", "0.11", "0.02", "0.02", "0.73", "0.01", "0.03"]  # 买, layer 7, head 3
PAGES = [{}, {"viewport": {"width": 390, "height": 844}, "has_touch": True}]


def open_at(page, path="/"):
    helpers.open_at(page, path, until=".st-key-card-take .copy")


def download(page, key, *, by="click"):
    button = page.locator(f".st-key-take-{key} button >> visible=true")  # one with a tooltip is there twice
    button.scroll_into_view_if_needed()
    with page.expect_download() as waiting:
        if by == "keyboard":
            button.focus()
            page.keyboard.press("Enter")
        else:
            button.click()
    return waiting.value


def read(got):
    return got.path().read_bytes()


def texts(root):
    return [t.text for t in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("page_options", PAGES)
def test_svg_of_the_heatmap(page):
    open_at(page)
    got = download(page, "svg-heatmap")
    assert got.suggested_filename == "注意力_7·3.svg"
    shown = texts(ElementTree.fromstring(read(got)))
    start = shown.index("0.13")  # the first cell
    assert shown[start + 40 : start + 50] == ROW
    assert {"我昨天去超市买了苹果。", "真实模型 · 第7层第3头", "已训练"} <= set(shown)


def test_svg_of_the_lines_follows_head_word_and_language(page):
    open_at(page, "/?layer=8&head=5&word=7&lang=en&decimals=4")
    got = download(page, "svg-arcs", by="keyboard")
    assert got.suggested_filename == "attention_8·5_lines.svg"
    shown = texts(ElementTree.fromstring(read(got)))
    assert "Real model · layer 8, head 5" in shown
    numbers = [text for text in shown if re.fullmatch(r"0\.\d{4}", text)]
    assert len(numbers) == 10
    assert sum(map(float, numbers)) == pytest.approx(1, abs=6e-4)
    assert max(numbers) == numbers[5]  # from the object to its verb 买


def test_svg_of_all_heads(page):
    open_at(page)
    got = download(page, "svg-heads")
    root = ElementTree.fromstring(read(got))
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert titles[1:4] == ["第1层第1头", "第1层第2头", "第1层第3头"]
    assert len(titles) == 145


@pytest.mark.parametrize("page_options", [{"color_scheme": "light"}, {"color_scheme": "dark"}])
def test_pictures_have_the_colours_on_the_screen(page, page_options):
    open_at(page)
    paper = {"light": "#ffffff", "dark": "#1c1f26"}[page_options["color_scheme"]]
    assert f'fill="{paper}"'.encode() in read(download(page, "svg-arcs"))


def pixels(png):
    """Width, height and the set of different rows of a PNG."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    data, at = b"", 8
    while at < len(png):
        (size,) = struct.unpack(">I", png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            data += png[at + 8 : at + 8 + size]
        at += 12 + size
    raw = zlib.decompress(data)
    stride = len(raw) // height
    return width, height, {raw[i : i + stride] for i in range(0, len(raw), stride)}


def download_png(page, kind, by="click"):
    button = page.locator(f".st-key-png-{kind} .png")
    button.scroll_into_view_if_needed()
    with page.expect_download() as waiting, rerun(page):
        if by == "keyboard":
            button.focus()
            page.keyboard.press("Enter")
        else:
            button.click()
    return waiting.value


@pytest.mark.parametrize("kind", ["arcs", "heatmap", "heads"])
def test_png_is_the_svg_three_times_as_fine(page, kind):
    open_at(page)
    svg = ElementTree.fromstring(read(download(page, f"svg-{kind}")))
    got = download_png(page, kind)
    expected = {"arcs": "注意力_7·3_连线.png", "heatmap": "注意力_7·3.png", "heads": "注意力_所有头.png"}
    assert got.suggested_filename == expected[kind]
    width, height, rows = pixels(read(got))
    assert (width, height) == (3 * int(svg.get("width")), 3 * int(svg.get("height")))
    assert len(rows) > 50  # not blank


def test_png_by_keyboard_once_for_each_click(page):
    open_at(page)
    downloads = []
    page.on("download", lambda got: downloads.append(got.suggested_filename))
    button = page.locator(".st-key-png-heatmap .png")
    download_png(page, "heatmap", by="keyboard")
    with rerun(page):
        page.locator(".st-key-lang").get_by_text("English").click()
    expect(button).to_have_attribute("aria-label", re.compile("heatmap", re.IGNORECASE))
    expect(button).to_have_text("PNG")  # else it says that it draws
    download_png(page, "heatmap")
    expect(button).to_have_text("PNG")  # else it says that it draws
    download(page, "csv")  # downloads come in order: whatever was saved before has been heard of by now
    assert downloads == ["注意力_7·3.png", "attention_7·3.png", "attention_7·3.csv"]


def test_csv_and_json_hold_the_numbers_on_the_screen(page):
    open_at(page, "/?word=5")
    got = download(page, "csv")
    assert got.suggested_filename == "注意力_7·3.csv"
    content = read(got)
    assert content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
    assert rows[0] == ["谁在看＼看谁", "<s>", "我", "昨天", "去", "超市", "买", "了", "苹果", "。", "</s>"]
    assert [f"{float(number):.2f}" for number in rows[5][1:]] == ROW
    got = download(page, "json", by="keyboard")
    assert got.suggested_filename == "注意力_7·3.json"
    told = json.loads(read(got))
    assert [f"{number:.6f}" for number in told["weights"][4]] == rows[5][2:-1]
    assert (told["sentence"], told["layer"], told["head"], told["word"]) == ("我昨天去超市买了苹果。", 7, 3, 5)


@pytest.fixture
def open_file(browser, tmp_path):
    """open_file(download, **options): the downloaded file in a browser without a network; no error, no request."""
    opened = []

    def open_(got, **options):
        file = tmp_path / got.suggested_filename
        got.save_as(file)
        page = browser.new_context(offline=True, **options).new_page()
        complaints = []
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append("a script ran"))
        page.on("request", lambda request: request.url.startswith("file:") or complaints.append(request.url))
        page.goto(file.as_uri())
        opened.append((page, complaints))
        return page

    yield open_
    for page, complaints in opened:
        page.context.close()
        assert complaints == []


@pytest.mark.parametrize("options", [{}, {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}])
def test_the_page_opens_offline_and_answers(page, open_file, options):
    open_at(page)
    got = download(page, "page")
    assert got.suggested_filename == "注意力_7·3.html"
    off = open_file(got, **options)
    assert off.title() == "我昨天去超市买了苹果。 · 真实模型 · 第7层第3头 · 已训练"
    said = off.locator("#said")
    assert said.inner_text() == "买 最关注 苹果（0.73），其次 超市（0.11）。"
    paper = off.locator(".card").first.evaluate("e => getComputedStyle(e).backgroundColor")
    assert paper == ("rgb(28, 31, 38)" if options else "rgb(255, 255, 255)")
    assert off.evaluate("document.documentElement.scrollWidth <= innerWidth")

    def numbers():
        return off.locator("#lines .number").all_text_contents()

    assert numbers() == ROW

    def shapes():
        return off.locator("#lines .arcs path").evaluate_all("all => all.map(path => path.getAttribute('d'))")

    drawn = shapes()
    off.locator("#lines .word", has_text="去").hover()
    assert said.inner_text().startswith("去 最关注 超市（0.61）")
    assert numbers() == ["0.06", "0.01", "0.10", "0.03", "0.61", "0.04", "0.01", "0.06", "0.01", "0.06"]
    assert shapes() != drawn
    assert off.locator("#cells .rows text[fill='var(--query)']").all_text_contents() == ["去"]

    off.locator("#cells .numbers text").nth(47).hover()  # 买 → 苹果
    assert said.inner_text().splitlines()[-1] == "买 → 苹果：0.73"
    assert off.locator("#cells .columns text[fill='var(--key)']").all_text_contents() == ["苹果"]

    off.locator("#lines .word", has_text="昨天").focus()
    off.keyboard.press("ArrowRight")
    assert said.inner_text().startswith("去 最关注 超市（0.61）")
    off.keyboard.press("Enter")
    off.locator("#cells svg").focus()
    off.keyboard.press("ArrowDown")
    off.keyboard.press("ArrowRight")
    assert "→" in said.inner_text()
    off.locator("#cells svg").blur()
    assert said.inner_text().startswith("去 最关注")  # the word that was kept


def test_the_lines_that_the_page_draws_are_those_of_the_picture(page, open_file):
    open_at(page)
    drawn = ElementTree.fromstring(read(download(page, "svg-arcs")))
    (arcs,) = [g for g in drawn.iter(f"{SVG}g") if g.get("class") == "arcs"]
    off = open_file(download(page, "page"))

    def numbers(path):
        return [float(number) for number in re.findall(r"-?[\d.]+", path)]

    shown = off.locator("#lines .arcs path").evaluate_all("all => all.map(p => p.getAttribute('d'))")
    assert len(shown) == len(arcs)
    for ours, theirs in zip(arcs, shown, strict=True):
        assert numbers(ours.get("d")) == pytest.approx(numbers(theirs), abs=0.06)


def test_looked_at_by_in_the_page(page, open_file):
    open_at(page, "/?direction=in&word=7&special=off&lang=en")
    off = open_file(download(page, "page"))
    assert off.locator("#said").inner_text() == "苹果 is looked at most by 买 (0.79), then by 苹果 (0.60)."
    assert off.locator("#cells .columns text[fill='var(--query)']").all_text_contents() == ["苹果"]
    off.locator("#cells .numbers text").nth(4 * 8 + 6).hover()
    assert off.locator("#said").inner_text().splitlines()[-1] == "买 → 苹果: 0.79"


def test_no_word_chosen_in_the_page(page, open_file):
    open_at(page, "/?word=0")
    off = open_file(download(page, "page"))
    assert off.locator("#lines .arcs path").count() > 30
    assert off.locator("#said").inner_text() == ""
    off.locator("#lines .word", has_text="买").hover()
    assert off.locator("#said").inner_text().startswith("买 最关注 苹果（0.73）")
    assert off.locator("#lines .number").count() == 10


def test_a_hostile_sentence_stays_text_everywhere(page, open_file):
    open_at(page, f"/?text={quote(HOSTILE)}")
    off = open_file(download(page, "page"))
    assert off.locator("h1").inner_text() == HOSTILE
    assert off.locator("img, b").count() == 0
    assert off.locator("script").count() == 2
    off.locator("#lines .word", has_text="onerror").hover()
    assert off.locator("#said").inner_text().startswith("onerror ")
    seen = open_file(download(page, "svg-arcs"))
    assert seen.evaluate("document.querySelectorAll('img, script, b').length") == 0
    assert HOSTILE in seen.locator("text").all_text_contents()


def test_the_policy_stops_what_is_not_ours(page, browser, tmp_path):
    open_at(page)
    content = read(download(page, "page")).decode()
    file = tmp_path / "changed.html"
    file.write_text(content.replace("</main>", "<script>document.title = 'ran'</script></main>"), "utf-8")
    with browser.new_context() as context:  # without a witness, who would take the refusal for an error of ours
        changed, refused = context.new_page(), []
        changed.on("console", lambda message: refused.append(message.text))
        changed.goto(file.as_uri())
        changed.wait_for_selector("#said span")
        assert changed.title() != "ran"
        assert any("Content Security Policy" in text for text in refused)


def test_the_link_is_copied_and_restores_the_screen(page, open_page):
    open_at(page, "/?word=5")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    with rerun(page):
        page.locator(".st-key-lang").get_by_text("English").click()
    page.wait_for_function("new URL(location).searchParams.get('lang') === 'en'")
    field = page.get_by_role("textbox", name="Link to this screen")
    page.get_by_role("button", name="Copy", exact=True).click()
    page.get_by_text("Copied", exact=True).wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.url == field.input_value()
    again = open_page()
    open_at(again, copied)
    assert again.locator("h1").inner_text() == "One sentence"


def test_the_link_is_copied_where_the_clipboard_is_closed_to_pages(page):
    """Served to a class over plain http, a page has no navigator.clipboard."""
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    open_at(page)
    page.get_by_role("button", name="复制", exact=True).click()
    page.get_by_text("已复制", exact=True).wait_for()
    sentence(page).fill("")
    sentence(page).press("Control+V")
    assert sentence(page).input_value() == page.url
    sentence(page).press("Escape")


def test_the_code_is_shown_when_it_is_opened(page):
    open_at(page, "/?word=5")
    summary = page.locator(".st-key-card-code summary").first
    assert page.locator(".st-key-card-code pre").count() == 0
    summary.focus()
    with rerun(page):
        page.keyboard.press("Enter")
    page.locator(".st-key-card-code pre").first.wait_for()
    assert "attention_map(attention, [(6, 2)], show_special=True)" in page.locator(".st-key-card-code").inner_text()
    source = page.locator(".st-key-source-softmax summary")
    source.click()
    page.locator(".st-key-source-softmax pre", has_text="def softmax").wait_for()
    assert "attention_core/ops.py" in source.inner_text()
