"""The numbers of the real model: multilingual-e5-small (Wang et al. 2024), a 12-layer encoder built like BERT.

They are stored as 4-bit numbers with one float16 scale for every 32 neighbours in a row: weight = (number - 8) * scale.
The matrices of the layers are unpacked once, when the model is loaded (85 MB). The table with one row per piece stays
packed, and only the rows of a sentence's pieces are unpacked. `training/build_e5.py` makes the files.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from attention_core.trace import FloatArray
from attention_core.words.pieces import SPECIAL_IDS, PieceVocabulary

Arrays: TypeAlias = Mapping[str, NDArray[Any]]  # an opened .npz

FOLDER = Path(__file__).resolve().parents[1] / "data" / "e5"

ZERO_POINT = 8  # the 4-bit number that stands for 0
GROUP = 32  # neighbours that share one scale
ROWS_AT_ONCE = 512  # unpacked per slice, so that the temporaries stay small


@dataclass(frozen=True, eq=False)
class EmbeddingWeights:
    """Where a position's first vector comes from; read-only.

    word_ids     (n_kept,)                 ids in the full vocabulary, ascending
    word_packed  (n_kept, d_model / 2)     packed rows, see `unpack`
    word_scales  (n_kept, d_model / 32)
    position     (n_positions, d_model)    one row per position, counted from 0
    type         (n_types, d_model)        row 0 is added everywhere
    norm_gain, norm_bias (d_model,), eps   the layer norm over their sum
    """

    word_ids: NDArray[np.int32]
    word_packed: NDArray[np.uint8]
    word_scales: NDArray[np.float16]
    position: FloatArray
    type: FloatArray
    norm_gain: FloatArray
    norm_bias: FloatArray
    eps: float


@dataclass(frozen=True, eq=False)
class LayerWeights:
    """One layer, laid out for speed; read-only. Matrices are (d_out, d_in): y = W x + b for a column x.

    W_qkv (3 d_model, d_model), b_qkv (3 d_model,)   Q, K and V on top of each other, head after head; the factor
                                                     1 / sqrt(d_head) of the scaled scores is already in the Q part
    W_out (d_model, d_model), b_out (d_model,)
    W_1 (d_ff, d_model), b_1 (d_ff,), W_2 (d_model, d_ff), b_2 (d_model,)
    norm_attn_gain, norm_attn_bias, norm_ffn_gain, norm_ffn_bias (d_model,)
    """

    W_qkv: FloatArray
    b_qkv: FloatArray
    W_out: FloatArray
    b_out: FloatArray
    W_1: FloatArray
    b_1: FloatArray
    W_2: FloatArray
    b_2: FloatArray
    norm_attn_gain: FloatArray
    norm_attn_bias: FloatArray
    norm_ffn_gain: FloatArray
    norm_ffn_bias: FloatArray


@dataclass(frozen=True, eq=False)
class E5Weights:
    """Everything the model consists of. eps belongs to the layer norms of all layers."""

    vocabulary: PieceVocabulary
    embedding: EmbeddingWeights
    layers: tuple[LayerWeights, ...]
    n_heads: int
    eps: float


def unpack(packed: NDArray[np.uint8], scales: NDArray[np.float16]) -> FloatArray:
    """Packed rows (..., d / 2) and their scales (..., d / 32) -> float32 (..., d).

    Byte j of a row holds column j in its low half and column j + d / 2 in its high half.
    """
    half = packed.shape[-1]
    weights = np.empty((*packed.shape[:-1], 2 * half), dtype=np.float32)
    rows = weights.reshape(-1, 2 * half)  # (n_rows, d), the same memory
    flat_packed = packed.reshape(-1, half)
    flat_scales = scales.reshape(len(rows), -1, 1).astype(np.float32)  # (n_rows, d / 32, 1)
    for start in range(0, len(rows), ROWS_AT_ONCE):
        some = rows[start : start + ROWS_AT_ONCE]
        some[:, :half] = flat_packed[start : start + ROWS_AT_ONCE] & 15
        some[:, half:] = flat_packed[start : start + ROWS_AT_ONCE] >> 4
        some -= ZERO_POINT
        grouped = some.reshape(len(some), -1, GROUP)  # (n_some, d / 32, 32), the same memory
        grouped *= flat_scales[start : start + ROWS_AT_ONCE]
    return weights


def word_rows(embedding: EmbeddingWeights, ids: NDArray[np.int32]) -> FloatArray:
    """The word vectors (n, d_model) of ids in the full vocabulary. KeyError: an id that was not kept."""
    at = np.searchsorted(embedding.word_ids, ids)
    at = np.minimum(at, len(embedding.word_ids) - 1)
    if not np.array_equal(embedding.word_ids[at], ids):
        raise KeyError(f"not in the kept vocabulary: {sorted(set(ids.tolist()) - set(embedding.word_ids.tolist()))}")
    return unpack(embedding.word_packed[at], embedding.word_scales[at])


def load_weights(folder: Path = FOLDER) -> E5Weights:
    """Read and unpack the files. Nothing is unpickled. Takes about 0.15 s and 110 MB."""
    with np.load(folder / "vocabulary.npz", allow_pickle=False) as file:
        ids = file["ids"]
        vocabulary = _vocabulary(ids, file)
    with np.load(folder / "embeddings.npz", allow_pickle=False) as file:
        embedding = EmbeddingWeights(
            word_ids=_read_only(ids),
            word_packed=_read_only(file["word_packed"]),
            word_scales=_read_only(file["word_scales"]),
            position=_read_only(file["position"]),
            type=_read_only(file["type"]),
            norm_gain=_read_only(file["norm_gain"]),
            norm_bias=_read_only(file["norm_bias"]),
            eps=float(file["eps"]),
        )
    with np.load(folder / "layers.npz", allow_pickle=False) as file:
        n_heads, eps = int(file["n_heads"]), float(file["eps"])
        layers = _layers(file, n_heads)
    return E5Weights(vocabulary=vocabulary, embedding=embedding, layers=layers, n_heads=n_heads, eps=eps)


def _vocabulary(ids: NDArray[np.int32], file: Arrays) -> PieceVocabulary:
    texts = file["texts"].tobytes().decode().split("\n")
    scores = dict(zip(texts, file["scores"].tolist(), strict=True))
    for special in SPECIAL_IDS:
        del scores[special]
    return PieceVocabulary(
        scores=scores,
        ids=dict(zip(texts, ids.tolist(), strict=True)),
        normaliser=dict(
            zip(file["code_points"].tolist(), file["replacements"].tobytes().decode().split("\n"), strict=True)
        ),
        unknown_score=float(file["unknown_score"]),
        longest=max(map(len, scores)),
    )


def _layers(file: Arrays, n_heads: int) -> tuple[LayerWeights, ...]:
    """The layers as read-only views of arrays that hold one kind of weight for all layers."""
    stacked: dict[str, FloatArray] = {}
    for ours, stored in {"qkv": "qkv", "out": "out", "1": "ffn_1", "2": "ffn_2"}.items():
        stacked[f"W_{ours}"] = unpack(file[f"{stored}_packed"], file[f"{stored}_scales"])
        stacked[f"b_{ours}"] = file[f"{stored}_bias"]
    for name in ("norm_attn_gain", "norm_attn_bias", "norm_ffn_gain", "norm_ffn_bias"):
        stacked[name] = file[name]

    d_model = stacked["W_qkv"].shape[-1]
    scale = 1 / math.sqrt(d_model // n_heads)
    stacked["W_qkv"][:, :d_model] *= scale  # the Q rows
    stacked["b_qkv"][:, :d_model] *= scale
    stacked = {name: _read_only(array) for name, array in stacked.items()}
    n_layers = len(stacked["W_qkv"])
    return tuple(LayerWeights(**{name: array[layer] for name, array in stacked.items()}) for layer in range(n_layers))


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    """The array, read-only down to the owner of its memory, so that `frozen` need not copy it."""
    owner: object = array
    while isinstance(owner, np.ndarray):
        owner.setflags(write=False)
        owner = owner.base
    return array
