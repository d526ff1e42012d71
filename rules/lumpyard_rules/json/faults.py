"""What is wrong with a JSON text, and where."""

from __future__ import annotations

from typing import NamedTuple


class Fault(NamedTuple):
    """One thing to report; offsets are in characters."""

    at: int
    message: str
    hint: str = ""
    about: str = ""  # what stands at `other`: "first in line", "it opens in line"
    other: int = 0
    warning: bool = False
