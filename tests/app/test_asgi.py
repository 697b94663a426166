"""The app as it is served."""

from __future__ import annotations

import socket

from streamlit.web.server import server_util

import asgi  # noqa: F401 (what it changes at its import is what is tested)


def test_an_unknown_origin_is_refused_without_asking_the_internet(monkeypatch):
    asked = []

    def refuse(*address, **_):
        asked.append(address)
        raise OSError("no network in this test")

    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert not server_util.is_url_from_allowed_origins("http://somewhere.example:8501")
    assert server_util.is_url_from_allowed_origins("http://127.0.0.1:8501")
    assert not asked
