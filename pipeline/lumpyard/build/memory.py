"""Keeping the C library from giving large buffers back to the system after each lump.

glibc maps and unmaps every buffer above 32 MB; the page faults took 1.3 s of 2.7 s over 40 lumps of 50 MB.
"""

from __future__ import annotations

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
LARGE = 1 << 20  # raw bytes of a lump from which it matters


def keep_large_buffers() -> None:
    """Let freed buffers serve the next lump; does nothing where the C library is not glibc."""
    import ctypes  # noqa: PLC0415 - 10 ms that only builds with large lumps pay

    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return
    mallopt(_M_MMAP_THRESHOLD, 1 << 30)
    mallopt(_M_TRIM_THRESHOLD, 1 << 30)
