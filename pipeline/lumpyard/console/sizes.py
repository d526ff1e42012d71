"""Sizes and counts as people read them, by one rule, and back.

A unit is 1,000 of the one below, as file managers, disks and stores count. Three figures are shown, so
numbers keep their width; `6G` on the command line is 6 GB and `6Gi` is 6 GiB.
"""

from __future__ import annotations

import re

from lumpyard.errors import UsageError

_UNITS = ("kB", "MB", "GB", "TB", "PB", "EB")
_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*(?:([kmgtp])(i?))?b?", re.IGNORECASE)
_POWER = {"k": 1, "m": 2, "g": 3, "t": 4, "p": 5}


def size_text(size: int) -> str:
    """A number of bytes in its unit: `0 B`, `999 B`, `1.50 kB`, `24.0 MB`, `170 MB`, `1.00 GB`."""
    if size < 1000:
        return f"{size} B"
    for power, unit in enumerate(_UNITS, 1):
        scaled = size / 1000**power
        for digits in (2, 1, 0):
            text = f"{scaled:.{digits}f}"
            if len(text.replace(".", "")) <= 3:  # 9.996 is 10.0, and 999.7 is the next unit's 1.00
                return f"{text} {unit}"
    return f"{size:,} B"


def count_text(number: int, what: str = "", plural: str = "") -> str:
    """A count with its noun: `1 lump`, `20,000 lumps`."""
    noun = what if number == 1 else plural or what + "s"
    return f"{number:,} {noun}" if what else f"{number:,}"


def percent_text(part: int, whole: int) -> str:
    """A share in whole percent, of nothing `-`; what is little, or not quite all, is not shown as nothing or all."""
    if whole and 0 < part * 100 < whole:
        return "<1%"
    percent = 100 * part // whole if whole else 0
    if percent == 100 and part > whole:
        return ">100%"
    return f"{percent}%" if whole else "-"


def share_text(part: int, whole: int) -> str:
    """The same to a tenth of a percent."""
    tenths = (2000 * part + whole) // (2 * whole) if whole else 0
    if part and not tenths:
        return "<0.1%"
    if tenths == 1000 and part != whole:
        return ">99.9%" if part < whole else ">100.0%"
    return f"{tenths // 10}.{tenths % 10}%" if whole else "-"


def parse_size(text: str) -> int:
    """Bytes that `6G`, `500 MB`, `1.5GiB` or `4096` stand for; UsageError for anything else."""
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise UsageError(f"{text!r} is not a size; write a number with k, M, G or T, such as 500M or 6G")
    number, unit, binary = match.groups()
    whole, _, fraction = number.partition(".")
    scale = (1024 if binary else 1000) ** _POWER[unit.lower()] if unit else 1
    size: int = int(whole + fraction) * scale // 10 ** len(fraction)
    return size
