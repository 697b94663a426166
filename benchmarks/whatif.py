"""A change in the real model: from the change to everything above it computed anew, one thread.

python benchmarks/whatif.py
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 15
AIM = 300  # ms at 12 words
SENTENCES = (
    "我昨天去超市买了苹果。",
    "小猫没有喝牛奶，因为它已经饱了。",
    "那个昨天在公园里帮我找到钥匙的男孩是我的同学。",
)
HEADER = ("words", "head of layer 1 off ms", "head of layer 7 off ms", "a word replaced ms", "aim")


def rows() -> list[tuple[str, ...]]:
    """One row for each sentence, as in HEADER; medians.

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
    from attention_core.changes import Changes, run_changed
    from attention_core.sources.e5 import load_model
    from attention_core.words import segment
    from attention_core.words.rewrite import replaced

    model = load_model()
    table = []
    for sentence in SENTENCES:
        words = segment(sentence)
        run = model.run(words)
        work = {
            "low": partial(run_changed, model, run, Changes(frozenset({(0, 2)}))),
            "high": partial(run_changed, model, run, Changes(frozenset({(6, 2)}))),
            "word": partial(model.run, replaced(words, 1, "今天")),
        }
        times: dict[str, list[float]] = {name: [] for name in work}
        for _ in range(ROUNDS):
            for name, act in work.items():
                start = time.perf_counter()
                act()
                times[name].append(time.perf_counter() - start)
        shown = [f"{1000 * statistics.median(times[name]):.0f}" for name in work]
        table.append((str(len(words)), *shown, f"< {AIM}" if len(words) <= 12 else ""))
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
