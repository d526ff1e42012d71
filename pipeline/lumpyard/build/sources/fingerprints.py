"""Digests of source files, remembered for as long as the file's size, times and inode stay (design.md, section 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.build.sources.scans import file_prefix
from lumpyard.build.statefile import load_state, save_state
from lumpyard.disk import STAT

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from lumpyard.build.sources.tree import ScannedTree
    from lumpyard.disk import FolderScan

MAGIC = b"lumpyard fingerprints 1\n"
_SIZE = 32
_UNKNOWN = bytes(_SIZE)

Folder = tuple[tuple[str, ...], bytes, bytes]  # names, a STAT block each, a digest each (zeros: unknown)


class Fingerprints:
    """What is known of the files of a project: for a tree that was scanned, the digest of each unchanged file."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._folders: dict[str, Folder] | None = None

    def known(self, tree: ScannedTree) -> dict[str, bytes]:
        """The digest of each file of the scanned folders that is as it was when it was read."""
        known: dict[str, bytes] = {}
        for folder, found in tree.scans.items():
            known.update(self.known_in(folder, found))
        return known

    def known_in(self, folder: str, found: FolderScan | None) -> dict[str, bytes]:
        """The same for one folder."""
        old = self._load().get(folder)
        if found is None or old is None:
            return {}
        prefix = file_prefix(folder)
        names, stats, digests = old
        if names == found.names and stats == found.stats:
            pairs = zip(names, range(0, len(digests), _SIZE), strict=True)
            known = [(prefix + name, digests[at : at + _SIZE]) for name, at in pairs]
        else:
            known = _still_known(prefix, old, found.names, found.stats)
        return {path: digest for path, digest in known if digest != _UNKNOWN}

    def save(
        self, tree: ScannedTree, stamp: int, known: Mapping[str, bytes], restless: Collection[str]
    ) -> None:
        """Keep what is known of the scanned folders, but not of files touched at or after the stamp, or since.

        What was kept of them stays: a folder that was scanned late, to see whether a file is there, was not in
        `known` when the build began.
        """
        folders = dict(self._load())
        changed = False
        for folder, found in tree.scans.items():
            old = folders.get(folder)
            if found is None:
                changed |= folders.pop(folder, None) is not None
                continue
            if old is not None and old[:2] == (found.names, found.stats) and _all_known(old[2]):
                continue  # nothing can be learned of it, unless it changed while it was read
            digests = self._digests(folder, found, stamp, known, restless)
            folders[folder] = (found.names, found.stats, digests)
            changed |= folders[folder] != old
        if changed:
            self._folders = folders
            save_state(self._path, MAGIC, (folders,))

    def _digests(
        self,
        folder: str,
        found: FolderScan,
        stamp: int,
        known: Mapping[str, bytes],
        restless: Collection[str],
    ) -> bytes:
        prefix = file_prefix(folder)
        recalled = self.known_in(folder, found)
        times = memoryview(found.stats).cast("q")
        if not recalled and not restless and max((*times[1::4], *times[2::4], 0)) < stamp:  # most, and quick
            return b"".join([known.get(prefix + name, _UNKNOWN) for name in found.names])
        return b"".join(
            known.get(prefix + name) or recalled.get(prefix + name, _UNKNOWN)
            if mtime < stamp and ctime < stamp and prefix + name not in restless
            else _UNKNOWN
            for name, mtime, ctime in zip(found.names, times[1::4], times[2::4], strict=True)
        )

    def _load(self) -> dict[str, Folder]:
        folders = self._folders
        if folders is None:
            folders = self._folders = (load_state(self._path, MAGIC, 1) or ({},))[0]
        return folders


def _all_known(digests: bytes) -> bool:
    if _UNKNOWN not in digests:  # nearly always, and quick
        return True
    return all(digests[at : at + _SIZE] != _UNKNOWN for at in range(0, len(digests), _SIZE))


def _still_known(prefix: str, old: Folder, names: tuple[str, ...], stats: bytes) -> list[tuple[str, bytes]]:
    old_names, old_stats, old_digests = old
    positions = {name: index for index, name in enumerate(old_names)}
    known = []
    for index, name in enumerate(names):
        at = positions.get(name)
        if at is None:
            continue
        if (
            old_stats[at * STAT.size : (at + 1) * STAT.size]
            == stats[index * STAT.size : (index + 1) * STAT.size]
        ):
            known.append((prefix + name, old_digests[at * _SIZE : (at + 1) * _SIZE]))
    return known
