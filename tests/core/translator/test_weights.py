"""The reader of the weights, on a folder written here."""

import dataclasses
import json

import numpy as np

from attention_core.translator import Translator
from attention_core.translator.weights import load_weights
from attention_core.words.word import Word
from tests.core.translator.conftest import MERGES, SOURCE, TARGET, small_weights, vocabulary


def named(prefix, block):
    for field in dataclasses.fields(block):
        value = getattr(block, field.name)
        if dataclasses.is_dataclass(value):
            yield from named(f"{prefix}.{field.name}", value)
        elif field.name != "eps":
            yield f"{prefix}.{field.name}", value


def test_what_was_written_is_read(tmp_path):
    weights = small_weights(2)
    arrays = {name: getattr(weights, name) for name in ("source_embedding", "target_embedding", "out_bias")}
    for side in ("encoder", "decoder"):
        for layer, block in enumerate(getattr(weights, side)):
            arrays |= dict(named(f"{side}.{layer}", block))
    np.savez(tmp_path / "weights.npz", **{name: array.astype(np.float16) for name, array in arrays.items()})
    content = {"source": SOURCE, "target": TARGET, "merges": [" ".join(pair) for pair in MERGES]}
    (tmp_path / "vocabulary.json").write_text(json.dumps(content), "utf-8")

    read = load_weights(tmp_path)
    assert read.vocabulary == vocabulary()
    again = {name: getattr(read, name) for name in ("source_embedding", "target_embedding", "out_bias")}
    for side in ("encoder", "decoder"):
        for layer, block in enumerate(getattr(read, side)):
            again |= dict(named(f"{side}.{layer}", block))
    assert again.keys() == arrays.keys()
    for name, array in again.items():
        assert (array.dtype, array.flags.writeable) == (np.float32, False)
        np.testing.assert_array_equal(array, arrays[name].astype(np.float16))
    Translator(read).encode([Word("我")])
