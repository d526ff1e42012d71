"""Opens an archive once and looks lumps up by name; prints the seconds as JSON.

`open`: from opening the file until all metadata is checked (for an EWAD) or read (for a zip file), imports not counted.
`lookup`: the mean of finding an entry by its name, over 50,000 names in random order, the first time each is asked for.
A process measures once, so nothing is warm but the file.
"""

from __future__ import annotations

import json
import sys
import time
import zipfile
from random import Random
from typing import TYPE_CHECKING, TypeVar

from lumpyard import disk
from lumpyard.archives.ewad.reader import view

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Name = TypeVar("Name", str, bytes)
LOOKUPS = 50_000


def main(path: str) -> None:
    """Measure one archive."""
    opened, lookup = measure_zip(path) if path.endswith(".zip") else measure_ewad(path)
    print(json.dumps({"open": opened, "lookup": lookup}))


def measure_ewad(path: str) -> tuple[float, float]:
    """Seconds to open an EWAD, and to find a lump."""
    start = time.perf_counter()
    with disk.open_map(path) as mapping:
        archive = view(mapping.data)
        opened = time.perf_counter() - start
        return opened, mean_of(archive.find, [lump.name for lump in archive.lumps if lump.name is not None])


def measure_zip(path: str) -> tuple[float, float]:
    """Seconds to open a zip file, and to find a member."""
    start = time.perf_counter()
    with zipfile.ZipFile(path) as members:
        opened = time.perf_counter() - start
        return opened, mean_of(members.getinfo, members.namelist())


def mean_of(find: Callable[[Name], object], names: Sequence[Name]) -> float:
    """Mean seconds of a lookup; every name must be found."""
    rng = Random(4)
    asked = rng.sample(names, min(LOOKUPS, len(names)))
    start = time.perf_counter()
    found = [find(name) for name in asked]
    spent = time.perf_counter() - start
    assert None not in found
    return spent / len(asked)


if __name__ == "__main__":
    main(sys.argv[1])
