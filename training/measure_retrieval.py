"""Measure which scores unrelated and related texts have, and write attention_core/data/retrieval.json.

    python training/measure_retrieval.py

Our own topics in retrieval.tsv: a request and two labels that fit it, in Chinese and in English. A request with a label
of its own topic is a related pair, with a label of any other topic an unrelated one. Mixed pairs are a Chinese request
with an English label and the other way round.
"""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from attention_core.retrieval_facts import BAND, LIMIT  # noqa: E402
from attention_core.sources.e5_sentences import sentence_vectors  # noqa: E402

TOPICS = Path(__file__).with_name("retrieval.tsv")
OUTPUT = ROOT / "attention_core" / "data" / "retrieval.json"
DECIMALS = 4
Scores = NDArray[np.float64]


class Side(NamedTuple):
    """One language: the requests' vectors (n, d_model), the labels' (2, n, d_model): with keywords, and short."""

    requests: Scores
    labels: Scores


def main() -> None:
    OUTPUT.write_text(json.dumps(measure(), indent=1) + "\n", "utf-8")
    print(OUTPUT.read_text("utf-8"))


def measure() -> dict[str, object]:
    with TOPICS.open(encoding="utf-8") as file:
        topics = [row for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if not row[0].startswith("#")]
    zh, en = (_side([row[start : start + 3] for row in topics]) for start in (0, 3))
    languages = {"zh": [(zh, zh)], "en": [(en, en)], "mixed": [(zh, en), (en, zh)]}
    return {
        "made_by": "training/measure_retrieval.py",
        "measured_on": f"{TOPICS.relative_to(ROOT).as_posix()}: {len(topics)} topics, 2 labels each, 2 languages",
        "languages": {name: _entry(pairs) for name, pairs in languages.items()},
    }


def _side(rows: list[list[str]]) -> Side:
    requests, *labels = (list(column) for column in zip(*rows, strict=True))
    passages = np.stack([sentence_vectors(column, "passage") for column in labels])
    return Side(sentence_vectors(requests, "query").astype(np.float64), passages.astype(np.float64))


def _entry(pairs: list[tuple[Side, Side]]) -> dict[str, object]:
    scores = np.concatenate([side.requests @ other.labels.transpose(0, 2, 1) for side, other in pairs])  # (m, n, n)
    own = np.broadcast_to(np.eye(scores.shape[-1], dtype=bool), scores.shape)
    unrelated, related = scores[~own], scores[own]
    limit = round(float(np.percentile(unrelated, LIMIT)), DECIMALS)
    return {
        "topics": scores.shape[-1],
        "unrelated": _spread(unrelated),
        "related": _spread(related),
        "limit": limit,
        "missed": round(float((related < limit).mean()), DECIMALS),
    }


def _spread(scores: Scores) -> dict[str, float]:
    low, middle, high = (round(float(part), DECIMALS) for part in np.percentile(scores, (BAND[0], 50, BAND[1])))
    return {"pairs": scores.size, "low": low, "middle": middle, "high": high}


if __name__ == "__main__":
    main()
