"""What a sound's headers say."""

from __future__ import annotations

from typing import NamedTuple


class Clip(NamedTuple):
    """A sound by its headers."""

    rate: int  # samples a second, of each channel
    channels: int
    seconds: float | None  # None: the file does not say
    notes: tuple[str, ...] = ()  # odd, but no error
