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
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from lumpyard.build.making import CookedLump, Maker
    from lumpyard.build.world import BuildWorld
    from lumpyard.plan.model import ArchivePlan, PlannedLump


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
    if lump.made is not None:
        names = lump.made
        takes: Callable[[str], bool] | None = (
            None if lump.announced is None else (lump.products or ()).__contains__
        )
    else:
        assert cooked is not None  # cooked before slots are asked for
        names = tuple(product.name for product in cooked.products)
        takes = name_selector(plan.only, plan.exclude) if plan.only or plan.exclude else None
    if takes is None and len(names) == 1:
        return [Slot(names[0], lump, 0, cooked)]
    return [
        Slot(name, lump, position, cooked)
        for position, name in enumerate(names)
        if takes is None or takes(name)
    ]


def must_precook(settled: Settled) -> bool:
    """Whether a lump must be cooked before the archive can be laid out and packed."""
    return settled.cooked is None and is_kept(settled.lump)


def inputs_digest(
    plan: ArchivePlan, encoder: str, slots: Sequence[Slot], cook_digests: Iterable[bytes]
) -> bytes:
    """Digest of all that decides an archive's bytes, and what its ledger says of each lump.

    Slots are in the plan's order, with the cook digest of each. Two builds with equal inputs write equal files, so what
    equals the record's need not be built.
    """
    numbers: dict[int, int] = {}  # id of a recipe -> its number in this digest
    texts = [repr((encoder, plan.path, plan.format, plan.alignment, plan.dedupe, plan.strip, plan.seed))]
    for slot in slots:
        recipe = slot.lump.recipe
        if id(recipe) not in numbers:
            numbers[id(recipe)] = len(numbers)
            rule = (recipe.rule.fourcc, recipe.rule.schema)
            texts.append(
                repr((recipe.set_id, recipe.encoding, recipe.alignment, recipe.fourcc, recipe.schema, rule))
            )
    parts = (
        "\0".join(texts),
        "\0".join([slot.name for slot in slots]),
        "\0".join(["\n".join(slot.lump.sources) for slot in slots]),
        " ".join([str(numbers[id(slot.lump.recipe)]) for slot in slots]),
    )
    return digest("\0\0".join(parts).encode("utf-8", "surrogateescape") + b"".join(cook_digests))


def type_of(slot: Slot) -> tuple[int, int]:
    """Fourcc and schema of a lump that is cooked already."""
    assert slot.cooked is not None  # known to the caller
    product = slot.cooked.products[slot.position]
    return type_and_schema(slot.lump.recipe, product.own_fourcc, product.own_schema)
