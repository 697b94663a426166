"""The names of files that can be taken along."""

from __future__ import annotations


def file_name(*parts: str, suffix: str) -> str:
    """一步一步_7-3_矩阵.zip: what it comes from, where there, what it is. No spaces: some programs cut a name there."""
    return "_".join(part.replace(" ", "-") for part in parts if part) + suffix
