"""A finished plan: every lump of an archive, its sources and how it is made, before any data is read."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.rule import own_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lumpyard.errors import Place, Problem
    from lumpyard.manifest.model import Pattern
    from lumpyard.rule import Rule


class Encoding(NamedTuple):
    """How raw bytes become stored bytes.

    Stored compressed where stored < raw and stored * 100 <= raw * (100 - min_saving), else as they are.
    """

    codec: str  # "none", "lz4" or "lz4hc"
    level: int = 0  # 3 to 12 for lz4hc, else 0
    min_saving: int = 0  # percent
    limit: int = 0  # raw bytes above which the lump stays raw without a try


class Recipe(NamedTuple):
    """What all lumps of a set that share every setting have in common; one value for thousands of lumps."""

    set_id: str
    place: Place  # of the set in the manifest
    rule: Rule
    rule_digest: str  # of kind, version, libraries and, for local rules, code (registry.rule_digest)
    options: object  # an instance of rule.options
    options_text: str  # its canonical JSON, which enters the cook digest
    fourcc: int | None  # u32; None: the product's own, else the rule's
    schema: int | None
    encoding: Encoding
    alignment: int
    kind: int | None = None  # lump type byte of WAD2 and WAD3; None: the source's


class PlannedLump(NamedTuple):
    """One run of a rule: one lump, or the several that it announces."""

    name: str  # what the set's template gives; bytes that are not UTF-8 as surrogate escapes
    sources: tuple[str, ...]  # sorted by bytes; one, or all that were gathered
    recipe: Recipe
    products: tuple[str, ...] | None  # lump names that the archive takes; None: known after cooking
    announced: tuple[str, ...] | None = (
        None  # all that the rule announces, where `only` or `exclude` leave some out
    )
    kind: int = 0  # lump type byte of WAD2 and WAD3

    @property
    def made(self) -> tuple[str, ...] | None:
        """Names of all that the rule makes, in its order; None: known after cooking."""
        return self.products if self.announced is None else self.announced


class ArchivePlan(NamedTuple):
    """Everything that decides one archive, but the sources' contents."""

    id: str
    profile: str  # "pack" or "ship"
    path: str  # below build/ or dist/
    format: str
    alignment: int
    dedupe: bool
    strip: bool
    seed: int
    lumps: tuple[PlannedLump, ...]  # by name in an EWAD, else in the order that they have in the archive
    recipes: tuple[Recipe, ...]  # every one that they have, once
    warnings: tuple[Problem, ...]
    only: tuple[
        Pattern, ...
    ] = ()  # already applied to announced names; the rest go through plan.name_selector
    exclude: tuple[Pattern, ...] = ()

    @property
    def holds_files(self) -> bool:
        """Whether each lump is one file as it is, under its own name."""
        return self.format != "DAIKATANA" and all(
            recipe.rule.verbatim and recipe.rule.products is own_name for recipe in self.recipes
        )


def recipes_of(lumps: Iterable[PlannedLump]) -> tuple[Recipe, ...]:
    """Every recipe of some lumps once, in the order in which they come."""
    recipes = list(map(attrgetter("recipe"), lumps))
    return tuple(dict(zip(map(id, recipes), recipes, strict=True)).values())
