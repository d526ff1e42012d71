"""What is extracted in tests, and what came of it."""

from __future__ import annotations

import os
import stat

import pytest
from hypothesis import strategies as st

from lumpyard import disk
from lumpyard.extract import Target, Wanted, extract, plan_extraction

parts = (
    st.binary(max_size=20)
    .map(lambda data: data.decode("utf-8", "surrogateescape"))
    .filter(lambda part: not {"/", "\\"} & {*part})
)
names = st.lists(parts, min_size=1, max_size=4).map("/".join)
both_ways = pytest.mark.usefixtures("way")


def plan(*names: str) -> list[Target]:
    """Where the lumps of these names go."""
    return plan_extraction([Wanted(entry, name) for entry, name in enumerate(names)])


def unpack(*names: str, overwrite: bool = False) -> list[int]:
    """Extract lumps whose bytes are their numbers to "out"; the entries that failed."""
    failures = extract(plan(*names), lambda entry: b"%d" % entry, "out", overwrite=overwrite)
    return [failure.entry for failure in failures]


def tree(folder: str = ".") -> dict[str, bytes | str]:
    """Every file below a folder with its bytes, and what else is there."""
    found: dict[str, bytes | str] = {}
    for top, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(top, name)
            mode = os.lstat(path).st_mode
            if stat.S_ISREG(mode):
                found[os.path.relpath(path, folder)] = disk.read_file(path)
            elif not stat.S_ISDIR(mode):
                found[os.path.relpath(path, folder)] = "odd"
    return found
