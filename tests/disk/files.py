"""A file and what stands beside it."""

from __future__ import annotations

import os

OLD = b"old bytes"
NEW = b"new" * 100_000


def names(folder: str = ".") -> list[str]:
    """What is in a folder, hidden files too."""
    return sorted(os.listdir(folder))
