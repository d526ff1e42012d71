"""What an archive that was written is, beside its bytes: its content ids, and the digest of what it was made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.identity import content_id_of
from lumpyard.build.lumps.codecs import encoder_of
from lumpyard.build.lumps.look import inputs_digest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.build.lumps.slots import Slots
    from lumpyard.build.packing.packed import Packed
    from lumpyard.plan.model import ArchivePlan


class Identity(NamedTuple):
    """What an archive is, beside its bytes."""

    content_id: str
    sets: dict[str, str]  # set -> content id of its lumps
    inputs: bytes  # look.inputs_digest


def identify(plan: ArchivePlan, packed: Packed) -> Identity:
    """Content ids and inputs digest of an archive that was packed."""
    slots = packed.slots
    contents = packed.raw_digests
    if not slots.all_verbatim:
        cooked = packed.in_plan_order("cook_digest")
        both = zip(slots.recipes, contents, cooked, strict=True)
        contents = [raw if recipe.rule.verbatim else cook for recipe, raw, cook in both]
    pieces = list(map(packed.pieces.__getitem__, packed.places))
    whole, sets = _content_ids(slots, pieces)
    return Identity(whole, sets, inputs_digest(plan, encoder_of(plan.format), slots, contents))


def _content_ids(slots: Slots, pieces: Sequence[bytes]) -> tuple[str, dict[str, str]]:
    """Content id of an archive, and of each of its sets."""
    names: Sequence[str | bytes] = slots.names
    if not "".join(slots.names).isascii():
        names = [name.encode("utf-8", "surrogateescape") for name in slots.names]
    order = sorted(range(len(names)), key=names.__getitem__)  # quick: plans are nearly sorted
    whole = content_id_of(map(pieces.__getitem__, order))
    set_ids = {recipe.set_id for recipe in slots.all_recipes.values()}
    if len(set_ids) == 1:
        return whole, dict.fromkeys(set_ids, whole)
    by_set: dict[str, list[bytes]] = {set_id: [] for set_id in sorted(set_ids)}
    recipes = slots.recipes
    for index in order:
        by_set[recipes[index].set_id].append(pieces[index])
    return whole, {set_id: content_id_of(own) for set_id, own in by_set.items()}
