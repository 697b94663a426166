"""Card 1: the translation step by step, what could have come instead, and what the model is."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from attention_app.components.decode import Step, Target, decode
from attention_app.figures.numbers import whole
from attention_app.text import Text
from attention_app.ui import lesson_cards, pictures, presenter, shown, state
from attention_app.ui.controls import BADGES
from attention_app.ui.terms import explain
from attention_app.ui.translate import cache, picks
from attention_app.ui.translate.now import Now, facts
from attention_core.translator import Candidate, Translator, search
from attention_core.translator.target_text import START, UNKNOWN

CANDIDATES = 10
_VIEW = (
    *("weave", "candidates", "guess", "before", "taken", "pick", "slider", "said", "asked", "nothing"),
    *("looked", "looks", "at", "start", "play", "pause", "back", "on", "deck"),
)


def show(t: Text, now: Now) -> None:
    """The controls and the translation."""
    terms = explain(t, "decoder", "cross_attention", "greedy", "beam_search")
    with shown.card("translate-play", t("card.play.title"), t("card.play.idea"), terms):
        _about(t)
        _options(t, now)
        offered = [_offered(now, step) for step in range(now.n)]
        decode(
            now.lesson.labels,
            _steps(now, offered),
            _targets(now),
            made=now.made,
            forced=len(now.prefix),
            chosen=now.lesson.word,
            decimals=pictures.decimals(),
            hidden=not pictures.revealed(),
            presenting=presenter.on(),
            texts={name: t.entries[f"decode.{name}"] for name in _VIEW}
            | {"how": t("decode.how", count=CANDIDATES), "end": now.end, "first": START},
            on_made=_keeper(now.n),
            on_pick=_picker(now, offered),
        )
        _changed(t, now)
        shown.source(t, "translate-play", search, Translator.read)


def _about(t: Text) -> None:
    """What the model is, where its weights come from, and how well it does."""
    badge = f":{BADGES['trained']}-badge[{t('badge.trained')}]"
    if presenter.on():
        st.markdown(badge)
        return
    known = facts()
    model, held_out = known["model"], known["held_out"]
    about = t(
        "translate.about",
        **{name: model[name] for name in ("n_layers", "n_heads", "d_model")},
        count=f"{known['training']['training']:,}",
        pairs=held_out["pairs"],
        chrf=held_out["greedy"]["chrF"],
        same=held_out["greedy"]["word for word"],
    )
    st.markdown(f"{badge} {shown.plain(about)}")


def _options(t: Text, now: Now) -> None:
    """Width of the beam, layer, head, and how numbers are shown."""
    n_layers, n_heads = now.run.cross_attention.shape[:2]
    with st.container(horizontal=True, vertical_alignment="bottom", key="translate-options"):
        for name, choices, said in (
            ("beam", state.SCHEMA["beam"].choices, str),
            ("decoder_layer", range(1, n_layers + 1), str),
            ("decoder_head", range(n_heads + 1), lambda head: t("translate.mean") if head == 0 else str(head)),
        ):
            st.segmented_control(
                t(f"translate.{name}"),
                list(choices),
                format_func=said,
                key=name,
                required=True,
                wrap=True,
                help=explain(t, "beam_search") if name == "beam" else None,
            )
        lesson_cards.numbers(t)


def _offered(now: Now, step: int) -> list[tuple[Candidate, int]]:
    """The most probable pieces with their ranks from 1, and the one that was taken if it is not among them."""
    best = now.run.candidates(step, CANDIDATES)
    offered = [(candidate, rank) for rank, candidate in enumerate(best, start=1)]
    piece = now.run.pieces[step]
    if piece not in {candidate.piece for candidate in best}:
        chosen = float(now.run.chosen[step])
        offered.append((Candidate(piece, chosen), 1 + int((now.run.probabilities[step] > chosen).sum())))
    return offered


def _steps(now: Now, offered: list[list[tuple[Candidate, int]]]) -> list[Step]:
    rows = now.cross(tuple((step, step + 1) for step in range(now.n)))
    target_of = [target for target, (start, stop) in enumerate(now.spans) for _ in range(start, stop)]
    steps: list[Step] = []
    for step, (piece, candidates) in enumerate(zip(now.run.pieces, offered, strict=True)):
        pieces = [candidate.piece for candidate, _ in candidates]
        steps.append(
            {
                "text": now.shown(piece),
                "target": target_of[step],
                "row": whole(rows[step]) if pictures.revealed() else [0] * rows.shape[1],
                "candidates": [
                    (now.shown(one.piece), round(one.probability * 1e6), rank, one.piece not in (START, UNKNOWN))
                    for one, rank in candidates
                ]
                if pictures.revealed()
                else [],
                "chosen": pieces.index(piece),
            }
        )
    return steps


def _targets(now: Now) -> list[Target]:
    rows = now.cross(now.spans)
    hidden = [0] * rows.shape[1]
    return [
        {"text": text, "row": whole(row) if pictures.revealed() else hidden}
        for text, row in zip(now.targets, rows, strict=True)
    ]


def _keeper(n: int) -> Callable[[int], None]:
    """All steps: kept as such, whatever the next translation's length."""

    def keep(made: int) -> None:
        state.put("made", state.SCHEMA["made"].default if made == n else made)

    return keep


def _picker(now: Now, offered: list[list[tuple[Candidate, int]]]) -> Callable[[int, int], None]:
    """The callback lives as long as its session: it holds on to pieces, not to arrays."""
    pieces = now.run.pieces
    names = [[candidate.piece for candidate, _ in candidates] for candidates in offered]
    return lambda step, at: picks.pick(pieces[:step], names[step][at])


def _changed(t: Text, now: Now) -> None:
    """What was picked, how the translation would go by itself, and the way back."""
    if picks.was_refused():
        st.error(t("translate.full"), icon=":material/edit_off:")
    if now.prefix:
        own = cache.run(now.lesson.words, cache.found(now.lesson.words, now.width, ()).pieces)
        shown.notice(
            t,
            "picked",
            text=now.run.text,
            own=own.text,
            score=shown.number(now.found.score),
            own_score=shown.number(cache.found(now.lesson.words, now.width, ()).score),
        )
    elif now.found.stopped != "end":
        shown.say(t, f"stopped_{now.found.stopped}")
    with st.container(horizontal=True, key="translate-picks"):
        for name, icon, possible, act in (
            ("undo", "undo", picks.can_undo(), picks.undo),
            ("clear", "delete_sweep", bool(now.prefix), picks.clear),
        ):
            st.button(
                t(f"translate.{name}"),
                key=f"pick-{name}",
                icon=f":material/{icon}:",
                type="tertiary",
                disabled=not possible,
                on_click=act,
            )
