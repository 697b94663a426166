"""Text that stands in the link: compressed, in letters that a link takes as they are, and bounded."""

from __future__ import annotations

import base64
import zlib

MOST_BYTES = 2000  # of a parameter: links get cut when they are longer
_MOST_TEXT = 20_000  # bytes: a short parameter can be made that unpacks to megabytes


def pack(text: str) -> str:
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=") if text else ""


def unpack(packed: str) -> str:
    """The text again; ValueError for anything that `pack` has not made, and for a text that is too long."""
    if not packed:
        return ""
    try:
        reader = zlib.decompressobj()
        data = reader.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), _MOST_TEXT)
        if reader.eof:
            return data.decode()
    except (ValueError, zlib.error) as error:
        raise ValueError("this is no packed text") from error
    raise ValueError("this is no packed text")
