"""A look at an archive before it is built: its plan, the digests of its sources, what earlier builds know of each lump.

The same look answers "is it up to date?" and, where it is not, is what the build goes on from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.build.asks import request_digest
from lumpyard.build.making import Slot, is_kept
from lumpyard.build.products import type_and_schema
from lumpyard.hashing import digest
from lumpyard.plan import name_selector

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lumpyard.build.making import CookedLump, Maker
    from lumpyard.build.world import BuildWorld
    from lumpyard.plan.model import ArchivePlan, PlannedLump

    Input = tuple[str, PlannedLump, int, int, bytes]


class Settled(NamedTuple):
    """A planned lump and, where an earlier build or its source says it without cooking, what it cooks to."""

    lump: PlannedLump
    cooked: CookedLump | None


def settle(lumps: Iterable[PlannedLump], maker: Maker, *, read: bool) -> Iterator[Settled]:
    """What each lump cooks to, as far as that is known. With `read`, sources of unknown digest are read for it."""
    world = maker.world
    for lump in lumps:
        digests = _digests(lump, world, read=read)
        if digests is None:
            yield Settled(lump, None)
        elif lump.recipe.rule.verbatim:
            stat = world.tree.stat(lump.sources[0])
            yield Settled(lump, None if stat is None else maker.cook_verbatim(lump, digests[0], stat.size))
        else:
            yield Settled(lump, maker.find_cooked(lump, request_digest(lump.recipe, digests)))


def _digests(lump: PlannedLump, world: BuildWorld, *, read: bool) -> list[bytes] | None:
    known = world.known
    digests = []
    for path in lump.sources:
        found = known.get(path)
        if found is None:
            if not read:
                return None
            found = world.source(path)[1]
        digests.append(found)
    return digests


def slots_of(settled: Settled, plan: ArchivePlan) -> list[Slot]:
    """The lumps of the archive that a planned lump becomes; its products must be announced or known."""
    lump, cooked = settled
    if lump.products is not None:
        names = lump.products
        takes: Callable[[str], bool] | None = (
            (lambda name: name not in lump.dropped) if lump.dropped else None
        )
    else:
        assert cooked is not None  # cooked before slots are asked for
        names = tuple(product.name for product in cooked.products)
        takes = name_selector(plan.only, plan.exclude) if plan.only or plan.exclude else None
    return [
        Slot(name, lump, position, cooked)
        for position, name in enumerate(names)
        if takes is None or takes(name)
    ]


def must_precook(settled: Settled) -> bool:
    """Whether a lump must be cooked before the archive can be laid out and packed."""
    return settled.cooked is None and is_kept(settled.lump)


def inputs_digest(plan: ArchivePlan, encoder: str, inputs: Iterable[Input]) -> bytes:
    """Digest of all that decides an archive's bytes, and what its ledger says of each lump.

    An input is a lump's name, where it is planned, fourcc, schema and cook digest.

    Two builds with equal inputs write equal files, so what equals the record's need not be built.
    """
    recipes: dict[int, str] = {}
    entries = []
    for name, lump, fourcc, schema, cooked in inputs:
        recipe = lump.recipe
        text = recipes.get(id(recipe))
        if text is None:
            text = recipes[id(recipe)] = f"{tuple(recipe.encoding)!r} {recipe.alignment} {recipe.set_id}"
        entries.append(f"{name}\0{fourcc} {schema} {text} {cooked.hex()} {' '.join(lump.sources)}\0")
    entries.sort()
    settings = (encoder, plan.path, plan.format, plan.alignment, plan.dedupe, plan.strip, plan.seed)
    return digest((repr(settings) + "\0" + "".join(entries)).encode("utf-8", "surrogateescape"))


def slot_input(slot: Slot) -> Input:
    """What a lump that is cooked already puts into the inputs digest."""
    assert slot.cooked is not None  # known to the caller
    product = slot.cooked.products[slot.position]
    fourcc, schema = type_and_schema(slot.lump.recipe, product.own_fourcc, product.own_schema)
    return slot.name, slot.lump, fourcc, schema, slot.cooked.digest
