"""An archive whose lumps are all written: what is known of them, on the way to a finished file."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from lumpyard.build.earlier.record import DIGEST_SIZE, FACTS, LumpRow, Rows, join_columns, pack_columns
from lumpyard.build.lumps.slots import by_recipe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.build.lumps.making import Maker
    from lumpyard.build.lumps.slots import Slots
    from lumpyard.build.packing.job import Job
    from lumpyard.build.packing.layouts import Finished, Layout
    from lumpyard.disk import NewFile

_TOLD = ("offset", *FACTS)  # what workers tell of a lump


class Packed:
    """An archive under its temporary name, all of it written but its directory."""

    def __init__(self, job: Job, reports: Sequence[Any], layout: Layout, slots: Slots) -> None:
        placer = job.placer()
        placer.advance()
        self.start = job.start  # where the first lump may start
        self.end = placer.end  # of the last lump
        self.slots = slots
        self.layout = layout
        self.rows = _rows(job, [report[0] for report in reports])
        self.made: list[int] = [
            index for report in reports for index in report[3]
        ]  # those that were not copied
        self._reports = reports

    @property
    def pieces(self) -> list[bytes]:
        """Each lump's part of a content id."""
        return [piece for report in self._reports for piece in report[2]]

    @property
    def ledger_lines(self) -> str:
        """Those that workers made; "" unless they were asked for."""
        return "".join(report[1] for report in self._reports)

    @cached_property
    def places(self) -> list[int]:
        """The index in the directory of each lump of the plan."""
        order = self.layout.order
        places = [0] * len(order)
        for index, planned in enumerate(order):
            places[planned] = index
        return places

    @cached_property
    def raw_digests(self) -> list[bytes]:
        """In the plan's order."""
        return self.in_plan_order("raw_digest")

    def in_plan_order(self, field: str) -> list[bytes]:
        """A column of digests, in the plan's order."""
        packed = self.rows.packed_column(field)
        return [packed[at : at + DIGEST_SIZE] for at in [place * DIGEST_SIZE for place in self.places]]

    def finish(self, file: NewFile) -> Finished:
        """Write what is not a lump: header and directory."""
        return self.layout.finish(file, self.rows, self.end)

    def teach(self, maker: Maker) -> None:
        """Have the digests of sources that became lumps as they are known; workers tell only of those that changed."""
        world, slots = maker.world, self.slots
        restless = {path: world.known[path] for path in world.restless if path in world.known}
        if slots.all_verbatim and len(self.made) == len(slots):
            world.known.update(zip(slots.paths, self.raw_digests, strict=True))
        else:
            recipes, paths, digests = slots.recipes, slots.paths, self.raw_digests
            made = map(self.layout.order.__getitem__, self.made)
            world.known.update([(paths[at], digests[at]) for at in made if recipes[at].rule.verbatim])
        world.known.update(restless)


def _rows(job: Job, told: Sequence[Any]) -> Rows:
    """All there is to know of each lump, in directory order, from what workers told of their chunks."""
    lumps = job.lumps
    set_ids = by_recipe(lumps.recipes, {key: recipe.set_id for key, recipe in lumps.all_recipes.items()})
    own = pack_columns(LumpRow._fields[:3], [lumps.names, set_ids, lumps.sources])
    joined = join_columns(_TOLD, told) if told else pack_columns(_TOLD, [() for _ in _TOLD])
    return Rows([*own, *joined])


assert LumpRow._fields[3:] == _TOLD  # what workers tell, in the order of the record
