"""What the tests of the page 一步一步 look at."""

from __future__ import annotations

from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

from tests.app.looking import unpacked, views


def matrices(app: AppTest) -> dict[str, Any]:
    """What the linked matrices of the page were given, by key."""
    return {data["key"].removeprefix("steps-"): data for data in views(app, "matrix")}


def result(app: AppTest, key: str) -> np.ndarray:
    return unpacked(matrices(app)[key]["result"]["values"])


def said(app: AppTest) -> str:
    return "\n".join(markdown.value for markdown in app.markdown)
