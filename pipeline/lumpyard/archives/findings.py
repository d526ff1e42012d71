"""Findings by the million, told so that memory and screens can hold them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from lumpyard.archives.model import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_ALIKE = 100  # warnings of one code that are told one by one: a directory of zeros would have millions


def limited(findings: Iterable[Finding]) -> list[Finding]:
    """The warnings in directory order; of each code the first `MOST_ALIKE`, then one that says how many more."""
    met = Counter[str]()
    told = []
    for found in findings:
        met[found.code] += 1
        if met[found.code] <= MOST_ALIKE:
            told.append(found)
    told.sort(key=lambda found: found.entry or 0)
    for code, number in sorted(met.items()):
        if number > MOST_ALIKE:
            told.append(Finding(code, f"and {number - MOST_ALIKE} more such entries", None, "ok"))
    return told
