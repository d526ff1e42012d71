"""What a build lends to cooks: files read whole and unchanged, looked for, listed; tools; all kept for one run."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from blake3 import blake3

from lumpyard import disk
from lumpyard.build.asks import ask_again
from lumpyard.build.sources.source_errors import (
    UndecodableError,
    changed_meanwhile,
    failure,
    is_absence,
    may_be_pointer,
    vanished,
)
from lumpyard.errors import ArchiveError, DiskError, Error
from lumpyard.globs import parse_glob
from lumpyard.hashing import digest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from lumpyard.build.sources.archived import SourceArchive
    from lumpyard.build.sources.tree import ScannedTree
    from lumpyard.build.tools.resolving import ResolvedTool
    from lumpyard.disk import FolderScan, Stat
    from lumpyard.manifest.model import Manifest
    from lumpyard.plan.model import PlannedLump

_TRIES = 5


class Learned(NamedTuple):
    """A file's digest; plain values."""

    path: str
    digest: bytes
    steady: bool  # it still was as the scan had found it


class BuildWorld:
    """The `World` (build/asks.py) of one run over a scanned tree."""

    def __init__(
        self,
        root: str,
        manifest: Manifest,
        tree: ScannedTree,
        known: dict[str, bytes],
        tools: dict[str, ResolvedTool],
        recall: Callable[[str, FolderScan | None], Mapping[str, bytes]],
    ) -> None:
        self.root = root
        self.tree = tree
        self.known = known  # digests of files
        self.restless: set[str] = set()  # those of them that changed after the scan
        self._recall = recall  # digests that are known of a folder's files
        self._recalled: set[str] = set()  # folders that rules came upon
        self._learned: list[Learned] = []
        self._manifest = manifest
        self._tools = tools
        self._unusable: dict[str, Error] = {}
        self._globs: dict[str, tuple[str, ...]] = {}
        self._answers: dict[tuple[str, str], str | None] = {}

    def source(self, path: str, *, tell: bool = True) -> tuple[bytes, bytes]:
        """Bytes and digest of a source; SourceError where it cannot be had.

        Without `tell` what is learned of a file that is as it was scanned is left for the caller to tell.
        """
        try:
            return self._read(path, tell=tell)
        except FileNotFoundError:
            raise vanished(path) from None
        except DiskError as error:
            raise failure(path, "E0402", str(error)) from None

    def _read(self, path: str, *, tell: bool = True) -> tuple[bytes, bytes]:
        if place := self.tree.archived(path):
            return self._read_lump(path, *place, tell=tell)
        expected = self.tree.stat(path)
        try:
            data, stat = disk.read_with_stat(self.tree.real(path), expected.size if expected else 0)
            if stat != expected or len(data) != stat.size:
                tell = True
                data, stat = self._read_again(path, data, stat)
        except DiskError as error:
            if is_absence(error):
                raise FileNotFoundError(path) from None
            raise
        if may_be_pointer(data):
            raise failure(path, "E0403", "is a Git LFS pointer, not the file itself", "git lfs pull")
        found = digest(data)
        if tell:
            self._learn(path, found, steady=stat == expected)
        return data, found

    def _read_lump(self, path: str, archive: SourceArchive, index: int, *, tell: bool) -> tuple[bytes, bytes]:
        """A lump of an archive, which must stay as it was when its directory was read."""
        from lumpyard.build.sources.archived import ChangedError  # noqa: PLC0415 - most projects have no archives

        try:
            data = archive.read(index)
        except ArchiveError as error:
            raise UndecodableError(self.tree.found_in(path)[0], error) from None
        except ChangedError:
            raise changed_meanwhile(path) from None
        found = digest(data)
        if tell:
            self._learn(path, found, steady=True)
        return data, found

    def _lump_pieces(self, path: str, archive: SourceArchive, index: int) -> Iterator[bytes]:
        from lumpyard.build.sources.archived import ChangedError  # noqa: PLC0415 - as in _read_lump

        hashed = blake3()
        try:
            for piece in archive.pieces(index):
                hashed.update(piece)
                yield piece
        except ArchiveError as error:
            raise UndecodableError(self.tree.found_in(path)[0], error) from None
        except ChangedError:
            raise changed_meanwhile(path) from None
        self._learn(path, hashed.digest(), steady=True)

    def _read_again(self, path: str, data: bytes, stat: Stat) -> tuple[bytes, Stat]:
        """A file that changed since it was scanned, or while it was read: read until it holds still."""
        for _ in range(_TRIES):
            before = stat
            data, stat = disk.read_with_stat(self.tree.real(path), stat.size)
            if stat == before and len(data) == stat.size:
                return data, stat
        raise failure(
            path, "E0404", "keeps changing while it is being read", "stop what writes it, then build again"
        )

    def pieces(self, path: str) -> Iterator[bytes]:
        """A source in pieces, which must stay as it was scanned; SourceError at the end where it did not."""
        if place := self.tree.archived(path):
            yield from self._lump_pieces(path, *place)
            return
        expected = self.tree.stat(path)
        hashed = blake3()
        try:
            with disk.OpenFile(self.tree.real(path)) as source:
                for piece in source.iter_pieces():
                    hashed.update(piece)
                    yield piece
                stat = source.stat()
        except DiskError as error:
            raise (vanished(path) if is_absence(error) else failure(path, "E0402", str(error))) from None
        if stat != expected:
            raise changed_meanwhile(path)
        self._learn(path, hashed.digest(), steady=True)

    def source_size(self, lump: PlannedLump) -> int:
        """Bytes of a lump's sources at the scan."""
        return sum(map(self.tree.size, lump.sources))

    def take_learned(self) -> list[Learned]:
        """What was read since the last time and not known before."""
        learned, self._learned = self._learned, []
        return learned

    def learn(self, learned: Iterable[Learned]) -> None:
        """Know what a worker has learned."""
        for path, found, steady in learned:
            self.known[path] = found
            if not steady:
                self.restless.add(path)

    def _learn(self, path: str, found: bytes, *, steady: bool) -> None:
        if self.known.get(path) != found:
            self._learned.append(Learned(path, found, steady))
            self.learn(self._learned[-1:])

    def read(self, path: str) -> bytes:
        """Bytes of a file; FileNotFoundError where there is none."""
        return self._read(path)[0]

    def digest(self, path: str) -> str | None:
        """Hex BLAKE3 of a file's bytes; None where there is no file."""
        known = self.known.get(path) or self._remembered(path)
        if known is not None:
            return known.hex()
        try:
            return self._read(path)[1].hex()
        except FileNotFoundError:
            return None

    def _remembered(self, path: str) -> bytes | None:
        """The digest of a file in a folder that the plan did not list, where an earlier build has read it."""
        folder = path.rpartition("/")[0]
        if folder not in self._recalled:
            self._recalled.add(folder)
            found = self._recall(folder, self.tree.scan(folder))
            self.known.update((path, digest) for path, digest in found.items() if path not in self.known)
        return self.known.get(path)

    def exists(self, path: str) -> bool:
        """Whether a file is there."""
        return self.tree.stat(path) is not None

    def glob(self, pattern: str) -> Sequence[str]:
        """Paths of the files that a pattern matches, sorted by bytes."""
        if pattern not in self._globs:
            self._globs[pattern] = _list_files(self.tree, pattern)
        return self._globs[pattern]

    def tool(self, tool_id: str) -> ResolvedTool:
        """One of the manifest's tools, resolved once a run."""
        if tool_id not in self._tools:
            from lumpyard.build.tools.resolving import resolve_tool  # noqa: PLC0415 - most projects have no tools

            if tool_id in self._unusable:
                raise self._unusable[tool_id]
            try:
                self._tools[tool_id] = resolve_tool(self._manifest.tools[tool_id], self.root)
            except Error as error:
                self._unusable[tool_id] = error  # its version command may take long; one failure is enough
                raise
        return self._tools[tool_id]

    def env(self, name: str) -> str | None:
        """A variable of the environment."""
        return os.environ.get(name)

    def still_answers(self, asks: Iterable[tuple[str, str, str]], lump: PlannedLump) -> bool:
        """Whether each question would be answered as it was; answers that are the same for all lumps are remembered."""
        return all(self._answer(kind, subject, lump) == answer for kind, subject, answer in asks)

    def _answer(self, kind: str, subject: str, lump: PlannedLump) -> str | None:
        if kind in ("path", "name"):
            return ask_again(kind, subject, self, lump)
        key = (kind, subject)
        if key not in self._answers:
            self._answers[key] = ask_again(kind, subject, self, lump)
        return self._answers[key]


def _list_files(tree: ScannedTree, pattern: str) -> tuple[str, ...]:
    glob = parse_glob(pattern)
    found: list[str] = []
    folders = [glob.prefix]
    while folders:
        folder = folders.pop()
        scan = tree.scan(folder)
        prefix = f"{folder}/" if folder else ""
        found.extend(path for name in (scan.names if scan else ()) if glob.matches(path := prefix + name))
        below = {*(scan.folders if scan else ()), *tree.mounted_in(folder)}
        folders.extend(path for name in below if glob.may_descend(path := prefix + name))
    return tuple(sorted(found, key=os.fsencode))
