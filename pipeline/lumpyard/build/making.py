"""One lump from its sources, or from what earlier builds left (design.md, sections 4 and 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from lumpyard import lz4
from lumpyard.build.asks import Ask, cook_digest, request_digest, verbatim_cook_digest
from lumpyard.build.encode import NOT_TRIED, RAW, codec_label, encode, is_worth_it, size_limit
from lumpyard.build.products import type_and_schema, types_problem
from lumpyard.build.sources import cook
from lumpyard.build.world import changed_meanwhile
from lumpyard.errors import CookError, Place, Problem
from lumpyard.hashing import content_hash, digest
from lumpyard.store import Ask as KeptAsk
from lumpyard.store import CookedProduct as KeptProduct
from lumpyard.store import CookedRecord, encode_digest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lumpyard.build.keeping import KeptBytes
    from lumpyard.build.reuse import Reuse
    from lumpyard.build.world import BuildWorld
    from lumpyard.plan.model import Encoding, PlannedLump, Recipe
    from lumpyard.store import Store

LZ4_FLAG = 1
_KEPT = ("stored_size", "content_hash", "flags", "offset")


class MadeProduct(NamedTuple):
    """One of its products."""

    name: str  # what the rule called it; announced products go by their position instead
    own_fourcc: int | None  # what the product says of itself, before the manifest has its say
    own_schema: int | None
    raw_digest: bytes
    raw_size: int


class CookedLump(NamedTuple):
    """A cook whose products' bytes may be elsewhere; plain values."""

    request: bytes
    digest: bytes
    asks: tuple[tuple[str, str, str], ...]
    products: tuple[MadeProduct, ...]


class Slot(NamedTuple):
    """A lump of the archive: one product of a planned lump."""

    name: str
    lump: PlannedLump
    position: int  # among the products
    cooked: CookedLump | None  # where that is known before the archive is packed


class Copy(NamedTuple):
    """Stored bytes that lie in an archive of an earlier build."""

    descriptor: int
    offset: int
    size: int
    alignment: int  # of that archive


class Counts:
    """What a build had to do, for its summary and for tests."""

    def __init__(self) -> None:
        self.cooked = 0
        self.encoded = 0

    def take(self) -> tuple[int, int]:
        """What was counted since the last time."""
        taken = (self.cooked, self.encoded)
        self.cooked = self.encoded = 0
        return taken


class Terms(NamedTuple):
    """What all lumps of a recipe share, for those whose rule hands the source on."""

    cook_digest: Callable[[bytes], bytes]  # of a source's digest
    fourcc: int
    schema: int
    compress: Callable[[bytes], bytes] | None  # None: kept in the store, or not compressed at all
    label: str  # codec_label
    limit: int  # raw bytes above which it is not compressed


def _terms_of(recipe: Recipe) -> Terms:
    encoding = recipe.encoding
    cheap = encoding.codec == "lz4"
    return Terms(
        verbatim_cook_digest(recipe),
        *type_and_schema(recipe, None, None),
        lz4.compressor(encoding.codec, encoding.level) if cheap else None,
        codec_label(encoding, 1),
        size_limit(encoding),
    )


