"""The app as it is served."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

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


def test_the_first_visitor_finds_everything_loaded():
    program = """
import sys, asgi
slow = {"pandas", "streamlit.emojis", "jieba", "attention_core.sources.e5_forward"}
before = slow & set(sys.modules)
asgi.warm_up()
print(sorted(before), sorted(slow - set(sys.modules)))
"""
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout == "[] []\n"
