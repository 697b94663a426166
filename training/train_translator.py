"""Train the translator from Mandarin to English that the translation page shows.

    python training/train_translator.py --corpus tatoeba_cmn_eng.tsv --out RUN

Needs PyTorch (training/requirements.txt). Every epoch leaves a checkpoint in RUN; the same command goes on from the
last one, and ends with the same bits as a training that was never interrupted. The learning rate rises, stays, and
falls to 0 over the last epochs: --epochs may still be changed as long as it has not begun to fall.

The corpus: Mandarin-English pairs of Tatoeba (https://tatoeba.org, CC BY 2.0 FR), as tab-separated English, Chinese,
attribution. It is not part of this project.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from translator_data import Encoded, build_vocabularies, encode, read_corpus
from translator_network import Sizes, SmoothedLoss, Translator

SEED = 17
BATCH_TOKENS = 2600  # source and target pieces of a batch, padding included
PEAK_RATE = 1e-3
WARM_UP = 800
WEIGHT_DECAY = 0.01
LABEL_SMOOTHING = 0.1
CUT_SHARE = 0.06  # words that are read character by character, so that the model knows both ways
JOINED_SHARE = 0.08  # pairs that are read with another one behind, so that it knows long texts
N_KEPT = 8  # epochs whose weights are kept for the average


@dataclass(frozen=True)
class Batch:
    """source (n, s), source_mask (n, 1, 1, s), given (n, t) with `<s>` first, wanted (n, t) with -1 behind the end."""

    source: torch.Tensor
    source_mask: torch.Tensor
    given: torch.Tensor
    wanted: torch.Tensor


def batches(pairs: Sequence[Encoded], rng: np.random.Generator | None) -> Iterator[Batch]:
    """All pairs in batches of similar length; with `rng` in random order, some of them cut or joined."""
    drawn: list[tuple[list[int], list[int]]] = []
    for pair in pairs:
        cut = rng.random(len(pair.words)) < CUT_SHARE if rng else np.zeros(len(pair.words), dtype=bool)
        source = [i for n, word in enumerate(pair.words) for i in (pair.characters[n] if cut[n] else word)]
        drawn.append((source, list(pair.target)))
    if rng:
        for first in rng.permutation(len(drawn))[: int(JOINED_SHARE * len(drawn))]:
            second = pairs[int(rng.integers(len(pairs)))]
            source, target = drawn[first]
            drawn[first] = (source + [i for word in second.words for i in word], target + list(second.target))
    noise = rng.random(len(drawn)) if rng else np.zeros(len(drawn))
    order = sorted(range(len(drawn)), key=lambda i: (len(drawn[i][0]), len(drawn[i][1]) + 2 * noise[i], i))
    groups: list[list[int]] = [[]]
    for index in order:
        group = [*groups[-1], index]
        width = max(len(drawn[i][0]) for i in group) + max(len(drawn[i][1]) + 1 for i in group)
        if width * len(group) > BATCH_TOKENS:
            groups.append([index])
        else:
            groups[-1] = group
    for number in rng.permutation(len(groups)) if rng else range(len(groups)):
        yield _batch([drawn[i] for i in groups[number]])


def _batch(pairs: list[tuple[list[int], list[int]]]) -> Batch:
    n_source = max(len(source) for source, _ in pairs)
    n_target = max(len(target) for _, target in pairs) + 1
    source = torch.zeros(len(pairs), n_source, dtype=torch.long)
    mask = torch.full((len(pairs), 1, 1, n_source), -1e9)
    given = torch.zeros(len(pairs), n_target, dtype=torch.long)  # 0 is <s>
    wanted = torch.full((len(pairs), n_target), -1, dtype=torch.long)
    for row, (source_ids, target_ids) in enumerate(pairs):
        source[row, : len(source_ids)] = torch.tensor(source_ids)
        mask[row, ..., : len(source_ids)] = 0
        given[row, 1 : len(target_ids) + 1] = torch.tensor(target_ids)
        wanted[row, : len(target_ids) + 1] = torch.tensor([*target_ids, 1])  # 1 is </s>
    return Batch(source, mask, given, wanted)


def batch_loss(model: Translator, batch: Batch, smoothing: float) -> tuple[torch.Tensor, int]:
    """The summed loss over the pieces that are no padding, and how many there are."""
    real = batch.wanted >= 0
    hidden = model.decode(model.encode(batch.source, batch.source_mask), batch.source_mask, batch.given)
    return SmoothedLoss.apply(model.logits(hidden[real]), batch.wanted[real], smoothing), int(real.sum())


def mean_loss(model: Translator, pairs: Sequence[Encoded]) -> float:
    """The mean loss per piece in nats, without smoothing, dropout or rounding to bfloat16."""
    model.eval()
    total, count = 0.0, 0
    with torch.no_grad():
        for batch in batches(pairs, None):
            loss, n = batch_loss(model, batch, 0)
            total, count = total + float(loss), count + n
    model.train()
    return total / count


def rate(step: int, done: float, epochs: int, falling: int) -> float:
    """The learning rate: up over WARM_UP steps, level, down to 0 over the last `falling` epochs.

    done: how many epochs are done, with fractions.
    """
    return PEAK_RATE * min(1.0, (step + 1) / WARM_UP, (epochs - done) / falling)


def train_epoch(
    model: Translator, optimizer: torch.optim.Optimizer, pairs: Sequence[Encoded], state: dict, args
) -> float:
    """One pass over the training set; returns the mean smoothed loss."""
    plan = list(batches(pairs, np.random.default_rng([SEED, state["epoch"]])))
    total, count = 0.0, 0
    for number, batch in enumerate(plan):
        done = state["epoch"] + number / len(plan)
        for group in optimizer.param_groups:
            group["lr"] = rate(state["step"], done, args.epochs, args.falling)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=args.bfloat16):
            loss, n = batch_loss(model, batch, LABEL_SMOOTHING)
        optimizer.zero_grad(set_to_none=True)
        (loss / n).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        state["step"] += 1
        total, count = total + float(loss.detach()), count + n
        if number % 50 == 0 or args.verbose:
            print(f"  {number}/{len(plan)} loss {total / count:.3f}", flush=True)
    state["epoch"] += 1
    return total / count


def save(path: Path, content: object) -> None:
    """Write whole or not at all."""
    torch.save(content, path.with_suffix(".part"))
    os.replace(path.with_suffix(".part"), path)


def main() -> None:
    args = parse_arguments()
    args.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(args.threads)
    torch.use_deterministic_algorithms(True)
    torch.utils.deterministic.fill_uninitialized_memory = False
    torch.manual_seed(SEED)
    corpus = read_corpus(args.corpus, SEED)
    vocabularies = build_vocabularies(corpus.training)
    training = encode(corpus.training[: args.limit], vocabularies)
    validation = encode(corpus.validation, vocabularies)
    sizes = Sizes(
        len(vocabularies.source),
        len(vocabularies.target),
        n_layers=args.layers,
        dropout=args.dropout,
        d_model=args.d_model,
    )
    model = Translator(sizes)
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=PEAK_RATE, betas=(0.9, 0.98), weight_decay=WEIGHT_DECAY, fused=True
    )
    state: dict = {"epoch": 0, "step": 0, "seconds": 0.0, "history": []}
    last = args.out / "last.pt"
    if last.exists():
        saved = torch.load(last, weights_only=False)
        if saved["sizes"] != asdict(sizes):
            raise SystemExit(f"{last} is of another network: {saved['sizes']}")
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        torch.set_rng_state(saved["random"])
        state = saved["state"]
    n_parameters = sum(p.numel() for p in model.parameters())
    print(f"{sizes}, {n_parameters:,} parameters, {corpus.notes}, from epoch {state['epoch']}", flush=True)
    while state["epoch"] < args.epochs:
        start = time.monotonic()
        trained = train_epoch(model, optimizer, training, state, args)
        state["seconds"] += time.monotonic() - start
        validated = mean_loss(model, validation)
        state["history"].append({"epoch": state["epoch"], "training": trained, "validation": validated})
        print(
            f"epoch {state['epoch']} training {trained:.3f} validation {validated:.3f} "
            f"perplexity {math.exp(validated):.1f} {time.monotonic() - start:.0f} s",
            flush=True,
        )
        save(args.out / f"epoch{state['epoch']:03d}.pt", model.state_dict())
        (args.out / f"epoch{state['epoch'] - N_KEPT:03d}.pt").unlink(missing_ok=True)
        recipe = {"epochs": args.epochs, "falling": args.falling, "seed": SEED, **asdict(sizes), "notes": corpus.notes}
        save(
            last,
            {
                "model": model.state_dict(),
                "optimizer": optimizer.state_dict(),
                "random": torch.get_rng_state(),
                "state": state,
                "sizes": asdict(sizes),
            },
        )
        (args.out / "recipe.json").write_text(json.dumps(recipe | {"history": state["history"]}, indent=1))


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="folder of the checkpoints")
    parser.add_argument("--epochs", type=int, default=24)
    parser.add_argument("--falling", type=int, default=12, help="epochs over which the learning rate falls to 0")
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--d-model", type=int, default=256)
    parser.add_argument("--dropout", type=float, default=0.2)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--float32", dest="bfloat16", action="store_false", help="do not multiply in bfloat16")
    parser.add_argument("--limit", type=int, help="train on so many pairs only, to try the script")
    parser.add_argument("--verbose", action="store_true", help="print every step")
    return parser.parse_args()


if __name__ == "__main__":
    main()
