"""The shapes that a lump has on its way from the plan into the file.

A `PlannedLump` (plan.model) is one run of a rule. It cooks to a `CookedLump` of one product or several, and each that
the archive takes has a `Slot`. Making a slot gives its stored bytes, or with `Copy` where they lie already, and its
facts: a plain tuple in the order of `record.FACTS`, as it goes from a worker to the builder. With name, set, sources
and offset those are a `LumpRow`, which the record of the build keeps. Of many lumps all of it goes by the column.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lumpyard.plan.model import PlannedLump


LZ4_FLAG = 1


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


def is_kept(lump: PlannedLump) -> bool:
    """Whether a lump is cooked before packing and kept in the store.

    That is what costly rules make, and what must be known or at hand before the archive is laid out: several products
    of one cook, which lie far apart in the archive, and products that are only known after cooking.
    """
    return not lump.recipe.rule.verbatim and (lump.recipe.rule.costly or not is_announced_alone(lump))


def is_announced_alone(lump: PlannedLump) -> bool:
    """Whether a lump is one, and under a name that is known before it is cooked."""
    return lump.made is not None and len(lump.made) == 1
