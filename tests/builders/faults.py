"""A file system that fails at the nth call: real calls of `os`, of which one is answered with an error.

Not a mock: everything but that one call really happens, so what is left on the disk is what would be left.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# All calls that change something or make it durable.
CHANGING = (
    "open",
    "mkdir",
    "write",
    "pwrite",
    "pwritev",
    "copy_file_range",
    "ftruncate",
    "fsync",
    "close",
    "link",
    "rename",
    "replace",
)


class Fault:
    """Counts calls, and fails the one that is number `at` (from 0), or all from there on."""

    def __init__(self, at: int, error: int, *, lasting: bool = False) -> None:
        self.at = at
        self.error = error
        self.lasting = lasting
        self.calls: list[str] = []

    def wrap(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """The call, with the fault in it."""

        def faulty(*args: Any, **keywords: Any) -> Any:
            number = len(self.calls)
            self.calls.append(name)
            if number == self.at or (self.lasting and number > self.at):
                if name == "close":  # a close that fails closes all the same
                    call(*args, **keywords)
                raise OSError(self.error, os.strerror(self.error))
            return call(*args, **keywords)

        return faulty


@contextmanager
def failing(fault: Fault) -> Iterator[Fault]:
    """Have the fault in `os` inside the block."""
    real = {name: getattr(os, name) for name in CHANGING}
    try:
        for name, call in real.items():
            setattr(os, name, fault.wrap(name, call))
        yield fault
    finally:
        for name, call in real.items():
            setattr(os, name, call)
