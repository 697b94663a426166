"""The player: everything that was recorded, and what is said about each moment."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st

from attention_app.components.keys import keys
from attention_app.components.learning import (
    Recording,
    Said,
    Sentence,
    learning,
    packed_maps,
    placed,
)
from attention_app.figures import numbers
from attention_app.figures.head_colors import css_color, css_ink
from attention_app.text import Text
from attention_app.ui import pictures, presenter, shown
from attention_app.ui.learn import choices, sentence
from attention_app.ui.learn.now import Now, rest
from attention_app.ui.terms import explain
from attention_core.learn import adam, backward, model
from attention_core.learn.embeddings import gathering, noun_points
from attention_core.learn.settings import TASKS
from attention_core.learn.tasks import answers_of
from attention_core.learn.vocabulary import load_vocabulary
from attention_core.trace import FloatArray

SENTENCES = (*(f"start_{task}" for task in TASKS), "right", "wrong", "lot", "more", "less", "gather")
NOBODY = -1  # of the answers is right where they are drawn by lot
NOTABLE = 0.02  # a change of the weight from one moment to the next that is worth a sentence


def show(t: Text, now: Now) -> None:
    """The sentence, and the recording of the whole training with it."""
    with st.container(border=True, key="card-player"):
        st.subheader(t("learning.title"), anchor=False, help=explain(t, "attention_weight", "softmax"))
        choices.badge(t, now.run)
        sentence.show(t, now)
        answers, probs = answers_shown(t, now)
        learning(
            recording(now),
            sentence_data(now, answers, probs),
            [{"color": css_color(head), "ink": css_ink(head)} for head in range(now.settings.n_heads)],
            [said(now, moment) for moment in range(len(now.run.steps))],
            at=now.moment,
            decimals=pictures.decimals(),
            hidden=not pictures.revealed(),
            texts={
                **texts(t),
                "nouns_how": t("learning.nouns_how", d_model=model.D_MODEL),
                "guess_first": t("lesson.guess"),
            },
            says={key: t.entries[f"moment.{key}"] for key in SENTENCES},
            on_moment=rest,
        )
        if presenter.on():  # the player itself has the other keys
            keys({"Escape": presenter.toggle, "n": presenter.reveal, "N": presenter.reveal})
        shown.source(t, "learn", model.forward, backward.backward, adam.adam)


def recording(now: Now) -> Recording:
    """The training itself, whatever the sentence."""
    run, vocabulary = now.run, load_vocabulary()
    n_answers = len(answers_of(now.settings.task))
    nouns = (*vocabulary.nouns, *vocabulary.held_out)
    return {
        "name": repr(now.settings),
        "steps": list(run.steps),
        "losses": np.round(run.losses, 3).tolist(),
        "guessing": round(math.log(n_answers), 3),
        "accuracies": np.round(run.accuracies, 3).tolist(),
        "held_out": None if now.settings.task == "copy" else np.round(run.held_out, 3).tolist(),
        "chance": round(1 / n_answers, 4),
        "measures": list(vocabulary.measures),
        "nouns": [
            (noun, vocabulary.measures.index(vocabulary.measure_of[noun]), noun in vocabulary.held_out)
            for noun in nouns
        ],
        "points": placed(noun_points(run)),
    }


def answers_shown(t: Text, now: Now) -> tuple[list[str], FloatArray]:
    """The answers as they are shown, and their probabilities (R, n): of any words only those of the sentence."""
    names, probs = answers_of(now.settings.task), now.replay.probs
    if now.settings.task != "copy":
        return list(names), probs
    own = list(dict.fromkeys(now.typed.words))
    places = [names.index(word) for word in own]
    others = np.maximum(1 - probs[:, places].sum(axis=1), 0)  # (R,)
    return [*own, t("learning.others")], np.column_stack([probs[:, places], others])


def sentence_data(now: Now, answers: list[str], probs: FloatArray) -> Sentence:
    typed, replay = now.typed, now.replay
    right = answers_of(now.settings.task)[typed.answer]
    return {
        "words": list(typed.words),
        "gap": typed.gap,
        "deciding": typed.deciding,
        "maps": packed_maps(replay.attn_weights),
        "rows": numbers.whole(replay.attn_weights[:, :, typed.gap]),
        "answers": answers,
        "right": NOBODY if now.settings.task == "shuffled" else answers.index(right),
        "probs": numbers.whole(probs),
    }


def said(now: Now, moment: int) -> list[Said]:
    """What there is to say about a moment, as keys below `moment` and their fields."""
    typed, run, task = now.typed, now.run, now.settings.task
    looked = now.replay.attn_weights[:, :, typed.gap, typed.deciding].mean(axis=1)  # (R,), mean of the heads
    probs, names = now.replay.probs[moment], answers_of(task)
    best = int(probs.argmax())
    values = {
        "key": typed.words[typed.deciding],
        "weight": number(looked[moment]),
        "answer": names[best],
        "p": number(probs[best]),
    }
    if moment == 0:
        return [(f"start_{task}", values | {"even": number(1 / len(typed.words))})]
    kind = "lot" if task == "shuffled" else "right" if best == typed.answer else "wrong"
    values |= {
        "first": number(looked[0]),
        "right": names[typed.answer],
        "loss": number(now.replay.losses[moment]),
        "accuracy": f"{run.accuracies[moment]:.0%}",
    }
    sentences: list[Said] = [(kind, values)]
    change = float(looked[moment] - looked[moment - 1])
    if abs(change) >= NOTABLE:
        more = "more" if change > 0 else "less"
        sentences.append((more, {"key": values["key"], "change": number(abs(change))}))
    if task == "measure" and moment == len(run.steps) - 1:
        sentences.append(("gather", {"ratio": number(gathering(run)[moment])}))
    return sentences


def number(value: float) -> str:
    return numbers.number(float(value), pictures.decimals())


def texts(t: Text) -> dict[str, str]:
    """The view's own words with their fields open: it fills them in."""
    start = "learning."
    return {key.removeprefix(start): text for key, text in t.entries.items() if key.startswith(start)}
