"""What lumps cook to: found among earlier cooks, or cooked now (design.md, sections 4 and 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.build.asks import cook_digest, request_digest
from lumpyard.build.cooking.cook import cook as run_rule
from lumpyard.build.cooking.products import types_problem
from lumpyard.build.shapes import CookedLump, MadeProduct, is_kept
from lumpyard.build.sources.source_errors import changed_meanwhile
from lumpyard.errors import CookError, Place, Problem
from lumpyard.hashing import digest
from lumpyard.store import Ask, CookedRecord, KeptProduct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.build.cooking.world import BuildWorld
    from lumpyard.build.earlier.keeping import KeptBytes
    from lumpyard.build.earlier.reuse import Reuse
    from lumpyard.build.shapes import Slot
    from lumpyard.plan.model import PlannedLump
    from lumpyard.store import Store


class Cooks:
    """Runs rules, and knows what earlier builds cooked; each worker process has its own copy, threads share one."""

    def __init__(self, world: BuildWorld, reuse: Reuse, kept: KeptBytes, store: Store) -> None:
        self.world = world
        self.store = store
        self._reuse = reuse
        self._kept = kept
        self.cooked = 0  # how many times a rule ran
        self._warnings: list[Problem] = []

    def find_cooked(self, lump: PlannedLump, request: bytes) -> CookedLump | None:
        """An earlier cook of the same request whose every question would be answered the same."""
        announced = lump.made
        if announced is not None and len(announced) == 1:
            for row in self._reuse.cooked.get(request, ()):
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

    def precook(self, lump: PlannedLump) -> CookedLump:
        """The products of a lump, their bytes in the store; durable when the rule is costly."""
        datas, request = self.sources(lump)
        found = self.find_cooked(lump, request)
        if found is not None:
            return found
        cooked, datas = self.cook(lump, datas, request)
        self._keep(lump, cooked, datas)
        return cooked

    def _keep(self, lump: PlannedLump, cooked: CookedLump, datas: Sequence[bytes]) -> None:
        """Put a cook into the store."""
        for product, data in zip(cooked.products, datas, strict=True):
            self.store.put_raw(product.raw_digest, data)
        kept = tuple(
            KeptProduct(p.name, p.raw_digest, p.raw_size, p.own_fourcc, p.own_schema) for p in cooked.products
        )
        self.store.put_cooked(cooked.request, CookedRecord(tuple(map(Ask._make, cooked.asks)), kept))
        if lump.recipe.rule.costly:
            self.store.sync()

    def sources(self, lump: PlannedLump) -> tuple[list[bytes], bytes]:
        """The sources' bytes and the request digest."""
        read = [self.world.source(path) for path in lump.sources]
        return [data for data, _ in read], request_digest(lump.recipe, [found for _, found in read])

    def cook(
        self, lump: PlannedLump, datas: Sequence[bytes], request: bytes
    ) -> tuple[CookedLump, list[bytes]]:
        """Run a lump's rule over its sources' bytes; what it made, and the products' raw bytes."""
        made = run_rule(lump, datas, self.world)
        self.cooked += 1
        self._warnings.extend(made.warnings)
        products = tuple(
            MadeProduct(p.name, p.own_fourcc, p.own_schema, digest(p.data), len(p.data))
            for p in made.products
        )
        asks = tuple((kind, subject, answer) for kind, subject, answer in made.asks)
        cooked = CookedLump(request, cook_digest(request, made.asks), asks, products)
        return cooked, [product.data for product in made.products]

    def raw(self, slot: Slot, cooked: CookedLump) -> bytes:
        """Raw bytes of a lump that was cooked before: from the store or an archive, else by cooking it once more."""
        raw_digest = cooked.products[slot.position].raw_digest
        raw = self.store.raw(raw_digest) if is_kept(slot.lump) else None
        if raw is None and (found := self._reuse.cooked_at(raw_digest)) is not None:
            raw = self._kept.read_raw(*found)
        if raw is not None:
            return raw
        datas, request = self.sources(slot.lump)
        made, raws = self.cook(slot.lump, datas, request)
        if [product.raw_digest for product in made.products] != [
            product.raw_digest for product in cooked.products
        ]:
            raise _not_the_same(slot.lump, changed=made.digest != cooked.digest)
        if is_kept(slot.lump):
            self._keep(slot.lump, made, raws)  # it was not there, or damaged
        return raws[slot.position]

    def take_warnings(self) -> list[Problem]:
        """What rules warned of since the last time."""
        warnings, self._warnings = self._warnings, []
        return warnings


def _not_the_same(lump: PlannedLump, *, changed: bool) -> CookError:
    """The error where a cook that is known turns out to be another: its bytes would bear wrong digests."""
    path = lump.sources[0]
    if changed:
        return changed_meanwhile(path)
    message = f"rule {lump.recipe.rule.kind!r} makes other bytes of {path} than it made before"
    hint = "a rule must make the same of the same sources, options and answers"
    return CookError([Problem(Place(path), "E0611", message, hint)])
