"""The gradient of one number of W_Q, link by link, and the same by trying it out."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st

from attention_app.components import matrix
from attention_app.components.matrix import Matrix
from attention_app.figures import numbers
from attention_app.text import Text
from attention_app.ui import pictures, shown, state
from attention_app.ui.learn.now import Now
from attention_app.ui.terms import explain
from attention_core.learn.backward import backward
from attention_core.learn.model import Parameters
from attention_core.learn.one_weight import NUDGE, WeightGradient, weight_gradient
from attention_core.learn.replay import see
from attention_core.learn.tasks import answers_of
from attention_core.trace import FloatArray

_DIGITS = 4  # significant ones
_EXACT = 10  # decimals of a loss that is compared with another one
SMALL_LOSS = 0.05


def show(t: Text, now: Now) -> None:
    with shown.card("weight", t("card.weight.title"), t("card.weight.idea"), explain(t, "gradient", "loss")):
        moment = now.moment or 0
        p = now.run.at(moment)
        slopes = backward(p, see(p, now.typed, now.settings), scaled=now.settings.scaled).W_Q  # (h, d, d_head)
        head, row, column = place = _place(slopes)
        chain = weight_gradient(p, now.typed, now.settings, *place)
        if len(slopes) > 1:
            state.put("weight-head", head + 1)
            st.segmented_control(
                t("weight.head"),
                range(1, len(slopes) + 1),
                key="weight-head",
                required=True,
                on_change=lambda: _choose(int(str(state.get("weight-head"))) - 1, row, column),
            )
        step = now.run.steps[moment]
        which = t(
            "weight.which", step=step, head=head + 1, row=row + 1, column=column + 1, value=significant(chain.weight)
        )
        untrained = f" :orange-badge[{t('badge.untrained')}]" if step == 0 else ""
        st.markdown(f"**{shown.plain(which)}**{untrained}")
        st.caption(t("weight.follows"))
        left, right = st.columns([1, 1.25], gap="large")
        with left:
            _matrix(t, p, head, row, column)
        with right:
            if not pictures.revealed():
                st.markdown(t("lesson.guess"))
            else:
                _chain(t, now, chain, head, row, column)
        shown.source(t, "weight", weight_gradient)


def _place(slopes: FloatArray) -> tuple[int, int, int]:
    """The chosen number; else, or if this training has no such number, the one with the largest gradient."""
    raw = str(state.get("weight"))
    if raw:
        head, row, column = (int(part) - 1 for part in raw.split("-"))
        if all(0 <= at < size for at, size in zip((head, row, column), slopes.shape, strict=True)):
            return head, row, column
        state.reject("weight", tell=True)
    head, row, column = map(int, np.unravel_index(np.abs(slopes).argmax(), slopes.shape))
    return head, row, column


def _choose(head: int, row: int, column: int) -> None:
    state.put("weight", f"{head + 1}-{row + 1}-{column + 1}")


def _matrix(t: Text, p: Parameters, head: int, row: int, column: int) -> None:
    st.caption(t("weight.pick"))
    matrix.single(
        Matrix(f"W_Q[{head + 1}]", p.W_Q[head], role="query"),
        cell=(row, column),
        on_cell=lambda cell: _choose(head, *cell) if cell else None,
        **shown.matrix_options("learn-weight") | {"hidden": False},
    )


def _chain(t: Text, now: Now, chain: WeightGradient, head: int, row: int, column: int) -> None:
    typed, settings = now.typed, now.settings
    answer = answers_of(settings.task)[typed.answer]
    p_right = math.exp(-chain.loss)
    if settings.task == "shuffled":
        shown.say(t, "lot", answer=answer)
    _link(t, "one", answer=answer, p=significant(p_right), dlogit=significant(float(chain.dlogits[typed.answer])))
    _link(t, "two", head=head + 1, d_head=len(chain.dz), length=significant(float(np.linalg.norm(chain.dz))))
    _link(t, "three", scale=significant(chain.scale))
    _table(t, now, chain, column)
    _title(t, "four", column=column + 1)
    shown.formula(rf"dq = \textstyle\sum = {_latex(chain.dq)}")
    _title(t, "five", row=row + 1)
    shown.formula(rf"{_latex(chain.x)} \times {_latex(chain.dq, bracket=True)} = {_latex(chain.gradient)}")
    _link(t, "six", nudge=f"{NUDGE:.4f}", up=exact(chain.loss_up), down=exact(chain.loss_down))
    shown.formula(rf"\frac{{L(+) - L(-)}}{{2 \times {NUDGE:.4f}}} = {_latex(chain.difference)}")
    shown.say(t, "same", difference=significant(abs(chain.difference - chain.gradient)))
    sign = "zero" if chain.gradient == 0 else "up" if chain.gradient > 0 else "down"
    shown.say(t, f"weight_{sign}")
    if chain.loss < SMALL_LOSS:
        shown.say(t, "weight_small", loss=significant(chain.loss))


def _title(t: Text, name: str, **values: object) -> None:
    st.markdown(f"**{shown.plain(t(f'weight.{name}', **values))}**")


def _link(t: Text, name: str, **values: object) -> None:
    """A link of the chain: its title and one line with its numbers."""
    _title(t, name, **values)
    st.markdown(shown.plain(t(f"weight.{name}_says", **values)))


def _table(t: Text, now: Now, chain: WeightGradient, column: int) -> None:
    """One row for each word, the last one their sum."""
    names = [
        t("weight.word"),
        t("weight.alpha"),
        t("weight.dalpha"),
        t("weight.ds"),
        t("weight.key", column=column + 1),
    ]
    names.append(t("weight.product"))
    columns = (chain.attn_weights, chain.dattn_weights, chain.dscores, chain.k, chain.dscores * chain.k)
    lines = [f"| {' | '.join(map(shown.plain, names))} |", "|---|" + "--:|" * len(columns)]
    for i, word in enumerate(now.typed.words):
        numbers = [significant(float(values[i]), 3) for values in columns]
        lines.append(f"| {shown.plain(word)} | {' | '.join(numbers)} |")
    with st.container(key="weight-table"):
        st.markdown("\n".join(lines))


def significant(value: float, digits: int = _DIGITS) -> str:
    """A number with so many significant digits, small ones with a power of ten: −0.003752, 1.052×10⁻⁷."""
    mantissa, power = _scientific(value, digits)
    if power:
        mantissa += "×" + numbers.power_of_ten(power)
    return mantissa.replace("-", shown.MINUS)


def _scientific(value: float, digits: int) -> tuple[str, int]:
    """A mantissa with so many digits and the power of ten, 0 for numbers that are read easily without."""
    if value == 0:
        return "0", 0
    small = not 1e-4 <= abs(value) < 10**digits
    mantissa, _, power = (f"{value:.{digits - 1}e}" if small else f"{value:#.{digits}g}").partition("e")
    return mantissa.removesuffix("."), int(power or 0)


def exact(loss: float) -> str:
    return f"{loss:.{_EXACT}f}"


def _latex(value: float, *, bracket: bool = False) -> str:
    mantissa, power = _scientific(value, _DIGITS)
    text = rf"{mantissa} \times 10^{{{power}}}" if power else mantissa
    return rf"\left({text}\right)" if bracket and value < 0 else text
