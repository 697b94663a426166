"""Writing: to a terminal, a file, or a pipe whose reader may have gone."""

from __future__ import annotations

import os
import sys

from attention_core.cli.arguments import UsageError


def write(text: str, as_json: bool) -> None:
    """Write the answer of a command and a line end. UsageError: it cannot be written."""
    if hasattr(sys.stdout, "reconfigure"):
        if as_json:  # JSON is UTF-8 (RFC 8259, section 8.1), wherever it is read
            sys.stdout.reconfigure(encoding="utf-8")
        else:  # a terminal that lacks a character gets its escape instead of a traceback
            sys.stdout.reconfigure(errors="backslashreplace")
    out(text + "\n")


def out(text: str) -> None:
    """Write and flush, so that what goes wrong is seen here. UsageError: it cannot be written."""
    if sys.stdout is None:
        raise UsageError("the output could not be written: standard output is closed")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:  # the reader of a pipe has gone, or the disk is full
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  for what is left to flush at exit
        raise UsageError(f"the output could not be written: {error.strerror or error}") from None
