"""What an AppTest looks at, and the events of our own views, which AppTest itself cannot send."""

from __future__ import annotations

import json
from typing import Any

from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.testing.v1 import AppTest

DEFAULT = "我昨天去超市买了苹果。"
HOSTILE = "<img src=x onerror=alert(1)>我爱你"


def component(app: AppTest, name: str) -> Any:
    """The data a component was given in the last run."""
    return json.loads(_proto(app, name).json)


def words(app: AppTest) -> list[str]:
    return ["".join(chip["parts"]) for chip in component(app, "words")["chips"]]


def figure(app: AppTest) -> Any:
    (chart,) = app.get("plotly_chart")
    return json.loads(chart.proto.spec)


def said(app: AppTest) -> str:
    return "".join(part["text"] for part in component(app, "lines")["said"])


def link(app: AppTest) -> dict[str, Any]:
    return dict(app.query_params)


def trigger(app: AppTest, name: str, event: str, value: object) -> AppTest:
    """The run after the browser's setTriggerValue(event, value) in a component, its callback first."""
    states = app._tree.get_widget_states()
    sent = states.widgets.add()
    sent.id = _make_trigger_id(_proto(app, name).id, "events")
    sent.json_trigger_value = json.dumps([{"event": event, "value": value}])
    return app._run(states)


def _proto(app: AppTest, name: str) -> Any:
    for element in app.get("bidi_component"):
        if element.proto.component_name == f"attention.{name}":
            return element.proto
    raise AssertionError(f"{name} is not on the page")