class Maker:
    """Makes lumps; each worker process has its own copy, threads share one."""

    def __init__(self, world: BuildWorld, reuse: Reuse, kept: KeptBytes, store: Store) -> None:
        self.world = world
        self.reuse = reuse
        self.kept = kept
        self.store = store
        self.encoder = lz4.encoder_id()
        self.counts = Counts()
        self.warnings: list[Problem] = []
        self._terms: dict[int, Terms] = {}  # id of a recipe -> what all its lumps share

    def find_cooked(self, lump: PlannedLump, request: bytes) -> CookedLump | None:
        """An earlier cook of the same request whose every question would be answered the same."""
        announced = lump.made
        if announced is not None and len(announced) == 1:
            for row in self.reuse.cooked.get(request, ()):
                if self.world.still_answers(row.asks, lump):
                    return CookedLump(
                        request,
                        row.cook_digest,
                        row.asks,
                        (
                            MadeProduct(
                                announced[0], row.own_fourcc, row.own_schema, row.raw_digest, row.raw_size
                            ),
                        ),
                    )
        if not is_kept(lump):
            return None
        for record in self.store.cooked(request):
            if types_problem(lump, len(record.products)):
                continue  # cooking says so
            asks = tuple((kind, subject, answer) for kind, subject, answer in record.asks)
            if self.world.still_answers(asks, lump) and (
                announced is None or len(announced) == len(record.products)
            ):
                products = tuple(
                    MadeProduct(p.name or lump.name, p.fourcc, p.schema, p.raw_digest, p.raw_size)
                    for p in record.products
                )
                return CookedLump(request, cook_digest(request, map(Ask._make, asks)), asks, products)
        return None

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
        size, content, flags, offset = (rows.column(field)[index] for field in _KEPT)
        if cooked is None:
            cooked = self.cook_verbatim(lump, raw_digest, raw_size)
        facts = self.facts(slot, cooked, (size, content, flags), label, codec_size)
        return Copy(archive.file.fd, offset, size, archive.alignment), facts

    def precook(self, lump: PlannedLump) -> CookedLump:
        """The products of a lump, their bytes in the store; durable when the rule is costly."""
        datas, request = self._sources(lump)
        found = self.find_cooked(lump, request)
        if found is not None:
            return found
        cooked, datas = self._cook(lump, datas, request)
        for product, data in zip(cooked.products, datas, strict=True):
            self.store.put_raw(product.raw_digest, data)
        kept = tuple(
            KeptProduct(p.name, p.raw_digest, p.raw_size, p.own_fourcc, p.own_schema) for p in cooked.products
        )
        self.store.put_cooked(request, CookedRecord(tuple(map(KeptAsk._make, cooked.asks)), kept))
        if lump.recipe.rule.costly:
            self.store.sync()
        return cooked

    def make(self, slot: Slot) -> tuple[bytes, tuple[Any, ...]]:
        """Stored bytes of a lump, and its Facts as a plain tuple."""
        lump = slot.lump
        if lump.recipe.rule.verbatim:
            return self._make_verbatim(slot)
        cooked, datas = slot.cooked, None
        if cooked is None:
            sources, request = self._sources(lump)
            cooked = self.find_cooked(lump, request)
            if cooked is None:
                cooked, datas = self._cook(lump, sources, request)
        return self._store_lump(slot, cooked, datas[slot.position] if datas else None)

    def cook_verbatim(self, lump: PlannedLump, raw_digest: bytes, raw_size: int) -> CookedLump:
        """What a lump cooks to whose rule hands its source on."""
        cooked = self._get_terms(lump.recipe).cook_digest(raw_digest)
        return CookedLump(b"", cooked, (), (MadeProduct(lump.name, None, None, raw_digest, raw_size),))

    def _get_terms(self, recipe: Recipe) -> Terms:
        terms = self._terms.get(id(recipe))
        if terms is None:
            terms = self._terms[id(recipe)] = _terms_of(recipe)
        return terms

    def _make_verbatim(self, slot: Slot) -> tuple[bytes, tuple[Any, ...]]:
        """A lump whose rule hands its source on; a flat run, since builds consist of it."""
        lump = slot.lump
        recipe = lump.recipe
        raw, raw_digest = self.world.source(lump.sources[0], tell=False)
        terms = self._get_terms(recipe)
        size = len(raw)
        if terms.compress is None or self.reuse or not 0 < size <= terms.limit:
            return self._store_lump(slot, self.cook_verbatim(lump, raw_digest, size), raw)
        stored, flags = terms.compress(raw), LZ4_FLAG
        self.counts.encoded += 1
        codec_size = len(stored)
        if not is_worth_it(recipe.encoding, size, codec_size):
            stored, flags = raw, 0
        facts = (
            len(stored), size, content_hash(stored), terms.fourcc, terms.schema, flags, raw_digest,
            terms.cook_digest(raw_digest), b"", terms.label, codec_size, None, None, (),
        )  # fmt: skip
        return stored, facts

    def stream_facts(self, slot: Slot, size: int, hashes: tuple[bytes, int]) -> tuple[Any, ...]:
        """Facts of a source that was stored as it is."""
        raw_digest, content = hashes
        cooked = self.cook_verbatim(slot.lump, raw_digest, size)
        return self.facts(slot, cooked, (size, content, 0), RAW, NOT_TRIED)

    def take_warnings(self) -> list[Problem]:
        """What rules warned of since the last time."""
        warnings, self.warnings = self.warnings, []
        return warnings

    def facts(
        self, slot: Slot, cooked: CookedLump, stored: tuple[int, int, int], codec: str, codec_size: int
    ) -> tuple[Any, ...]:
        """Facts, as a plain tuple, of a lump whose stored bytes (size, content hash, flags) are known."""
        _, own_fourcc, own_schema, raw_digest, raw_size = cooked.products[slot.position]
        fourcc, schema = type_and_schema(slot.lump.recipe, own_fourcc, own_schema)
        size, content, flags = stored
        return (
            size, raw_size, content, fourcc, schema, flags, raw_digest, cooked.digest, cooked.request,
            codec, codec_size, own_fourcc, own_schema, cooked.asks,
        )  # fmt: skip

    def _sources(self, lump: PlannedLump) -> tuple[list[bytes], bytes]:
        """The sources' bytes and the request digest."""
        read = [self.world.source(path) for path in lump.sources]
        return [data for data, _ in read], request_digest(lump.recipe, [found for _, found in read])

    def _cook(
        self, lump: PlannedLump, datas: Sequence[bytes], request: bytes
    ) -> tuple[CookedLump, list[bytes]]:
        made = cook(lump, datas, self.world)
        self.counts.cooked += 1
        self.warnings.extend(made.warnings)
        products = tuple(
            MadeProduct(p.name, p.own_fourcc, p.own_schema, digest(p.data), len(p.data))
            for p in made.products
        )
        asks = tuple((kind, subject, answer) for kind, subject, answer in made.asks)
        cooked = CookedLump(request, cook_digest(request, made.asks), asks, products)
        return cooked, [product.data for product in made.products]

    def _store_lump(self, slot: Slot, cooked: CookedLump, raw: bytes | None) -> tuple[bytes, tuple[Any, ...]]:
        encoding = slot.lump.recipe.encoding
        raw_digest, raw_size = cooked.products[slot.position][3:]
        kept = self.reuse.stored(raw_digest, raw_size, encoding)
        if kept is not None:
            number, index, label, codec_size = kept
            row = self.reuse.rows(number)[index]
            stored = self.kept.read(number, row)
            if stored is not None:
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
        costly = encoding.codec == "lz4hc" and label != RAW
        key = encode_digest(raw_digest, encoding.codec, encoding.level, self.encoder) if costly else b""
        size = self.reuse.codec_size(raw_digest, label)
        if costly and size == NOT_TRIED:
            found = self.store.compressed_size(key)
            size = NOT_TRIED if found is None else found
        if size != NOT_TRIED and is_worth_it(encoding, raw_size, size):
            block = self.store.block(key) if costly else None
            if block is not None:
                return block, True, size
        elif size != NOT_TRIED:
            return self._raw(slot, cooked) if raw is None else raw, False, size
        encoded = encode(self._raw(slot, cooked) if raw is None else raw, encoding)
        self.counts.encoded += encoded.codec_size != NOT_TRIED
        if costly and encoded.compressed:
            self.store.put_block(key, encoded.stored)
        elif costly:
            self.store.put_size(key, encoded.codec_size)
        return encoded

    def _raw(self, slot: Slot, cooked: CookedLump) -> bytes:
        """Raw bytes of a lump that was cooked before: from the store, else by cooking it once more."""
        raw = self.store.raw(cooked.products[slot.position].raw_digest) if is_kept(slot.lump) else None
        if raw is not None:
            return raw
        datas, request = self._sources(slot.lump)
        made, raws = self._cook(slot.lump, datas, request)
        if [product.raw_digest for product in made.products] != [
            product.raw_digest for product in cooked.products
        ]:
            raise _not_the_same(slot.lump, changed=made.digest != cooked.digest)
        return raws[slot.position]


def _not_the_same(lump: PlannedLump, *, changed: bool) -> CookError:
    """The error where a cook that is known turns out to be another: its bytes would bear wrong digests."""
    path = lump.sources[0]
    if changed:
        return changed_meanwhile(path)
    message = f"rule {lump.recipe.rule.kind!r} makes other bytes of {path} than it made before"
    hint = "a rule must make the same of the same sources, options and answers"
    return CookError([Problem(Place(path), "E0611", message, hint)])


def is_kept(lump: PlannedLump) -> bool:
    """Whether a lump is cooked before packing and kept in the store.

    That is what costly rules make, and what must be known or at hand before the archive is laid out: several products
    of one cook, which lie far apart in the archive, and products that are only known after cooking.
    """
    return not lump.recipe.rule.verbatim and (
        lump.recipe.rule.costly or lump.made is None or len(lump.made) > 1
    )
