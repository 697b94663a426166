"""Numeral or demonstrative + measure word: two words for the lesson (一/只, 三/本, 这/部).

The dictionary holds some seven hundred of these pairs as one word and lacks as many others, so that 一只 would be one
word and 一棵 two. A pair in data/fixed_words.txt stays whole (一个, 每天).
"""

from __future__ import annotations

import functools
import re

from attention_core.words.dictionary import read_list

_COUNTERS = "一二两三四五六七八九十百千万亿几半"
_POINTERS = "这那哪每"
# Measure words a beginner meets (HSK levels 1 to 6) that cannot be read as something else in such a pair: no 点 月 号
# (八点, 三月 are points in time), no 样 起 边 面 些 下 (一样, 一起 are words of their own).
_MEASURES = (
    "个只本条件张把位名头匹棵朵座辆架艘台部间家所栋幢扇幅首篇句段封页册份项种类双对副套群批堆排串束根块片颗粒支枝"
    "杯碗盘瓶盒箱袋包桶壶锅盆勺滴顿场阵次遍趟回届节门道款顶床笔声股团圈层口步天年岁周秒元毛米斤吨亩倍"
)  # fmt: skip
_LONG_MEASURES = ("分钟", "小时", "星期", "公里", "公斤", "公顷", "厘米", "美元")
_PAIR = re.compile(f"([{_COUNTERS}]+|[{_POINTERS}])([{_MEASURES}]|{'|'.join(_LONG_MEASURES)})")


@functools.cache
def _fixed() -> frozenset[str]:
    return frozenset(read_list("fixed_words.txt"))


def split_counted(word: str) -> tuple[str, ...]:
    """("一", "只") for 一只; the word alone where it is no such pair, or a fixed one."""
    pair = _PAIR.fullmatch(word)
    return pair.groups() if pair and word not in _fixed() else (word,)
