"""What a sound's headers say, and the refusal of one whose headers don't hold."""

from __future__ import annotations

from typing import NamedTuple

from lumpyard.errors import MalformedError, UnsupportedError


class Clip(NamedTuple):
    """A sound by its headers."""

    rate: int  # samples a second, of each channel
    channels: int
    seconds: float | None  # None: the file does not say
    notes: tuple[str, ...] = ()  # odd, but no error


def need(holds: bool, message: str) -> None:
    """Raise MalformedError if something does not hold."""
    if not holds:
        raise MalformedError(message, "sound")


def unsupported(message: str) -> UnsupportedError:
    """The refusal of a sound that may be legal."""
    return UnsupportedError(message, "sound")
