"""Write a trained translator to attention_core/data/translator/ as NumPy reads it, and measure it.

    python training/export_translator.py --corpus tatoeba_cmn_eng.tsv --run RUN

Written: weights.npz (float16), vocabulary.json, and facts.json with what was measured on the rounded weights, by the
NumPy code that everybody runs: loss, chrF and BLEU on the held-out pairs, the share of right alignments, and the test
translations. The corpus must be the one of the training: the sets and vocabularies are made again from it.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import sacrebleu
import torch
from numpy.typing import NDArray
from train_translator import SEED
from translator_data import TEST_SENTENCES, Corpus, SentencePair, Vocabularies, build_vocabularies, read_corpus

from attention_core.translator import MAX_WIDTH, Translator, load_facts, search, target_words
from attention_core.translator.weights import FOLDER, load_weights
from attention_core.words import Word, parse_words, segment

PAIRS = Path(__file__).with_name("alignment_pairs.tsv")
STACKED = ("qkv.weight", "qkv.bias", "out.weight", "out.bias")
Tensors = dict[str, torch.Tensor]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--run", type=Path, required=True, help="folder of the checkpoints")
    parser.add_argument("--average", type=int, default=8, help="epochs whose weights are averaged")
    args = parser.parse_args()
    recipe = json.loads((args.run / "recipe.json").read_text("utf-8"))
    corpus = read_corpus(args.corpus, SEED)
    vocabularies = build_vocabularies(corpus.training)
    last = len(recipe["history"])
    tensors = average([args.run / f"epoch{epoch:03d}.pt" for epoch in range(last - args.average + 1, last + 1)])
    FOLDER.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(FOLDER / "weights.npz", **arrays(tensors, recipe["n_heads"]))  # type: ignore[arg-type]
    write_vocabulary(vocabularies)
    model = Translator(load_weights())
    facts = {
        "model": {
            "name": "translator",
            "n_layers": model.n_layers,
            "n_heads": model.n_heads,
            "d_model": model.d_model,
            "d_ff": model.d_ff,
            "parameters": sum(tensor.numel() for tensor in tensors.values()),
            "source_pieces": len(model.vocabulary.source),
            "target_pieces": len(model.vocabulary.target),
        },
        "training": {
            "corpus": "Tatoeba Mandarin-English, CC BY 2.0 FR",
            **recipe["notes"],
            **{name: recipe[name] for name in ("seed", "dropout", "falling")},
            "epochs": last,
            "averaged": args.average,
            "validation loss": [round(epoch["validation"], 3) for epoch in recipe["history"]],
        },
        "held_out": held_out(model, corpus),
        "alignment": alignment(model),
        "tests": tests(model),
    }
    (FOLDER / "facts.json").write_text(json.dumps(facts, ensure_ascii=False, indent=1) + "\n", "utf-8")
    print(json.dumps(load_facts(), ensure_ascii=False, indent=1))


def average(paths: Sequence[Path]) -> Tensors:
    """The mean of the checkpoints' weights."""
    states = [torch.load(path, weights_only=True) for path in paths]
    return {name: torch.stack([state[name] for state in states]).mean(dim=0) for name in states[0]}


def arrays(tensors: Tensors, n_heads: int) -> dict[str, NDArray[np.float16]]:
    """The weights under the names that attention_core/translator/weights.py reads, as float16."""
    named = {
        "source_embedding": tensors["source.weight"],
        "target_embedding": tensors["target.weight"],
        "out_bias": tensors["out_bias"],
    }
    layers = {name.rsplit(".ffn.first", 1)[0] for name in tensors if ".ffn.first" in name}
    for layer in layers:
        of_layer = {name.removeprefix(layer + "."): t for name, t in tensors.items() if name.startswith(layer + ".")}
        attentions = {"attn": "self_attention", "cross": "cross_attention"}
        if "cross.qkv.weight" not in of_layer:
            attentions = {"attn": "multi_head"}
        for theirs, ours in attentions.items():
            parts = {
                part: of_layer[f"{theirs}.{part}"] for part in ("qkv.weight", "qkv.bias", "out.weight", "out.bias")
            }
            for name, tensor in multi_head(parts, n_heads).items():
                named[f"{layer}.{ours}.{name}"] = tensor
        for norm in ("norm_attn", "norm_cross", "norm_ffn"):
            if f"{norm}.weight" in of_layer:
                named[f"{layer}.{norm}_gain"] = of_layer[f"{norm}.weight"]
                named[f"{layer}.{norm}_bias"] = of_layer[f"{norm}.bias"]
        for theirs, number in (("first", 1), ("second", 2)):
            named[f"{layer}.W_{number}"] = of_layer[f"ffn.{theirs}.weight"].T
            named[f"{layer}.b_{number}"] = of_layer[f"ffn.{theirs}.bias"]
    return {name: np.ascontiguousarray(tensor.numpy().astype(np.float16)) for name, tensor in named.items()}


