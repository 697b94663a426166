"""Word embedding: every piece of the sentence becomes a row of the model's table."""

from __future__ import annotations

import numpy as np

from attention_app.components import matrix
from attention_app.text import Text
from attention_app.ui import shown
from attention_app.ui.structure.now import Now, framed
from attention_core.contributions import cosines
from attention_core.sources.e5 import Model, load_model


def show(t: Text, now: Now) -> None:
    parts = load_model().embedding(now.run.ids)
    shown.formula(shown.shaped(r"E_{\text{word}}", now.n, now.d_model))
    _notice(t, now, np.asarray(parts.word))
    rest = framed(parts.word, now.at)
    matrix.single(now.rows("E_word", parts.word), rest=rest, **shown.matrix_options("structure-embedding"))
    shown.source(t, "structure-embedding", Model.embedding)


def _notice(t: Text, now: Now, vectors: np.ndarray) -> None:
    """Whose row is most like the chosen word's, before any layer has seen the sentence."""
    own = now.run.alignment.spans[now.word]
    others = [at for at in range(1, now.n - 1) if not own[0] <= at < own[1]]
    if not others:
        shown.notice(t, "embedding_only", query=now.query, width=now.d_model)
        return
    like = cosines(vectors[others], np.broadcast_to(vectors[now.at], vectors[others].shape))
    best = int(like.argmax())
    shown.notice(t, "embedding", query=now.query, key=now.names[others[best]], cosine=shown.number(float(like[best])))
