"""The short way for plain lumps: one source, handed on as it is, tried with LZ4 or kept.

Builds consist of them, and what is done for each of 20,000 decides how long a build takes: so this is one flat run with
everything at hand, and whatever is out of the ordinary goes the long way, which says what is wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from blake3 import blake3
from xxhash import xxh64_intdigest

from lumpyard import disk
from lumpyard.build.encode import NOT_TRIED, RAW
from lumpyard.build.lumps import LZ4_FLAG, Copy
from lumpyard.build.world import may_be_pointer

if TYPE_CHECKING:
    from lumpyard.build.job import Job
    from lumpyard.build.making import Maker
    from lumpyard.build.reuse import Reuse
    from lumpyard.build.terms import Terms


class PlainLumps:
    """The plain lumps of a job, for one worker."""

    def __init__(self, job: Job, maker: Maker) -> None:
        self._slots = job.slots
        self._streams = job.streams
        self._maker = maker
        self._world = maker.world
        self._blocks = maker.world.tree.blocks
        self._reals: dict[str, bytes] = {}  # folder of the tree -> where it lies, with its slash
        self._short = job.contents is None  # dedupe wants the digest of stored bytes too

    def make(self, index: int) -> tuple[bytes | Copy, tuple[Any, ...]] | None:
        """Stored bytes of a lump, or where they lie, and its facts; None for one that must go the long way."""
        lump = self._slots[index].lump
        recipe = lump.recipe
        if not (self._short and recipe.rule.verbatim) or index in self._streams:
            return None
        path = lump.sources[0]
        terms = self._maker.terms(recipe)
        block = self._blocks.get(path)
        if block is None:
            return None
        if self._maker.reuse:
            return self._find(path, int.from_bytes(block[:8], "little"), terms)
        raw = disk.read_if_steady(self._real(path), block)
        if raw is None or terms.compress is None or may_be_pointer(raw):
            return None
        size = len(raw)
        raw_digest = blake3(raw).digest()
        stored, flags, label, codec_size = raw, 0, RAW, NOT_TRIED
        if 0 < size <= terms.limit:
            packed = terms.compress(raw)
            self._maker.encoded += 1
            label, codec_size = terms.label, len(packed)
            if codec_size < size and codec_size * 100 <= size * terms.worth:
                stored, flags = packed, LZ4_FLAG
        return stored, (
            len(stored), size, xxh64_intdigest(stored), terms.fourcc, terms.schema, flags, raw_digest,
            terms.cook_digest(raw_digest), b"", label, codec_size, None, None, (), terms.mark,
        )  # fmt: skip

    def _find(self, path: str, size: int, terms: Terms) -> tuple[Copy, tuple[Any, ...]] | None:
        """A lump whose stored bytes lie in an archive of ours that is as we wrote it."""
        raw_digest = self._world.known.get(path)
        if raw_digest is None or path in self._world.restless:
            return None
        reuse: Reuse = self._maker.reuse
        found = reuse.stored(raw_digest, size, terms.encoding)
        if found is None:
            return None
        number, at, label, codec_size = found
        archive = self._maker.kept.archive(number)
        if archive is None or not archive.trusted:
            return None
        stored_size, content, flags, offset = reuse.places[number][at]
        return Copy(archive.file.fd, offset, stored_size, archive.alignment), (
            stored_size, size, content, terms.fourcc, terms.schema, flags, raw_digest,
            terms.cook_digest(raw_digest), b"", label, codec_size, None, None, (), terms.mark,
        )  # fmt: skip

    def _real(self, path: str) -> bytes:
        """Where a source lies, as the system names it."""
        cut = path.rfind("/") + 1
        folder = path[:cut]
        real = self._reals.get(folder)
        if real is None:
            whole = self._world.tree.real(path)
            real = self._reals[folder] = disk.native(whole[: len(whole) - len(path) + cut])
        return real + path[cut:].encode("utf-8", "surrogateescape")
