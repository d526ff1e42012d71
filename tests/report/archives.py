"""Archives of many formats to measure and compare, from the tests' own writers."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from lz4 import block
from tests.builders import ewad

from lumpyard.archives.opening import open_archive
from lumpyard.report.inventory import Inventory, of_archive

if TYPE_CHECKING:
    from collections.abc import Mapping


def written(name: str, raw: bytes, *, packed: bool = False, **more: int) -> ewad.Written:
    """A lump of an EWAD, compressed or not."""
    if packed:
        return ewad.Written(os.fsencode(name), block.compress(raw, store_size=False), len(raw), **more)
    return ewad.Written(os.fsencode(name), raw, **more)


def inventory(data: bytes, path: str = "a.ewad", names: Mapping[int, str] | None = None) -> Inventory:
    return of_archive(path, open_archive(data), names)


def an_ewad(*lumps: ewad.Written, **more: object) -> Inventory:
    return inventory(ewad.build(list(lumps), **more))  # type: ignore[arg-type]
