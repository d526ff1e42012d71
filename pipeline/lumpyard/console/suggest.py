"""The nearest of the words that would have been right."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MOST = 5000  # words compared letter by letter; difflib takes 20 µs for each


def closest(word: str, choices: Sequence[str]) -> str:
    """The choice that was most likely meant, or an empty text."""
    from difflib import get_close_matches  # noqa: PLC0415 - 5 ms, only after a slip

    folded = word.casefold()
    by_case = [choice for choice in choices if choice.casefold() == folded]
    if by_case:
        return by_case[0]
    matches = get_close_matches(word, choices[:_MOST], 1, 0.7)
    return matches[0] if matches else ""


def closest_path(path: str, choices: Iterable[str]) -> str:
    """Like `closest`, for names with slashes: the same last part elsewhere is the next best guess after case."""
    known = list(choices)
    tail = _tail(path)
    near = [choice for choice in known if _tail(choice) == tail]
    if near and not any(choice.casefold() == path.casefold() for choice in known):
        return closest(path, near) or near[0]
    return closest(path, known)


def _tail(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2].casefold()
