"""Card 3: whether anything on the shelf fits. Weights cannot say so, for they always make 100 %; raw scores can."""

from __future__ import annotations

import math

from attention_app.components.spread import Band, Dot, spread
from attention_app.text import Text
from attention_app.ui import pictures, shown
from attention_app.ui.qkv import search
from attention_app.ui.qkv.search import Search
from attention_core.retrieval_facts import BAND, LIMIT, Spread, Typical, readable, typical, verdict

_STEP = 0.05  # between two ticks


def show(t: Text, now: Search) -> None:
    with shown.card("qkv-fits", t("card.fits.title"), t("card.fits.idea")):
        known, scores = now.typical, now.trace.scores
        bands = [_band(t, name, getattr(known, name)) for name in ("unrelated", "related")]
        dots: list[Dot] = [
            {"at": float(score), "name": name, "number": search.score(float(score))}
            for name, score in zip(now.names, scores, strict=True)
        ]
        low = math.floor((min(known.unrelated.low, float(scores.min())) - 0.005) / _STEP)
        high = math.ceil((max(known.related.high, float(scores.max())) + 0.005) / _STEP)
        shown_limit = f"{known.limit:.3f}"
        spread(
            "qkv-fits",
            bands,
            dots if pictures.revealed() else [],
            axis=(low * _STEP, high * _STEP),
            limit=known.limit,
            ticks=[tick * _STEP for tick in range(low, high + 1)],
            best=now.best,
            texts={
                "title": t("fits.title"),
                "rows": t("fits.rows"),
                "dot": t.entries["fits.dot"],
                "limit": t("fits.limit", limit=shown_limit, share=f"{LIMIT}%"),
            },
        )
        best = float(scores[now.best])
        found = verdict(now.trace.query, now.trace.keys[now.best], best)
        shown.notice(
            t,
            f"fits_{found}",
            key=now.names[now.best],
            score=search.score(best),
            limit=shown_limit,
            high=f"{known.unrelated.high:.3f}",
        )
        if found != "unknown":
            _measured(t, known)
        shown.source(t, "qkv-fits", verdict, readable, typical, Typical.judge)


def _band(t: Text, name: str, of: Spread) -> Band:
    label = t(f"fits.{name}", pairs=of.pairs, share=f"{BAND[1] - BAND[0]}%")
    spoken = t("fits.spoken", label=label, low=f"{of.low:.3f}", middle=f"{of.middle:.3f}", high=f"{of.high:.3f}")
    return {"label": label, "low": of.low, "high": of.high, "middle": of.middle, "spoken": spoken}


def _measured(t: Text, known: Typical) -> None:
    """What the limit was measured on, and how often it is wrong."""
    languages = t(f"fits.languages_{known.languages}")
    shown.say(
        t, "measured", languages=languages, topics=known.topics, above=f"{100 - LIMIT}%", missed=f"{known.missed:.0%}"
    )
