"""The corpus of the translator: read, cleaned, split, and cut into pieces. Used by train_translator.py.

Every choice here is fixed by a seed, so the same corpus gives the same three sets and the same vocabularies.
"""

from __future__ import annotations

import csv
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from attention_core.errors import InputError
from attention_core.translator import source_text, target_text
from attention_core.translator.bpe import Pair, apply_merges, learn_merges
from attention_core.words import segment

N_HELD_OUT = 500
N_VALIDATION = 500
LARGEST_GROUP = 12  # pairs that hang together; larger groups (Hi., I see.) stay in training
MIN_WORD_COUNT = 3
MIN_CHARACTER_COUNT = 2
N_TARGET_PIECES = 5000
RENAMED_SHARE = 0.4

# Half the corpus is about 汤姆 and 玛丽. A learner writes 小明 and 小红.
NEW_NAMES = (("汤姆", "小明", "Tom", "Xiaoming"), ("玛丽", "小红", "Mary", "Xiaohong"))

# Chosen before the training began, and never trained on. They stand in the model card with whatever came out.
TEST_SENTENCES = (
    "今天天气怎么样？",
    "老师在教室里。",
    "我昨天去超市买了苹果。",
    "小明喜欢踢足球。",
    "她每天早上喝一杯咖啡。",
    "你叫什么名字？",
    "我不知道他在哪里。",
    "这本书很有意思。",
    "我们明天一起去看电影吧。",
    "外面正在下雨。",
    "请把门关上。",
    "他比我高。",
    "我的妹妹是医生。",
    "如果明天下雨，我就不去公园。",
    "他被老师批评了。",
    "人工智能正在改变世界。",
    "这个问题太难了。",
    "你会说英语吗？",
    "图书馆里有很多学生。",
    "小红的妈妈在医院工作。",
)


@dataclass(frozen=True)
class SentencePair:
    """One sentence pair: the Chinese words as the model reads them, and the English text."""

    words: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Corpus:
    """The three sets; no Chinese and no English sentence of one is in another (marks and capitals aside)."""

    training: list[SentencePair]
    validation: list[SentencePair]
    held_out: list[SentencePair]
    notes: dict[str, int]


@dataclass(frozen=True)
class Vocabularies:
    """source and target: piece -> id, from 0 without gaps. ranks: the merges of the target side in order."""

    source: dict[str, int]
    target: dict[str, int]
    ranks: dict[Pair, int]


