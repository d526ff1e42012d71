"""The hint that names the nearest word that would have been right."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def did_you_mean(word: str, choices: Iterable[str]) -> str:
    """A question such as "did you mean 'files'?", or an empty text where nothing is near."""
    from difflib import get_close_matches  # noqa: PLC0415 - 5 ms, only after a slip

    known = list(choices)
    lower = {choice.lower(): choice for choice in known}
    near = lower.get(word.lower()) or next(iter(get_close_matches(word, known, 1)), "")
    return f"did you mean '{near}'?" if near else ""
