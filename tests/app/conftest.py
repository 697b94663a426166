"""The whole app without a browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest, app_test

from attention_app.text import LANGUAGES, load

APP = str(Path(__file__).parents[2] / "app.py")
OpenApp = Callable[..., AppTest]
OOPS = {load("common", language)("app.oops") for language in LANGUAGES}


class NavigatingPagesManager(PagesManager):
    """The manager of a server on which st.navigation has run once.

    AppTest forgets that before every run and would execute a file of pages/ without app.py, values of widgets lost.
    What a visitor meets before that first navigation is tested in the browser, on a fresh server.
    """

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        PagesManager.uses_pages_directory = False


class Visit(AppTest):
    """A visit that ends at the first run in which something fails.

    An error in a page reaches the visitor as one sentence (frame.py) and so never counts as an exception of the app.
    """

    may_fail = False

    def _run(self, widget_state=None, timeout=None):
        app = super()._run(widget_state, timeout)
        if not self.may_fail:
            assert not self.exception, self.exception[0].value
            assert not OOPS & {error.value for error in self.error}, "the page failed: see what it logged"
        return app


@pytest.fixture
def open_app(monkeypatch) -> OpenApp:
    """open_app(text="…", source="toy", …): a fresh visitor whose link holds these parameters, after the first run.

    That run and all that follow are checked for failures; may_fail=True for who looks at them alone.
    """
    monkeypatch.setattr(app_test, "PagesManager", NavigatingPagesManager)

    def open_(*, may_fail: bool = False, **link: object) -> AppTest:
        app = Visit(APP, default_timeout=60)
        app.may_fail = may_fail
        for name, value in link.items():
            app.query_params[name] = str(value)
        return app.run()

    return open_


@pytest.fixture
def open_page(open_app, request) -> OpenApp:
    """open_page(off="3", …): a visitor of the page that the module's PAGE names, whose link holds these parameters.

    clean=False: the page may say that something is wrong with what the link holds.
    """

    def open_(*, clean: bool = True, **link: object) -> AppTest:
        app = open_app(**link)
        app.switch_page(f"pages/{request.module.PAGE}.py").run()
        assert not (clean and app.error), app.error[0].value
        return app

    return open_


@pytest.fixture
def open_steps(open_app) -> OpenApp:
    """open_steps(step=3, …): a visitor of the page 一步一步 whose link holds these parameters."""

    def open_(**link: object) -> AppTest:
        app = open_app(**link)
        app.switch_page("pages/steps.py").run()
        assert not app.error, app.error[0].value
        return app

    return open_
