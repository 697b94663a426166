"""The address for the class: shown as a QR code when the app is served to the local network (`make class`)."""

from __future__ import annotations

import socket
from io import BytesIO

import segno
import streamlit as st

from attention_app.text import Text

_ANY = {"0.0.0.0", "::"}


def is_open() -> bool:
    """Whether other machines can reach this server."""
    return st.get_option("server.address") in _ANY


def address() -> str:
    """The address of this machine in its local network, e.g. "http://192.168.1.20:8501"."""
    # Connecting a UDP socket sends nothing: it only asks the system which of its own addresses it would use.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 1))
            host = probe.getsockname()[0]
        except OSError:  # no network at all
            host = "127.0.0.1"
    return f"http://{host}:{st.get_option('server.port')}"


def show(t: Text) -> None:
    """A dialog with the code, large enough for the back row, and the address in words."""

    @st.dialog(t("classroom.title"), width="large")
    def dialog() -> None:
        url = address()
        st.markdown(t("classroom.text"))
        st.title(url, anchor=False)
        code = BytesIO()
        segno.make(url, error="m").save(code, kind="png", scale=16, border=4)
        st.image(code.getvalue(), caption=t("classroom.alt"), width="stretch", output_format="PNG")

    dialog()
