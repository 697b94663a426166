"""The program: it reads the arguments, runs one command and writes its answer.

Bad arguments of any kind end with one line on stderr and exit code 2.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import NoReturn

import attention_core
from attention_core.cli import attend, retrieve, translate
from attention_core.cli.arguments import UsageError
from attention_core.cli.output import out, write
from attention_core.cli.terminal import printable
from attention_core.errors import InputError

PROGRAM = "python -m attention_core"
COMMANDS = (attend, retrieve, translate)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code. argv: the arguments, those of the process when None."""
    try:
        options = _parser().parse_args(argv)
        write(options.run(options), as_json=options.format == "json")
        return 0
    except (InputError, UsageError) as error:
        return _fail(str(error))
    except OSError as error:  # a file of weights or words is missing or unreadable
        return _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except KeyboardInterrupt:
        return 130


def _fail(message: str) -> int:
    message = printable(message)
    message = message if len(message) <= 300 else message[:300] + " ..."
    if sys.stderr is not None:
        try:
            print(f"{PROGRAM}: {message}", file=sys.stderr, flush=True)
        except OSError:
            sys.stderr = None  # nobody is there to read it
    return 2


class _Parser(argparse.ArgumentParser):
    """argparse prints several lines of usage before its message; a person who mistyped needs the message."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        out("")  # help and version are still in the buffer: a closed pipe shows here, not at the end of the process
        super().exit(status, message)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog=PROGRAM, description="Attention between the words of a sentence.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"seeing-attention {attention_core.__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        added = command.add(commands)
        added.add_argument("--format", choices=("table", "json"), default="table", help="default: table")
        added.set_defaults(run=command.run)
    return parser