def read_corpus(path: Path, seed: int) -> Corpus:
    """The pairs of a tab-separated file: English, Chinese, attribution."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [(row[1], row[0]) for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]
    notes = {"pairs in the file": len(rows)}
    pairs: list[SentencePair] = []
    for chinese, english in rows:
        try:
            words = source_text.read_as(segment(chinese))
        except InputError:
            continue
        text = target_text.plain_text(target_text.tokens(english))
        if text and all(" " <= character < "\u0250" for character in text):
            pairs.append(SentencePair(tuple(words), text))
    pairs = list(dict.fromkeys(pairs))
    notes["usable, without repetitions"] = len(pairs)
    tests = {_key("".join(source_text.read_as(segment(sentence)))) for sentence in TEST_SENTENCES}
    kept = [pair for pair in pairs if _key("".join(pair.words)) not in tests]
    notes["left out because a test sentence"] = len(pairs) - len(kept)
    rng = np.random.default_rng(seed)
    groups = _groups(kept)
    held_out, validation, training = _split(groups, rng)
    training = [_renamed(pair) if rng.random() < RENAMED_SHARE else pair for pair in training]
    notes |= {"training": len(training), "validation": len(validation), "held out": len(held_out)}
    return Corpus(training, validation, held_out, notes)


def _key(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()


def _groups(pairs: Sequence[SentencePair]) -> list[list[SentencePair]]:
    """The pairs that hang together by an equal Chinese or an equal English side, directly or through others."""
    leader: dict[str, str] = {}

    def find(key: str) -> str:
        while leader.setdefault(key, key) != key:
            leader[key] = leader[leader[key]]
            key = leader[key]
        return key

    for pair in pairs:
        leader[find("zh " + _key("".join(pair.words)))] = find("en " + _key(pair.text))
    groups: defaultdict[str, list[SentencePair]] = defaultdict(list)
    for pair in pairs:
        groups[find("en " + _key(pair.text))].append(pair)
    return list(groups.values())


def _split(
    groups: list[list[SentencePair]], rng: np.random.Generator
) -> tuple[list[SentencePair], list[SentencePair], list[SentencePair]]:
    """Whole groups, in random order, to the held-out set until it is full, then to validation, the rest to training."""
    held_out: list[SentencePair] = []
    validation: list[SentencePair] = []
    training: list[SentencePair] = []
    for index in rng.permutation(len(groups)):
        group = groups[index]
        for part, wanted in ((held_out, N_HELD_OUT), (validation, N_VALIDATION)):
            if len(group) <= LARGEST_GROUP and len(part) + len(group) <= wanted:
                part += group
                break
        else:
            training += group
    return held_out, validation, training


def _renamed(pair: SentencePair) -> SentencePair:
    """The pair with the new names, where both sides hold the old one."""
    words, text = pair.words, pair.text
    for old_zh, new_zh, old_en, new_en in NEW_NAMES:
        pattern = rf"\b{old_en}\b"
        if old_zh in words and re.search(pattern, text):
            words = tuple(new_zh if word == old_zh else word for word in words)
            text = re.sub(pattern, new_en, text)
    return SentencePair(words, text)


def build_vocabularies(training: Iterable[SentencePair]) -> Vocabularies:
    """Words met often and characters for the rest on the source side, BPE on the target side."""
    words: Counter[str] = Counter()
    tokens: Counter[str] = Counter()
    for pair in training:
        words.update(pair.words)
        tokens.update(target_text.tokens(pair.text))
    characters: Counter[str] = Counter()
    for word, count in words.items():
        for character in word:
            characters[character] += count
    source = [word for word, count in words.items() if count >= MIN_WORD_COUNT]
    source += [c for c, count in characters.items() if count >= MIN_CHARACTER_COUNT]
    merges = learn_merges(tokens, N_TARGET_PIECES - 3)
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    # Only pieces that some token still consists of: many a merge is a step on the way to a longer one.
    pieces = {piece for token in tokens for piece in apply_merges(token, ranks)}
    pieces |= {character for token in tokens for character in token}
    return Vocabularies(
        source=_numbered([source_text.UNKNOWN], source),
        target=_numbered([target_text.START, target_text.END, target_text.UNKNOWN], pieces),
        ranks=ranks,
    )


def _numbered(special: list[str], pieces: Iterable[str]) -> dict[str, int]:
    return {piece: number for number, piece in enumerate(special + sorted(set(pieces)))}


@dataclass(frozen=True)
class Encoded:
    """The pieces of one pair: those of every Chinese word, and the English ones, as ids."""

    words: tuple[tuple[int, ...], ...]
    characters: tuple[tuple[int, ...], ...]  # the same words, all cut into characters
    target: tuple[int, ...]


def encode(pairs: Iterable[SentencePair], vocabularies: Vocabularies) -> list[Encoded]:
    """The pairs as ids."""
    source, target = vocabularies.source, vocabularies.target
    unknown, unknown_target = source[source_text.UNKNOWN], target[target_text.UNKNOWN]
    cuts: dict[str, tuple[int, ...]] = {}
    encoded = []
    for pair in pairs:
        ids: list[int] = []
        for token in target_text.tokens(pair.text):
            if token not in cuts:
                cuts[token] = tuple(target.get(p, unknown_target) for p in apply_merges(token, vocabularies.ranks))
            ids += cuts[token]
        characters = tuple(tuple(source.get(c, unknown) for c in word) for word in pair.words)
        whole = tuple(
            (source[word],) if word in source else cut for word, cut in zip(pair.words, characters, strict=True)
        )
        encoded.append(Encoded(whole, characters, tuple(ids)))
    return encoded
