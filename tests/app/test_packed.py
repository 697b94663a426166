"""Text that stands in a link: it comes back, and nothing else gets in."""

from __future__ import annotations

import base64
import re
import zlib

import pytest

from attention_app.ui.packed import MOST_BYTES, pack, unpack


@pytest.mark.parametrize("text", ["", "a", "苹果🍎<b>;\n", "x" * 20_000])
def test_what_was_packed_comes_back(text):
    packed = pack(text)
    assert unpack(packed) == text
    assert re.fullmatch(r"[A-Za-z0-9_-]*", packed)
    assert len(packed) < MOST_BYTES


def packed_bytes(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


@pytest.mark.parametrize(
    "bad",
    [
        "a",
        "AAAA",
        "苹果",
        packed_bytes(zlib.compress(b"whole")[:-3]),
        packed_bytes(zlib.compress(b"\xff\xfe")),
        pack("x" * 20_001),
        pack("x" * 2_000_000),
    ],
)
def test_what_pack_has_not_made_is_refused(bad):
    with pytest.raises(ValueError, match="no packed text"):
        unpack(bad)
