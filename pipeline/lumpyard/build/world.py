"""What a build lends to cooks: files read whole and unchanged, looked for, listed; tools. All of it remembered for one run."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from blake3 import blake3

from lumpyard import disk
from lumpyard.build.asks import ask_again
from lumpyard.errors import CookError, DiskError, Place, Problem
from lumpyard.globs import parse_glob
from lumpyard.hashing import digest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.build.asks import Ask
    from lumpyard.build.tools import ResolvedTool
    from lumpyard.build.tree import ScannedTree
    from lumpyard.disk import Stat
    from lumpyard.manifest.model import Manifest
    from lumpyard.plan.model import PlannedLump

CODES = {
    "E0401": "a source vanished while it was being built",
    "E0402": "a source cannot be read",
    "E0403": "a source is a Git LFS pointer, not the file",
    "E0404": "a source keeps changing while it is being read",
}
_LFS_POINTER = b"version https://git-lfs"
_LFS_LIMIT = 1024  # bytes; a pointer has about 130
_TRIES = 5


class SourceError(CookError):
    """A source cannot be had."""

    exit_status = 5


class Learned(NamedTuple):
    """The digest of a file that was read whole while it had this stat."""

    path: str
    stat: Stat
    digest: bytes


class BuildWorld:
    """The `World` (build/asks.py) of one run over a scanned tree."""

    def __init__(
        self, root: str, manifest: Manifest, tree: ScannedTree, known: dict[str, bytes], tools: dict[str, ResolvedTool]
    ) -> None:
        self.root = root
        self.tree = tree
        self.known = known  # digests of files that are as the scan found them
        self.learned: list[Learned] = []
        self._manifest = manifest
        self._tools = tools
        self._globs: dict[str, tuple[str, ...]] = {}
        self._answers: dict[tuple[str, str], str | None] = {}

    def source(self, path: str) -> tuple[bytes, bytes]:
        """Bytes and digest of a source; SourceError where it cannot be had."""
        try:
            return self._read(path)
        except FileNotFoundError:
            raise _failure(path, "E0401", "vanished while it was being built", "run the build again") from None
        except DiskError as error:
            raise _failure(path, "E0402", str(error)) from None

    def _read(self, path: str) -> tuple[bytes, bytes]:
        expected = self.tree.stat(path)
        real = self.tree.real(path)
        try:
            data, stat = disk.read_with_stat(real, expected.size if expected else 0)
        except DiskError as error:
            if isinstance(error.__cause__, FileNotFoundError | NotADirectoryError):
                raise FileNotFoundError(path) from None
            raise
        tries = 0
        while stat != expected or len(data) != stat.size:  # changed since it was scanned, or while it was read
            expected = stat
            tries += 1
            if tries == _TRIES:
                raise _failure(path, "E0404", "keeps changing while it is being read", "stop what writes it, then build again")
            data, stat = disk.read_with_stat(real, stat.size)
        if len(data) < _LFS_LIMIT and data.startswith(_LFS_POINTER):
            raise _failure(path, "E0403", "is a Git LFS pointer, not the file itself", "git lfs pull")
        found = digest(data)
        self._learn(path, stat, found)
        return data, found

    def pieces(self, path: str) -> Iterator[bytes]:
        """A source in pieces, which must stay as it was scanned; SourceError at the end where it did not."""
        expected = self.tree.stat(path)
        hashed = blake3()
        try:
            with disk.OpenFile(self.tree.real(path)) as source:
                for piece in source.iter_pieces():
                    hashed.update(piece)
                    yield piece
                stat = source.stat()
        except DiskError as error:
            raise _failure(path, "E0402", str(error)) from None
        if stat != expected:
            raise _failure(path, "E0404", "changed while it was being read", "run the build again")
        self._learn(path, stat, hashed.digest())

    def take_learned(self) -> list[Learned]:
        """What was read since the last time and not known before."""
        learned, self.learned = self.learned, []
        return learned

    def _learn(self, path: str, stat: Stat, found: bytes) -> None:
        if self.known.get(path) != found:
            self.known[path] = found
            self.learned.append(Learned(path, stat, found))

    def read(self, path: str) -> bytes:
        """Bytes of a file; FileNotFoundError where there is none."""
        return self._read(path)[0]

    def digest(self, path: str) -> str | None:
        """Hex BLAKE3 of a file's bytes; None where there is no file."""
        self.tree.scan(path.rpartition("/")[0])
        known = self.known.get(path)
        if known is not None:
            return known.hex()
        try:
            return self._read(path)[1].hex()
        except FileNotFoundError:
            return None

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
            from lumpyard.build.tools import resolve_tool  # noqa: PLC0415 - most projects have no tools

            self._tools[tool_id] = resolve_tool(self._manifest.tools[tool_id], self.root)
        return self._tools[tool_id]

    def env(self, name: str) -> str | None:
        """A variable of the environment."""
        return os.environ.get(name)

    def still_answers(self, asks: Sequence[Ask], lump: PlannedLump) -> bool:
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
        if scan is None:
            continue
        prefix = f"{folder}/" if folder else ""
        found.extend(path for name in scan.names if glob.matches(path := prefix + name))
        folders.extend(path for name in scan.folders if glob.may_descend(path := prefix + name))
    return tuple(sorted(found, key=os.fsencode))


def _failure(path: str, code: str, message: str, hint: str = "") -> SourceError:
    return SourceError([Problem(Place(path), code, message if path in message else f"{path} {message}", hint)])
