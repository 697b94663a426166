"""What can be taken along from 多头与拼接: a program for the whole layer, and every matrix on its way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attention_app.components.matrix import Matrix
from attention_app.text import Text
from attention_app.ui import frame
from attention_app.ui.multihead.layer import Layer, of
from attention_app.ui.take import Program, Take
from attention_app.ui.take.program import START, texts
from attention_app.ui.take.screen import Section
from attention_core.contributions import overlaps
from attention_core.measures import entropy


def take(now: Layer, sections: Sequence[Section]) -> Take:
    """The page as it is in this run."""
    t, lesson, dim, off = frame.text("take"), now.lesson, now.dim, now.off
    what = "one_head" if now.n_heads == 1 else "layer_real" if lesson.source == "real" else "layer"
    return Take(
        name="multihead",
        t=t,
        lesson=lesson,
        place=frame.text("multihead")(f"multihead.{what}", layer=lesson.layer + 1, heads=now.n_heads),
        at=str(lesson.layer + 1),
        sections=sections,
        whole=True,
        all_heads=True,
        matrices=lambda: list(matrices(t, of(lesson, dim, off))),
        program=lambda: program(t, of(lesson, dim, off)),
    )


def matrices(t: Text, now: Layer) -> Iterator[Matrix]:
    """All matrices in the order of the lesson."""
    trace, everyone = now.trace, range(now.n)
    heads = [t("take.head", head=head + 1) for head in range(now.n_heads)]
    yield now.rows("X", trace.x_q, everyone)
    for head in range(now.n_heads):
        yield now.rows(f"attn_weights_{head + 1}", now.weights[head], everyone, columns=now.names)
    for head in range(now.n_heads):
        yield now.rows(f"Z_{head + 1}", trace.attention.z[head], everyone)
    yield now.rows("Concat", trace.concat, everyone)
    yield Matrix("W_O", trace.W_O)
    if now.biased:
        yield Matrix("b_O", trace.b_O[None], rows=("b_O",))
    yield now.rows("attn_out", now.out, everyone)
    if now.n_heads > 1:
        yield Matrix("Z W_O", now.parts[:, now.at], rows=heads)
        yield Matrix("overlap", overlaps(now.weights), rows=heads, columns=heads)
    yield Matrix("entropy", entropy(now.weights), rows=heads, columns=now.names)


def program(t: Text, now: Layer) -> Program:
    """The weights of all heads, and the layer's output."""
    trace = now.trace
    arrays = {"X": trace.x_q, "W_Q": trace.W_Q, "W_K": trace.W_K, "W_V": trace.W_V, "W_O": trace.W_O}
    biases = {"b_Q": trace.b_Q, "b_K": trace.b_K, "b_V": trace.b_V, "b_O": trace.b_O}
    biased = any(bias.any() for bias in biases.values())
    lines = [f"# {t('program.project_heads')}"]
    lines += [f'{n.lower()} = it["X"] @ it["W_{n}"]' + (f' + it["b_{n}"][:, None]' if biased else "") for n in "QKV"]
    lines += [
        f"scores = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[2])  # {t('program.score')}",
        "e = np.exp(scores - scores.max(axis=2, keepdims=True))",
        f"weights = e / e.sum(axis=2, keepdims=True)  # {t('program.softmax')}",
        f"z = weights @ v  # {t('program.mix')}",
        f"concat = np.concatenate(z, axis=1)  # {t('program.concat')}",
        'out = concat @ it["W_O"]' + (' + it["b_O"]' if biased else "") + f"  # {t('program.out')}",
        "",
        "for head, rows in enumerate(weights, start=1):",
        '    print("head", head)',
        '    for name, row in zip(it["names"], rows):',
        '        print(name, *(f"{weight:.6f}" for weight in row))',
    ]
    return Program(START + "\n".join(lines) + "\n", arrays | (biases if biased else {}) | {"names": texts(now.names)})
