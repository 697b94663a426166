"""The small model's training: steps per second, forward, backward and Adam together, one thread.

python benchmarks/learn.py
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 5
HEADER = ("task", "heads", "steps/s", "whole run s")


def rows() -> list[tuple[str, ...]]:
    """One row for each task and number of heads, as in HEADER; medians. A run includes the exams at its moments.

    Measured in a process of its own, because the number of threads must be fixed before NumPy is imported.
    """
    done = subprocess.run(
        [sys.executable, __file__, "--measure"],
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        check=True,
    )
    return [tuple(row) for row in json.loads(done.stdout)]


def measure() -> list[tuple[str, ...]]:
    from attention_core.learn.settings import HEADS, TASKS, LearnSettings
    from attention_core.learn.training import N_STEPS, train

    table = []
    for task in TASKS:
        for n_heads in HEADS:
            times = []
            for seed in range(ROUNDS):
                start = time.perf_counter()
                train(LearnSettings(task=task, n_heads=n_heads, seed=seed))
                times.append(time.perf_counter() - start)
            taken = statistics.median(times)
            table.append((task, str(n_heads), f"{N_STEPS / taken:.0f}", f"{taken:.2f}"))
    return table


def main() -> None:
    if "--measure" in sys.argv:
        print(json.dumps(measure()))
        return
    table = [HEADER, *rows()]
    widths = [max(len(row[column]) for row in table) for column in range(len(HEADER))]
    for row in table:
        print("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)))


if __name__ == "__main__":
    main()
