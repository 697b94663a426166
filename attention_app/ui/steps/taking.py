"""What can be taken along from 一步一步: a program for this head, and every matrix on its way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attention_app.components.matrix import Matrix
from attention_app.text import Text
from attention_app.ui import cache, frame, state
from attention_app.ui.steps.gathering import columns, to_words
from attention_app.ui.steps.numbers import Choice, Numbers
from attention_app.ui.steps.values import stack
from attention_app.ui.steps.weighting import chain
from attention_app.ui.take import Program, Take
from attention_app.ui.take.program import START, texts
from attention_app.ui.take.screen import Section
from attention_core.sources.e5 import load_model
from attention_core.trace import FloatArray

ALL = slice(None)


def take(now: Numbers, sections: Sequence[Section]) -> Take:
    """The page as it is in this run."""
    t, lesson, choice = frame.text("take"), now.lesson, now.choice
    place = frame.text("steps")(f"steps.from.{lesson.source}", layer=lesson.layer + 1, head=lesson.head + 1)
    return Take(
        name="steps",
        t=t,
        lesson=lesson,
        place=place,
        at=f"{lesson.layer + 1}-{lesson.head + 1}",
        sections=sections,
        whole=state.get("step") == 0,
        matrices=lambda: list(matrices(t, choice.numbers())),
        program=lambda: program(t, choice),
    )


def matrices(t: Text, now: Numbers) -> Iterator[Matrix]:
    """All matrices in the order of the lesson, all rows of each."""
    head, layer, trace = now.lesson.head, now.layer, now.trace
    yield from _before(now)
    yield _rows(now, "X", layer.x_q)
    for name, W, b, made in (
        ("Q", layer.W_Q, layer.b_Q, trace.q),
        ("K", layer.W_K, layer.b_K, trace.k),
        ("V", layer.W_V, layer.b_V, trace.v),
    ):
        yield Matrix(f"W_{name}", W[head])
        if b.any():
            yield Matrix(f"b_{name}", b[head][None], rows=(f"b_{name}",))
        yield _rows(now, name, made[0])
    masked = {(row, column): "" for row in range(now.n) for column in range(now.n) if not trace.mask[row, column]}
    yield _pairs(now, "scores", trace.scores[0])
    yield _pairs(now, "scaled_scores", trace.scaled_scores[0])
    yield now.pairs("masked_scores", trace.masked_scores[0], only=ALL, mask_reasons=masked)
    yield chain(now, "", "attn_weights")
    yield _pairs(now, "attn_weights", now.weights)
    if now.real:
        of_key, of_query = to_words(now)
        yield Matrix("words", of_query @ now.weights @ of_key, rows=now.lesson.labels, columns=columns(now))
    yield _rows(now, "Z", trace.z[0])
    yield stack(now, t("take.total"))


def _before(now: Numbers) -> Iterator[Matrix]:
    """What X is made of."""
    if now.source:
        parts = now.source.embedding
        yield now.rows("one-hot", parts.one_hot, only=ALL, columns=parts.vocabulary)
        yield Matrix("E", parts.table * parts.scale, rows=parts.vocabulary)
        if parts.positions.any():
            yield _rows(now, "PE", parts.positions)
    elif now.lesson.layer == 0:
        made = load_model().embedding(cache.encoder_run(now.lesson.words).ids)
        yield _rows(now, "word", made.word)
        yield _rows(now, "position", made.position)
        yield _rows(now, "type", made.type)
        yield _rows(now, "sum", made.summed)


def _rows(now: Numbers, name: str, values: FloatArray) -> Matrix:
    return now.rows(name, values, only=ALL)


def _pairs(now: Numbers, name: str, values: FloatArray) -> Matrix:
    return now.pairs(name, values, only=ALL)


def program(t: Text, choice: Choice) -> Program:
    """The weights of this head under the learner's mask, scale and temperature."""
    now = choice.numbers()
    head, layer = now.lesson.head, now.layer
    arrays = {"X": layer.x_q, "W_Q": layer.W_Q[head], "W_K": layer.W_K[head], "W_V": layer.W_V[head]}
    biases = {"b_Q": layer.b_Q[head], "b_K": layer.b_K[head], "b_V": layer.b_V[head]}
    biased = any(bias.any() for bias in biases.values())
    lines = [f"# {t('program.project')}"]
    lines += [f'{n.lower()} = it["X"] @ it["W_{n}"]' + (f' + it["b_{n}"]' if biased else "") for n in "QKV"]
    divided = " / np.sqrt(q.shape[1])" if choice.scaled else ""
    lines += [f"scores = q @ k.T{divided}  # {t('program.score')}"]
    if not now.trace.mask.all():
        lines += [f'scores = np.where(it["mask"], scores, -np.inf)  # {t("program.mask")}']
        arrays["mask"] = now.trace.mask
    off = "scores - scores.max(axis=1, keepdims=True)"
    lines += [f"e = np.exp({off if choice.temperature == 1 else f'({off}) / {choice.temperature:g}'})"]
    lines += [f"weights = e / e.sum(axis=1, keepdims=True)  # {t('program.softmax')}"]
    lines += [f"z = weights @ v  # {t('program.mix')}", ""]
    lines += ['for name, row in zip(it["names"], weights):', '    print(name, *(f"{weight:.6f}" for weight in row))']
    return Program(START + "\n".join(lines) + "\n", arrays | (biases if biased else {}) | {"names": texts(now.names)})
