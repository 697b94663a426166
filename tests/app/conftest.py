"""The whole app without a browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest, app_test

APP = str(Path(__file__).parents[2] / "app.py")
OpenApp = Callable[..., AppTest]


class NavigatingPagesManager(PagesManager):
    """The manager of a server on which st.navigation has run once.

    AppTest forgets that before every run and would execute a file of pages/ without app.py, values of widgets lost.
    What a visitor meets before that first navigation is tested in the browser, on a fresh server.
    """

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        PagesManager.uses_pages_directory = False


@pytest.fixture
def open_app(monkeypatch) -> OpenApp:
    """open_app(text="…", source="toy", …): a fresh visitor whose link holds these parameters, after the first run."""
    monkeypatch.setattr(app_test, "PagesManager", NavigatingPagesManager)

    def open_(**link: object) -> AppTest:
        app = AppTest.from_file(APP, default_timeout=60)
        for name, value in link.items():
            app.query_params[name] = str(value)
        app.run()
        assert not app.exception
        return app

    return open_


@pytest.fixture
def open_steps(open_app) -> OpenApp:
    """open_steps(step=3, …): a visitor of the page 一步一步 whose link holds these parameters."""

    def open_(**link: object) -> AppTest:
        app = open_app(**link)
        app.switch_page("pages/steps.py").run()
        assert not app.exception
        assert not app.error, app.error[0].value
        return app

    return open_
