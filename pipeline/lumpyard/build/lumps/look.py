"""A look at an archive before it is built: its plan, the digests of its sources, what earlier builds know of each lump.

The same look answers "is it up to date?" and, where it is not, is what the build goes on from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.build.asks import request_digest
from lumpyard.build.cooking.products import type_and_schema
from lumpyard.build.lumps.codecs import as_stored
from lumpyard.build.lumps.slots import Slots, by_recipe
from lumpyard.build.shapes import Slot
from lumpyard.hashing import digest
from lumpyard.manifest.formats import FORMATS
from lumpyard.plan import name_selector

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from lumpyard.build.cooking.world import BuildWorld
    from lumpyard.build.lumps.making import Maker
    from lumpyard.build.shapes import CookedLump
    from lumpyard.plan.model import ArchivePlan, PlannedLump


def look_at(plan: ArchivePlan, maker: Maker, *, read: bool) -> list[CookedLump | None]:
    """What each lump of a plan cooks to, as far as that is known; None for all whose rule hands the source on.

    To know the digest of such a source is to know the lump. With `read`, sources of unknown digest are read.
    """
    world = maker.world
    if not all(recipe.rule.verbatim for recipe in plan.recipes):
        return [_look_at_one(lump, maker, read=read) for lump in plan.lumps]
    if read:
        for lump in plan.lumps:
            if lump.sources[0] not in world.known:
                world.source(lump.sources[0])
    return [None] * len(plan.lumps)


def _look_at_one(lump: PlannedLump, maker: Maker, *, read: bool) -> CookedLump | None:
    if not lump.recipe.rule.verbatim:
        return find_cooked(lump, maker, read=read)
    if read and lump.sources[0] not in maker.world.known:
        maker.world.source(lump.sources[0])
    return None


def find_cooked(lump: PlannedLump, maker: Maker, *, read: bool) -> CookedLump | None:
    """What a lump cooks to, where that is known; with `read`, sources of unknown digest are read for it."""
    world = maker.world
    digests = _digests(lump, world, read=read)
    if digests is None:
        return None
    if not lump.recipe.rule.verbatim:
        return maker.cooks.find_cooked(lump, request_digest(lump.recipe, digests))
    stat = world.tree.stat(lump.sources[0])
    return None if stat is None else maker.cook_verbatim(lump, digests[0], stat.size)


def _digests(lump: PlannedLump, world: BuildWorld, *, read: bool) -> list[bytes] | None:
    """Digests of a lump's sources; None where one is not known and not to be read."""
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


def can_be_named(lump: PlannedLump, cooked: CookedLump | None) -> bool:
    """Whether it is known what a lump becomes: its products are announced or known."""
    return lump.products is not None or cooked is not None


def slots_of(plan: ArchivePlan, cooked: Sequence[CookedLump | None]) -> Slots:
    """The lumps of the archive that a plan's become; their products must be announced or known (`look_at`)."""
    if plan.holds_files:
        return Slots(plan.lumps)
    rows = [
        slot for lump, one in zip(plan.lumps, cooked, strict=True) for slot in slots_of_one(plan, lump, one)
    ]
    return Slots([slot.lump for slot in rows], rows)


def slots_of_one(plan: ArchivePlan, lump: PlannedLump, cooked: CookedLump | None) -> list[Slot]:
    """The lumps of the archive that a planned lump becomes; its products must be announced or known."""
    if lump.made is not None:
        names = lump.made
        takes: Callable[[str], bool] | None = (
            None if lump.announced is None else (lump.products or ()).__contains__
        )
    else:
        assert cooked is not None  # cooked before slots are asked for
        names = tuple(product.name for product in cooked.products)
        takes = name_selector(plan.only, plan.exclude) if plan.only or plan.exclude else None
    if plan.format == "DAIKATANA":
        return [
            Slot(name, as_stored(lump, name), position, cooked)
            for position, name in enumerate(names)
            if takes is None or takes(name)
        ]
    if takes is None and len(names) == 1:
        return [Slot(names[0], lump, 0, cooked)]
    return [
        Slot(name, lump, position, cooked)
        for position, name in enumerate(names)
        if takes is None or takes(name)
    ]


def contents_of(slots: Slots, known: Mapping[str, bytes]) -> list[bytes | None]:
    """What decides each lump's bytes: its source's digest, or its cook digest; None for one that is not known."""
    if slots.all_verbatim:
        return list(map(known.get, slots.paths))
    return [
        known.get(slot.lump.sources[0])
        if slot.lump.recipe.rule.verbatim
        else slot.cooked and slot.cooked.digest
        for slot in slots
    ]


def inputs_digest(plan: ArchivePlan, encoder: str, slots: Slots, contents: Iterable[bytes]) -> bytes:
    """Digest of all that decides an archive's bytes, and what its ledger says of each lump.

    Slots are in the plan's order, with what decides the bytes of each (`contents_of`). Two builds with equal inputs
    write equal files, so what equals the record's need not be built.
    """
    numbers: dict[int, str] = {}  # id of a recipe -> its number in this digest
    texts = [repr((encoder, plan.path, plan.format, plan.alignment, plan.dedupe, plan.strip, plan.seed))]
    for key, recipe in slots.all_recipes.items():
        numbers[key] = str(len(numbers))
        rule = (recipe.rule.fourcc, recipe.rule.schema, recipe.rule_digest, recipe.options_text)
        texts.append(
            repr((recipe.set_id, recipe.encoding, recipe.alignment, recipe.fourcc, recipe.schema, rule))
        )
    parts: tuple[str, ...] = (
        "\0".join(texts),
        "\0".join(slots.names),
        "\0".join(slots.paths if slots.all_verbatim else map("\n".join, slots.sources)),
        " ".join(by_recipe(slots.recipes, numbers)),
    )
    if FORMATS[plan.format].holds_kinds:
        parts = (*parts, " ".join([str(slot.lump.kind) for slot in slots]))
    return digest("\0\0".join(parts).encode("utf-8", "surrogateescape") + b"".join(contents))


def type_of(slot: Slot) -> tuple[int, int]:
    """Fourcc and schema of a lump that is cooked already, or needs no cooking."""
    product = slot.cooked.products[slot.position] if slot.cooked is not None else None
    own = (None, None) if product is None else (product.own_fourcc, product.own_schema)
    return type_and_schema(slot.lump.recipe, *own)
