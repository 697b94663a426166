"""Step 3: every query against every key."""

from __future__ import annotations

from attention_app.components import matrix
from attention_app.text import Text
from attention_app.ui import shown
from attention_app.ui.steps import step
from attention_app.ui.steps.numbers import Numbers
from attention_app.ui.terms import explain
from attention_core.attention import scaled_dot_product_attention

STEP = "3"


def show(t: Text, now: Numbers) -> None:
    with step.card(t, "scores", STEP, explain(t, "score", "query", "key")):
        n, d_head = len(now.names), now.d_head
        shown.formula(
            rf"{shown.named('scores', n, n)} = {shown.shaped('Q', n, d_head)}\;" + shown.shaped(r"K^{\top}", d_head, n)
        )
        row = now.trace.scores[0, now.row]
        best, least, word = int(row.argmax()), int(row.argmin()), now.best_word(row)
        what = "scores_only" if n == 1 else "scores" if best == word else "scores_special"
        shown.notice(
            t,
            what,
            query=now.names[now.row],
            key=now.names[best],
            largest=shown.number(float(row[best])),
            key2=now.names[least],
            smallest=shown.number(float(row[least])),
            key3=now.names[word],
            among=shown.number(float(row[word])),
            own=shown.number(float(row[now.row])),
            count=d_head,
        )
        matrix.product(
            now.rows("Q", now.trace.q[0], role="query"),
            now.rows("K", now.trace.k[0], role="key", only=slice(None)),
            now.pairs("scores", now.trace.scores[0]),
            transposed=True,
            **shown.matrix_options("steps-scores"),
            **step.pair_cell(now, row),
        )
        shown.source(t, "steps-scores", scaled_dot_product_attention)
