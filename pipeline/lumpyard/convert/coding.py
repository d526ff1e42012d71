"""Raw bytes to stored bytes: as asked for, as the original had them, or as the format does by default."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard import lz4
from lumpyard.convert.model import Stored
from lumpyard.hashing import content_hash
from lumpyard.manifest.model import AUTO

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from lumpyard.convert.model import Plan, Recorded

CHOICES = ("none", "lz4", "lz4hc", "auto")
HC_LEVEL = 9
# What a block may have been made with: the default first, then the levels in the order in which people choose them.
_ENCODERS = (("lz4", 0), *(("lz4hc", level) for level in (9, 12, 3, 4, 5, 6, 7, 8, 10, 11)))
_PATIENCE = 4  # misses after which the archive is another library's, and only the likeliest encoder is tried


class Coder:
    """Makes stored bytes for one conversion; it remembers which encoder made the original's blocks."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._encoders = list(_ENCODERS)
        self._misses = 0  # lumps in a row whose blocks no encoder made

    def store(self, index: int, name: bytes, raw: Buffer) -> Stored:
        """The stored bytes of a lump of the source."""
        plan = self._plan
        choice, lump = plan.options.compress, plan.source.lumps[index]
        recorded = lump.recorded if plan.source.format == plan.format and not choice else None
        if plan.format == "EWAD":
            if choice or (recorded is None and plan.source.stored is None):
                return _by_policy(raw, choice or "none")
            if plan.source.stored is not None:
                return plan.source.stored(index)
            assert recorded is not None, "checked above"
            return self._as_recorded(raw, recorded)
        if plan.format == "DAIKATANA" and choice != "none":
            return _daikatana(name, raw, recorded)
        return Stored(raw, compressed=False)

    def store_new(self, raw: Buffer) -> Stored:
        """The stored bytes of the lump that is added to an EWAD."""
        return _by_policy(raw, self._plan.options.compress or "none")

    def _as_recorded(self, raw: Buffer, recorded: Recorded) -> Stored:
        """The block that the original had, where one of the encoders makes it; the last one's, where none does."""
        size = memoryview(raw).nbytes
        if not recorded.compressed:
            return Stored(raw, compressed=False)
        if not 0 < size <= lz4.MAX_INPUT:
            return Stored(raw, compressed=False)
        if size == recorded.raw_size:
            tried = self._encoders if self._misses < _PATIENCE else self._encoders[:1]
            for encoder in tried.copy():
                block = lz4.compress(raw, *encoder)
                if len(block) == recorded.stored_size and content_hash(block) == recorded.content_hash:
                    self._encoders.remove(encoder)
                    self._encoders.insert(0, encoder)  # the next lump's is most likely the same
                    self._misses = 0
                    return Stored(block, compressed=True)
            self._misses += 1
        block = lz4.compress(raw, *self._encoders[0])
        return Stored(block, compressed=True) if len(block) < size else Stored(raw, compressed=False)


def _by_policy(raw: Buffer, choice: str) -> Stored:
    """By the library's policies: `auto` is LZ4 where it saves 5%, up to 64 MiB."""
    size = memoryview(raw).nbytes
    limit = AUTO.limit if choice == "auto" else lz4.MAX_INPUT
    if choice == "none" or not 0 < size <= min(limit, lz4.MAX_INPUT):
        return Stored(raw, compressed=False)
    block = lz4.compress(raw, "lz4hc", HC_LEVEL) if choice == "lz4hc" else lz4.compress(raw, "lz4")
    least = AUTO.min_saving if choice == "auto" else 0
    if len(block) < size and len(block) * 100 <= size * (100 - least):
        return Stored(block, compressed=True)
    return Stored(raw, compressed=False)


def _daikatana(name: bytes, raw: Buffer, recorded: Recorded | None) -> Stored:
    """As the format's writer does, or as the original had this lump."""
    from lumpyard.archives.daikatana.encoder import encode  # noqa: PLC0415 - only this format needs it
    from lumpyard.archives.daikatana.writer import pack_lump  # noqa: PLC0415

    if recorded is None:
        return Stored(*pack_lump(name, raw))
    if not recorded.compressed:
        return Stored(raw, compressed=False)
    return Stored(encode(raw), compressed=True)
