"""The command line: `python -m attention_core COMMAND`, one file for each command.

    program.py    the program: arguments, exit codes, the one line of an error
    arguments.py  what several commands read: a sentence or its words, a number in a range
    terminal.py   text in columns, safe to print
    output.py     writing to a terminal, a file or a pipe

A command is a module with `add(commands)`, which describes its arguments, and `run(options)`, which returns the text
to write. It takes --format table or json.
"""

from attention_core.cli.program import main

__all__ = ["main"]
