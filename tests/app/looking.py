"""What an AppTest looks at, and the events of our own views, which AppTest itself cannot send."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import numpy as np
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.testing.v1 import AppTest

DEFAULT = "我昨天去超市买了苹果。"
HOSTILE = "<img src=x onerror=alert(1)>我爱你"


def component(app: AppTest, name: str) -> Any:
    """The data a component was given in the last run."""
    return json.loads(_proto(app, name).json)


def words(app: AppTest) -> list[str]:
    return ["".join(chip["parts"]) for chip in component(app, "words")["chips"]]


def views(app: AppTest, name: str) -> list[Any]:
    """What every view of this kind was given in the last run, with what travelled apart from it."""
    found = [element.proto for element in app.get("bidi_component")]
    apart = [json.loads(one.json) for one in found if one.component_name == "attention.given"]
    givens = {(one["key"], one["id"]): one["content"] for one in apart}
    seen = [json.loads(one.json or "null") or {} for one in found if one.component_name == f"attention.{name}"]
    return [data | givens.get((data.get("key"), data.get("id")), {}) for data in seen]


def unpacked(sent: Any) -> np.ndarray:
    """The numbers of a matrix that was sent to the browser."""
    planes = np.frombuffer(zlib.decompress(base64.b64decode(sent["data"])), np.uint8)
    numbers = np.ascontiguousarray(planes.reshape(sent["bytes"], -1).T)
    return numbers.view("<f8" if sent["bytes"] == 8 else "<f4").reshape(sent["shape"])


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
