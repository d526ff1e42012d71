"""Moving a file to another name in its folder."""

from __future__ import annotations

import os

from lumpyard.disk.paths import native
from lumpyard.disk.refusals import refusing


def move_file(path: str, target: str) -> None:
    """Give a file another name, replacing what has it; DiskError where that is refused."""
    with refusing("move", path):
        os.replace(native(path), native(target))
