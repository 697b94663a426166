"""Adam: steps of about the same size for every parameter, whatever the size of its gradient."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attention_core.learn.model import NAMES, Parameters

BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-8


@dataclass(frozen=True, eq=False)
class Moments:
    """The running means of the gradients (m) and of their squares (v) after t steps."""

    m: Parameters
    v: Parameters
    t: int


def start(p: Parameters) -> Moments:
    """Before the first step: everything 0."""
    zeros = Parameters(**{name: np.zeros_like(getattr(p, name)) for name in NAMES})
    return Moments(zeros, zeros, 0)


def adam(p: Parameters, gradient: Parameters, moments: Moments, rate: float) -> tuple[Parameters, Moments]:
    """One step (Kingma and Ba 2015, algorithm 1). Returns new ones and leaves the given ones alone."""
    t = moments.t + 1
    parts: dict[str, dict[str, object]] = {"p": {}, "m": {}, "v": {}}
    for name in NAMES:
        g = getattr(gradient, name)
        m = BETA_1 * getattr(moments.m, name) + (1 - BETA_1) * g
        v = BETA_2 * getattr(moments.v, name) + (1 - BETA_2) * g * g
        m_hat = m / (1 - BETA_1**t)  # both means start at 0 and are too small at first
        v_hat = v / (1 - BETA_2**t)
        parts["p"][name] = getattr(p, name) - rate * m_hat / (np.sqrt(v_hat) + EPSILON)
        parts["m"][name], parts["v"][name] = m, v
    new = {part: Parameters(**arrays) for part, arrays in parts.items()}  # type: ignore[arg-type]
    return new["p"], Moments(new["m"], new["v"], t)