def multi_head(parts: Tensors, n_heads: int) -> Tensors:
    """The stacked (3 d_model, d_model) [out, in] weights as ours: (n_heads, d_model, d_head)."""
    named: Tensors = {}
    d_model = parts["out.bias"].shape[0]
    for name, w, b in zip("QKV", parts["qkv.weight"].chunk(3), parts["qkv.bias"].chunk(3), strict=True):
        named[f"W_{name}"] = w.T.reshape(d_model, n_heads, -1).transpose(0, 1)
        named[f"b_{name}"] = b.reshape(n_heads, -1)
    return named | {"W_O": parts["out.weight"].T, "b_O": parts["out.bias"]}


def write_vocabulary(vocabularies: Vocabularies) -> None:
    content = {
        "source": list(vocabularies.source),
        "target": list(vocabularies.target),
        "merges": [" ".join(pair) for pair in vocabularies.ranks],
    }
    text = json.dumps(content, ensure_ascii=False, indent=0)
    (FOLDER / "vocabulary.json").write_text(text + "\n", "utf-8")


def held_out(model: Translator, corpus: Corpus) -> dict[str, object]:
    """Loss per piece in nats, chrF and BLEU (sacrebleu, mixed case, one reference) on the held-out pairs."""
    log_probability, count = 0.0, 0
    for pair in corpus.held_out:
        run = model.read(model.encode(as_words(pair)), model.reference_pieces(pair.text))
        log_probability += float(np.log(run.chosen).sum())
        count += len(run.pieces)
    measured: dict[str, object] = {"pairs": len(corpus.held_out), "loss": round(-log_probability / count, 3)}
    references = [[pair.text for pair in corpus.held_out]]
    for name, width in (("greedy", 1), (f"beam {MAX_WIDTH}", MAX_WIDTH)):
        found = []
        for pair in corpus.held_out:
            source = model.encode(as_words(pair))
            found.append(model.read(source, search(model, source, width).pieces).text)
        chrf, bleu = sacrebleu.corpus_chrf(found, references), sacrebleu.corpus_bleu(found, references)
        same = sum(a == b for a, b in zip(found, references[0], strict=True))
        measured[name] = {"chrF": round(chrf.score, 1), "BLEU": round(bleu.score, 1), "word for word": same}
    return measured


def as_words(pair: SentencePair) -> tuple[Word, ...]:
    return tuple(Word(word) for word in pair.words)


def alignment(model: Translator) -> dict[str, object]:
    """How often the strongest Chinese word of an English word is the right one, by hand-written pairs.

    A case is a sentence, its translation (teacher forcing), and one word on both sides. The attention is averaged over
    the heads of a layer.
    """
    right = np.zeros(model.n_layers, dtype=int)
    mass = np.zeros(model.n_layers)
    with PAIRS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    for row in rows:
        words = parse_words(row["words"])
        run = model.read(model.encode(words), model.reference_pieces(row["translation"]))
        shown = target_words(run)
        cross = shown.cross_attention.mean(axis=1)  # (n_layers, n_words, n_source_words)
        here, there = shown.words.index(row["english"]), [word.text for word in words].index(row["chinese"])
        right += cross[:, here].argmax(axis=-1) == there
        mass += cross[:, here, there]
    best = int(right.argmax())
    return {
        "pairs": len(rows),
        "right": right.tolist(),
        "mean weight": [round(float(m) / len(rows), 3) for m in mass],
        "best layer": best + 1,
        "share": round(int(right[best]) / len(rows), 3),
    }


def tests(model: Translator) -> list[dict[str, str]]:
    """The sentences that were chosen beforehand, translated."""
    answers = []
    for sentence in TEST_SENTENCES:
        source = model.encode(segment(sentence))
        texts = {width: model.read(source, search(model, source, width).pieces).text for width in (1, MAX_WIDTH)}
        answers.append({"source": sentence, "greedy": texts[1], f"beam {MAX_WIDTH}": texts[MAX_WIDTH]})
    return answers


if __name__ == "__main__":
    main()
