"""A figure that is sent as it was made: what plotly's own figure would send, by the same way."""

from __future__ import annotations

import json

import numpy as np
import plotly.graph_objects as go
from plotly.basedatatypes import BaseFigure
from streamlit.testing.v1 import AppTest

from attention_app.figures.finished import Finished

Z = np.array([[0.25, 0.5, 0.125], [0.0, 1.0, 0.75]], dtype=np.float32)
PLACES = np.array([[[1, 2]], [[3, 4]]], dtype=np.uint8)
TRACES = [{"type": "heatmap", "z": Z, "customdata": PLACES, "xgap": 2}, {"type": "bar", "y": [3, 4]}]
LAYOUT = {"height": 120, "xaxis": {"range": [0, 3]}}


def page(figure):  # AppTest runs its source alone: no names of this module
    import streamlit as st

    st.plotly_chart(figure, theme=None)


def sent(figure: BaseFigure) -> dict[str, object]:
    app = AppTest.from_function(page, args=(figure,)).run()
    assert not app.exception
    spec: dict[str, object] = json.loads(app.get("plotly_chart")[0].proto.spec)
    return spec


def test_it_sends_what_plotlys_figure_sends():
    finished, plotlys = sent(Finished(TRACES, LAYOUT)), sent(go.Figure(TRACES, LAYOUT))
    assert finished["data"] == plotlys["data"]
    assert finished["layout"] == {"height": 120, "xaxis": {"range": [0, 3]}}  # plotly's would bring a template


def test_the_arrays_are_packed_and_the_callers_left_alone():
    traces = [dict(trace) for trace in TRACES]
    first = Finished(traces, LAYOUT).to_dict()["data"][0]
    assert first["z"]["shape"] == "2, 3"
    assert first["customdata"]["dtype"] == "u1"
    assert traces[0]["z"] is Z
