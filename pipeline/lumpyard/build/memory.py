"""What memory costs: the C library's habits with large buffers, and Python's collector."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
LARGE = 1 << 20  # raw bytes of a lump from which it matters


def keep_large_buffers() -> None:
    """Let freed buffers serve the next lump; does nothing where the C library is not glibc.

    glibc maps and unmaps every buffer above 32 MB; the page faults took 1.3 s of 2.7 s over 40 lumps of 50 MB.
    """
    import ctypes  # noqa: PLC0415 - 10 ms that only builds with large lumps pay

    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return
    mallopt(_M_MMAP_THRESHOLD, 1 << 30)
    mallopt(_M_TRIM_THRESHOLD, 1 << 30)


@contextmanager
def without_collector() -> Iterator[None]:
    """Nothing here makes cycles, and looking through 100,000 small values again and again costs 10 % of a build."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.freeze()  # or all that is left would be looked through once, at the next small value
            gc.enable()
