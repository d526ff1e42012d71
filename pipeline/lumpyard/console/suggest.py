"""What to say of a lump's name that is not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.manifest.closest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable

_MOST = 5000  # names compared letter by letter, at 20 µs each


def guess_name(path: str, names: Iterable[str]) -> str:
    """The question whether another name was meant, or an empty text.

    After another case, the same file name in another folder is the best guess.
    """
    known = list(names)
    folded = path.casefold()
    if any(name.casefold() == folded for name in known):
        return did_you_mean(path, known)
    near = [name for name in known if _tail(name) == _tail(path)]
    return (
        (did_you_mean(path, near) or f"did you mean '{near[0]}'?")
        if near
        else did_you_mean(path, known[:_MOST])
    )


def _tail(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2].casefold()
