"""The short way for plain lumps: one source, handed on as it is, tried with its codec or kept.

Builds consist of them, and what is done for each of 20,000 decides how long a build takes: so this is one flat run with
everything at hand, and whatever is out of the ordinary goes the long way, which says what is wrong.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, cast

from blake3 import blake3
from xxhash import xxh64_intdigest

from lumpyard import disk
from lumpyard.build.lumps.encode import NOT_TRIED, RAW
from lumpyard.build.shapes import LZ4_FLAG, Copy
from lumpyard.build.sources.source_errors import may_be_pointer
from lumpyard.disk import STAT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.build.earlier.reuse import Reuse
    from lumpyard.build.lumps.making import Maker
    from lumpyard.build.lumps.terms import Terms
    from lumpyard.build.packing.job import Job


class PlainLumps:
    """The plain lumps of a job, for one worker."""

    def __init__(self, job: Job, maker: Maker) -> None:
        self._lumps = job.lumps
        self._stats = job.stats
        self._streams = job.streams
        self._maker = maker
        self._world = maker.world
        self._reals: dict[str, bytes] = {}  # folder of the tree -> where it lies, with its slash
        recipes = (
            job.lumps.all_recipes if job.contents is None else {}
        )  # dedupe wants the digest of stored bytes too
        self._terms = {key: maker.terms(recipe) for key, recipe in recipes.items() if recipe.rule.verbatim}

    def make(self, index: int) -> tuple[bytes | Copy, tuple[Any, ...]] | None:
        """Stored bytes of a lump, or where they lie, and its facts; None for one that must go the long way."""
        if not self._maker.reuse:
            made = self._make_chunk(range(index, index + 1))
            return made and (made[0][0], tuple([column[0] for column in made[1]]))
        terms = self._terms.get(id(self._lumps.recipes[index]))
        if terms is None or index in self._streams:
            return None
        at = self._lumps.order[index] * STAT.size
        size = int.from_bytes(self._stats[at : at + 8], "little")
        return self._find(self._lumps.paths[index], size, terms)

    def make_chunk(self, chunk: range) -> tuple[list[bytes], list[list[Any]]] | None:
        """Stored bytes of a chunk of lumps, and their facts by the column; None where one must go the long way."""
        return None if self._maker.reuse else self._make_chunk(chunk)

    def _make_chunk(self, chunk: range) -> tuple[list[bytes], list[list[Any]]] | None:
        lumps, part = self._lumps, slice(chunk.start, chunk.stop)
        known = list(map(self._terms.get, map(id, lumps.recipes[part])))
        if None in known or not self._streams.keys().isdisjoint(chunk):
            return None
        raws = self._read(lumps.paths[part], lumps.order[part])
        if raws is None:
            return None
        terms = cast("list[Terms]", known)
        raw_sizes = list(map(len, raws))
        digests = [blake3(raw).digest() for raw in raws]
        stored: list[bytes] = []
        flags: list[int] = []
        labels: list[str] = []
        codec_sizes: list[int] = []
        for raw, size, raw_digest, term in zip(raws, raw_sizes, digests, terms, strict=True):
            label, codec_size, flag, kept = RAW, NOT_TRIED, 0, raw
            if term.compress and 0 < size <= term.limit:
                packed = term.compress(raw)
                label, codec_size = term.label, len(packed)
                if codec_size < size and codec_size * 100 <= size * term.worth:
                    kept, flag = packed, LZ4_FLAG
                self._maker.encoded += 1
            elif term.costly and 0 < size <= term.limit:
                kept, compressed, codec_size = self._maker.encode_costly(
                    raw_digest, size, term.encoding, partial(bytes, raw)
                )
                label, flag = term.label, LZ4_FLAG if compressed else 0
            stored.append(kept)
            flags.append(flag)
            labels.append(label)
            codec_sizes.append(codec_size)
        nothing = [None] * len(chunk)
        return stored, [
            list(map(len, stored)), raw_sizes, list(map(xxh64_intdigest, stored)),
            [term.fourcc for term in terms], [term.schema for term in terms], flags, digests,
            [term.cook_digest(digest) for term, digest in zip(terms, digests, strict=True)],
            [b""] * len(chunk), labels, codec_sizes, nothing, nothing, [()] * len(chunk),
            [term.mark for term in terms],
        ]  # fmt: skip

    def _read(self, paths: Sequence[str], order: Sequence[int]) -> list[bytes] | None:
        """The sources' bytes; None where one of them is not what the scan found, or may be no lump at all."""
        raws = []
        stats = self._stats
        for path, number in zip(paths, order, strict=True):
            at = number * STAT.size
            raw = disk.read_if_steady(self._real(path), stats[at : at + STAT.size])
            if raw is None or may_be_pointer(raw):
                return None
            raws.append(raw)
        return raws

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
