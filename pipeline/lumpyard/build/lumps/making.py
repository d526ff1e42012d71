"""One lump from its sources, or from what earlier builds left (design.md, sections 4 and 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lumpyard.build.cooking.cooks import Cooks
from lumpyard.build.cooking.products import type_and_schema
from lumpyard.build.lumps.blocks import Blocks
from lumpyard.build.lumps.codecs import COSTLY
from lumpyard.build.lumps.encode import NOT_TRIED, RAW, codec_label, encode, is_worth_it
from lumpyard.build.lumps.terms import Terms, terms_of
from lumpyard.build.shapes import LZ4_FLAG, CookedLump, Copy, MadeProduct
from lumpyard.hashing import content_hash

if TYPE_CHECKING:
    from collections.abc import Callable

    from lumpyard.build.cooking.world import BuildWorld
    from lumpyard.build.earlier.keeping import KeptBytes
    from lumpyard.build.earlier.reuse import Reuse
    from lumpyard.build.shapes import Slot
    from lumpyard.plan.model import Encoding, PlannedLump, Recipe
    from lumpyard.store import Store

_KEPT = ("stored_size", "content_hash", "flags", "offset")


class Maker:
    """Makes lumps; each worker process has its own copy, threads share one."""

    def __init__(self, world: BuildWorld, reuse: Reuse, kept: KeptBytes, store: Store, encoder: str) -> None:
        self.world = world
        self.reuse = reuse
        self.kept = kept
        self.store = store
        self.encoder = encoder  # codecs.encoder_of
        self.cooks = Cooks(world, reuse, kept, store)
        self.blocks = Blocks(store, encoder)
        self.encoded = 0  # how many LZ4 blocks were tried
        self.taken = 0  # how many lumps' stored bytes were found, but not where they could be copied from
        self._terms: dict[int, Terms] = {}  # id of a recipe -> what all its lumps share

    def find_kept(self, slot: Slot) -> tuple[Copy, tuple[Any, ...]] | None:
        """Where stored bytes of a lump lie in an archive of ours that is as we wrote it, and the lump's facts."""
        if not self.reuse:
            return None
        lump = slot.lump
        cooked = slot.cooked
        if lump.recipe.rule.verbatim:
            raw_digest = self.world.known.get(lump.sources[0])
            raw_size = self.world.source_size(lump)
            if raw_digest is None or lump.sources[0] in self.world.restless:
                return None
        elif cooked is not None:
            raw_digest, raw_size = cooked.products[slot.position][3:]
        else:
            return None
        found = self.reuse.stored(raw_digest, raw_size, lump.recipe.encoding)
        if found is None:
            return None
        number, index, label, codec_size = found
        archive, rows = self.kept.archive(number), self.reuse.rows(number)
        if archive is None or not archive.trusted:
            return None
        size, content, flags, offset = rows.at(index, _KEPT)
        if cooked is None:
            cooked = self.cook_verbatim(lump, raw_digest, raw_size)
        facts = self.facts(slot, cooked, (size, content, flags), label, codec_size)
        return Copy(archive.file.fd, offset, size, archive.alignment), facts

    def make(self, slot: Slot) -> tuple[bytes, tuple[Any, ...]]:
        """Stored bytes of a lump, and its Facts as a plain tuple."""
        lump = slot.lump
        if lump.recipe.rule.verbatim:
            return self._make_verbatim(slot)
        cooked, datas = slot.cooked, None
        if cooked is None:
            sources, request = self.cooks.sources(lump)
            cooked = self.cooks.find_cooked(lump, request)
            if cooked is None:
                cooked, datas = self.cooks.cook(lump, sources, request)
        return self._store_lump(slot, cooked, datas[slot.position] if datas else None)

    def cook_verbatim(self, lump: PlannedLump, raw_digest: bytes, raw_size: int) -> CookedLump:
        """What a lump cooks to whose rule hands its source on."""
        cooked = self.terms(lump.recipe).cook_digest(raw_digest)
        return CookedLump(b"", cooked, (), (MadeProduct(lump.name, None, None, raw_digest, raw_size),))

    def terms(self, recipe: Recipe) -> Terms:
        """What all lumps of a recipe share."""
        terms = self._terms.get(id(recipe))
        if terms is None:
            terms = self._terms[id(recipe)] = terms_of(recipe)
        return terms

    def _make_verbatim(self, slot: Slot) -> tuple[bytes, tuple[Any, ...]]:
        """A lump whose rule hands its source on, when it can't go the short way (build/lumps/plain.py)."""
        lump = slot.lump
        raw, raw_digest = self.world.source(lump.sources[0], tell=False)
        return self._store_lump(slot, self.cook_verbatim(lump, raw_digest, len(raw)), raw)

    def take_counts(self) -> tuple[int, int, int]:
        """How many times rules ran, blocks were tried, and stored bytes were found, since the last time."""
        counts = (self.cooks.cooked, self.encoded, self.taken)
        self.cooks.cooked = self.encoded = self.taken = 0
        return counts

    def stream_facts(self, slot: Slot, size: int, hashes: tuple[bytes, int]) -> tuple[Any, ...]:
        """Facts of a source that was stored as it is."""
        raw_digest, content = hashes
        cooked = self.cook_verbatim(slot.lump, raw_digest, size)
        return self.facts(slot, cooked, (size, content, 0), RAW, NOT_TRIED)

    def facts(
        self, slot: Slot, cooked: CookedLump, stored: tuple[int, int, int], codec: str, codec_size: int
    ) -> tuple[Any, ...]:
        """Facts, as a plain tuple, of a lump whose stored bytes (size, content hash, flags) are known."""
        _, own_fourcc, own_schema, raw_digest, raw_size = cooked.products[slot.position]
        recipe = slot.lump.recipe
        fourcc, schema = type_and_schema(recipe, own_fourcc, own_schema)
        size, content, flags = stored
        mark = self.terms(recipe).mark if recipe.rule.verbatim else ""
        return (
            size, raw_size, content, fourcc, schema, flags, raw_digest, cooked.digest, cooked.request,
            codec, codec_size, own_fourcc, own_schema, cooked.asks, mark,
        )  # fmt: skip

    def _store_lump(self, slot: Slot, cooked: CookedLump, raw: bytes | None) -> tuple[bytes, tuple[Any, ...]]:
        encoding = slot.lump.recipe.encoding
        raw_digest, raw_size = cooked.products[slot.position][3:]
        kept = self.reuse.stored(raw_digest, raw_size, encoding)
        if kept is not None:
            number, index, label, codec_size = kept
            row = self.reuse.rows(number)[index]
            stored = self.kept.read(number, row)
            if stored is not None:
                self.taken += 1
                kept_facts = (row.stored_size, row.content_hash, row.flags)
                return stored, self.facts(slot, cooked, kept_facts, label, codec_size)
        label = codec_label(encoding, raw_size)
        stored, compressed, codec_size = self._encoded(slot, cooked, raw, encoding, label)
        stored_facts = (len(stored), content_hash(stored), LZ4_FLAG if compressed else 0)
        return stored, self.facts(slot, cooked, stored_facts, label, codec_size)

    def _encoded(
        self, slot: Slot, cooked: CookedLump, raw: bytes | None, encoding: Encoding, label: str
    ) -> tuple[bytes, bool, int]:
        raw_digest, raw_size = cooked.products[slot.position][3:]

        def get_raw() -> bytes:
            return self.cooks.raw(slot, cooked) if raw is None else raw

        size = self.reuse.codec_size(raw_digest, label)
        if label != RAW and encoding.codec in COSTLY:
            return self.encode_costly(raw_digest, raw_size, encoding, get_raw, size)
        if size != NOT_TRIED and not is_worth_it(encoding, raw_size, size):
            return get_raw(), False, size
        encoded = encode(get_raw(), encoding)
        self.encoded += encoded.codec_size != NOT_TRIED
        return encoded

    def encode_costly(
        self,
        raw_digest: bytes,
        raw_size: int,
        encoding: Encoding,
        get_raw: Callable[[], bytes],
        size: int = NOT_TRIED,
    ) -> tuple[bytes, bool, int]:
        """Stored bytes, whether they are compressed, and the block's size: found in the store, or made and put there.

        `size` is what the codec is known to make of these bytes, where that is known.
        """
        key = self.blocks.key(raw_digest, encoding)
        size = self.blocks.size(key) if size == NOT_TRIED else size
        if size != NOT_TRIED and not is_worth_it(encoding, raw_size, size):
            return get_raw(), False, size
        if size != NOT_TRIED:
            block = self.blocks.find(key, raw_digest, raw_size, codec_label(encoding, raw_size))
            if block is not None:
                self.taken += 1
                return block, True, size
        encoded = encode(get_raw(), encoding)
        self.encoded += 1
        self.blocks.put(key, encoded)
        return encoded
