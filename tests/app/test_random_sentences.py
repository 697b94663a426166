"""Whatever a class may type: the page shows it or says why not, and never fails."""

from __future__ import annotations

import random

from attention_core.sources import SOURCES
from tests.app.looking import component

HAN = "我你他她它们昨天去超市买了苹果的地得在有不是一个学校老师猫狗吃喝看说𠮷㐂⼈⼯龘"
PIECES = (
    *("我", "苹果", "昨天", "学习", "Transformer", "GPT-4", "café", "Привет", "العربية", "हिन्दी", "１２３", "ＡＢＣ"),
    *(
        "👨‍👩‍👧",
        "🇨🇳",
        "👍🏽",
        "😀",
        "e\u0301",
        "\u200b",
        "\u200d",
        "\ufeff",
        "\u202e",
        "\x00",
        "\x1b",
        "\U000e0041",
    ),
    *("，", "。", "……", "——", "？？！！", "《", "》", "“", "”", " ", "\u3000", "\u00a0", "\t", "\n"),
    *(
        "<b>",
        "</s>",
        "[SEP]",
        "<script>",
        "a<b<c",
        "&amp;",
        "$x$",
        "**",
        "`",
        ":red[x]",
        "%{y}",
        "{0}",
        "\\",
        "/",
        '"',
        "'",
    ),
    *("https://example.com/?a=1", "3.14", "1,234.56", "99%", "-5", "C++", "#", "=1+1", "蘋果", "臺灣"),
)


def sentence(rng: random.Random) -> str:
    parts = []
    for _ in range(rng.choice((1, 2, 5, 12, 30, 60))):
        if rng.random() < 0.5:
            parts.append("".join(rng.choices(HAN, k=rng.randint(1, 4))))
        else:
            parts.append(rng.choice(PIECES))
    return "".join(parts)[: rng.choice((10, 60, 200, 230))]


def test_five_hundred_sentences_without_an_unexpected_error(open_app, caplog):
    rng = random.Random(2017)
    app = open_app(may_fail=True)  # what fails is told with its sentence
    shown = refused = 0
    for _ in range(500):
        app.session_state["source"] = rng.choice(list(SOURCES))
        text = sentence(rng)
        app.text_input(key="text").set_value(text).run()
        assert not [record for record in caplog.records if record.exc_info], repr(text)
        refused += len(app.error)
        shown += not app.error
        weights = [bar["weight"] for bar in component(app, "row")["bars"]]
        assert abs(sum(weights) - 1) < 0.01, repr(text)
    # Both ways are taken often enough to mean something.
    assert shown > 250
    assert refused > 20
