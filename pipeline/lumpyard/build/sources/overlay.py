"""Folders that lie over each other, seen as one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.disk import STAT, FolderScan
from lumpyard.plan.names import sorted_by_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence


def overlay(scans: Sequence[FolderScan]) -> tuple[FolderScan, list[int]]:
    """What is seen of folders, the topmost first, and for each file which of them it is from.

    A name belongs to the topmost folder that has it, be it a file, a folder or something odd.
    """
    files: dict[str, tuple[int, bytes]] = {}
    folders: set[str] = set()
    odd: dict[str, str] = {}
    for number, found in enumerate(scans):
        hidden = {*files, *folders, *odd}
        for at, name in enumerate(found.names):
            if name not in hidden:
                files[name] = number, found.stats[at * STAT.size : (at + 1) * STAT.size]
        folders.update(name for name in found.folders if name not in hidden)
        odd.update((name, what) for name, what in found.odd if name not in hidden)
    names = sorted_by_bytes(list(files))
    merged = FolderScan(
        tuple(names),
        b"".join(files[name][1] for name in names),
        tuple(sorted_by_bytes(list(folders))),
        tuple((name, odd[name]) for name in sorted_by_bytes(list(odd))),
    )
    return merged, [files[name][0] for name in names]
