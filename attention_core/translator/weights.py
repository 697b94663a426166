"""The numbers of the translator and the pieces that it knows.

`training/export_translator.py` writes them: matrices as float16 in weights.npz, pieces and merges in vocabulary.json,
what was measured in facts.json. The matrices become float32 once, when the model is loaded.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attention_core.attention import MultiHeadWeights
from attention_core.block import DecoderBlockWeights, EncoderBlockWeights
from attention_core.trace import FloatArray
from attention_core.translator.bpe import Pair

FOLDER = Path(__file__).resolve().parents[1] / "data" / "translator"


@dataclass(frozen=True)
class Vocabulary:
    """The pieces of both sides in the order of their ids, and the merges of the target side in theirs."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    source_ids: Mapping[str, int]
    target_ids: Mapping[str, int]
    ranks: Mapping[Pair, int]


@dataclass(frozen=True, eq=False)
class TranslatorWeights:
    """Everything the model consists of; read-only.

    source_embedding  (n_source, d_model)
    target_embedding  (n_target, d_model)  reads the words produced so far, and is also the output matrix
    out_bias          (n_target,)
    encoder, decoder  the blocks, from the first to the last
    """

    vocabulary: Vocabulary
    source_embedding: FloatArray
    target_embedding: FloatArray
    out_bias: FloatArray
    encoder: tuple[EncoderBlockWeights, ...]
    decoder: tuple[DecoderBlockWeights, ...]


def load_vocabulary(folder: Path = FOLDER) -> Vocabulary:
    """Read vocabulary.json: {"source": [...], "target": [...], "merges": ["a b", ...]}."""
    content = json.loads((folder / "vocabulary.json").read_text("utf-8"))
    source, target = tuple(content["source"]), tuple(content["target"])
    merges = [tuple(merge.split(" ")) for merge in content["merges"]]
    return Vocabulary(
        source=source,
        target=target,
        source_ids={piece: number for number, piece in enumerate(source)},
        target_ids={piece: number for number, piece in enumerate(target)},
        ranks={(first, second): rank for rank, (first, second) in enumerate(merges)},
    )


def load_facts(folder: Path = FOLDER) -> dict[str, Any]:
    """What is known about this model: sizes, recipe, and what was measured (facts.json)."""
    facts: dict[str, Any] = json.loads((folder / "facts.json").read_text("utf-8"))
    return facts


def load_weights(folder: Path = FOLDER) -> TranslatorWeights:
    """Read the files. Nothing is unpickled."""
    with np.load(folder / "weights.npz", allow_pickle=False) as file:
        arrays = {name: _as_float32(file[name]) for name in file.files}
    n_layers = 1 + max(int(name.split(".")[1]) for name in arrays if name.startswith("encoder."))
    return TranslatorWeights(
        vocabulary=load_vocabulary(folder),
        source_embedding=arrays["source_embedding"],
        target_embedding=arrays["target_embedding"],
        out_bias=arrays["out_bias"],
        encoder=tuple(_encoder_block(arrays, f"encoder.{layer}") for layer in range(n_layers)),
        decoder=tuple(_decoder_block(arrays, f"decoder.{layer}") for layer in range(n_layers)),
    )


def _as_float32(stored: NDArray[np.float16]) -> FloatArray:
    array = stored.astype(np.float32)
    array.setflags(write=False)
    return array


def _encoder_block(arrays: Mapping[str, FloatArray], prefix: str) -> EncoderBlockWeights:
    of_block: dict[str, Any] = _plain(arrays, prefix, EncoderBlockWeights)
    return EncoderBlockWeights(multi_head=_multi_head(arrays, f"{prefix}.multi_head"), **of_block)


def _decoder_block(arrays: Mapping[str, FloatArray], prefix: str) -> DecoderBlockWeights:
    of_block: dict[str, Any] = _plain(arrays, prefix, DecoderBlockWeights)
    return DecoderBlockWeights(
        self_attention=_multi_head(arrays, f"{prefix}.self_attention"),
        cross_attention=_multi_head(arrays, f"{prefix}.cross_attention"),
        **of_block,
    )


def _plain(arrays: Mapping[str, FloatArray], prefix: str, kind: type) -> dict[str, FloatArray]:
    """The arrays of a block that stand in no attention."""
    names = {field.name for field in fields(kind)}
    return {name: arrays[f"{prefix}.{name}"] for name in names if f"{prefix}.{name}" in arrays}


def _multi_head(arrays: Mapping[str, FloatArray], prefix: str) -> MultiHeadWeights:
    return MultiHeadWeights(**{field.name: arrays[f"{prefix}.{field.name}"] for field in fields(MultiHeadWeights)})
