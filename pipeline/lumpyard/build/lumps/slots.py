"""All lumps of an archive at once, one thing of each: what is asked of 20,000 is asked by the column.

A loop over tuples touches each of them, and lumps that lie all over the memory cost more to touch than to hash. So
columns are taken by functions in C, in the order in which the tuples were made; and what is walked in the order of the
directory is made anew in that order.
"""

from __future__ import annotations

from functools import cached_property
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, TypeVar

from lumpyard.build.shapes import Slot

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lumpyard.plan.model import PlannedLump, Recipe

T = TypeVar("T")


class Slots:
    """The lumps of an archive, in the plan's order."""

    def __init__(self, lumps: Sequence[PlannedLump], rows: Sequence[Slot] | None = None) -> None:
        """The planned lump of each; without `rows` it is all there is to it, under its own name."""
        self._lumps = lumps
        self._rows = rows

    def __len__(self) -> int:
        return len(self._lumps)

    def __getitem__(self, index: int) -> Slot:
        if self._rows is not None:
            return self._rows[index]
        lump = self._lumps[index]
        return Slot(lump.name, lump, 0, None)

    def __iter__(self) -> Iterator[Slot]:
        return map(self.__getitem__, range(len(self)))

    @cached_property
    def names(self) -> list[str]:
        """The name of each lump."""
        return list(map(itemgetter(0), self._lumps if self._rows is None else self._rows))

    @cached_property
    def sources(self) -> list[tuple[str, ...]]:
        """The sources of each."""
        return list(map(attrgetter("sources"), self._lumps))

    @cached_property
    def paths(self) -> list[str]:
        """The first source of each."""
        return list(map(itemgetter(0), self.sources))

    @cached_property
    def recipes(self) -> list[Recipe]:
        """How each is made."""
        return list(map(attrgetter("recipe"), self._lumps))

    @cached_property
    def all_recipes(self) -> dict[int, Recipe]:
        """Every recipe there is once, by its id, in the order in which they come."""
        return dict(zip(map(id, self.recipes), self.recipes, strict=True))

    @cached_property
    def all_verbatim(self) -> bool:
        """Whether each is its one source as it is."""
        return all(recipe.rule.verbatim for recipe in self.all_recipes.values())


class Arranged:
    """The lumps of an archive in the order of its directory."""

    def __init__(self, slots: Slots, order: Sequence[int]) -> None:
        self._slots = slots
        self.order = order  # index in the plan's order of each
        self.names = _arranged(slots.names, order)
        self.paths = _arranged(slots.paths, order)  # the first source of each
        self.recipes = list(map(slots.recipes.__getitem__, order))
        self.all_recipes = slots.all_recipes

    def __len__(self) -> int:
        return len(self.order)

    def __getitem__(self, index: int) -> Slot:
        return self._slots[self.order[index]]

    @cached_property
    def sources(self) -> tuple[tuple[str, ...], ...]:
        """The sources of each."""
        sources = self._slots.sources
        if max(map(len, sources), default=1) == 1:
            return tuple(zip(self.paths))
        return tuple(map(sources.__getitem__, self.order))

    def source_texts(self, part: slice) -> list[str]:
        """The sources of some, as a ledger has them."""
        if self.sources and max(map(len, self.sources[part])) == 1:
            return self.paths[part]
        return list(map("\n".join, self.sources[part]))


def by_recipe(recipes: Iterable[Recipe], values: Mapping[int, T]) -> list[T]:
    """For each lump what its recipe, by id, has in `values`."""
    return list(map(values.__getitem__, map(id, recipes)))


def _arranged(texts: Sequence[str], order: Sequence[int]) -> list[str]:
    """Texts in another order, in memory too."""
    there = list(map(texts.__getitem__, order))
    anew = "\0".join(there).split("\0")
    # Some format has names with a NUL, and nothing at all is not one empty text.
    return anew if len(anew) == len(there) else there
