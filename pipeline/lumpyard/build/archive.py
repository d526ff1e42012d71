"""One archive, from the lumps that are planned to a finished file that is not yet committed (design.md, section 4)."""

from __future__ import annotations

from functools import partial
from itertools import repeat
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from lumpyard.build.behind import WriteBehind
from lumpyard.build.job import Job
from lumpyard.build.layouts import layout_of
from lumpyard.build.memory import LARGE, keep_large_buffers
from lumpyard.build.packing import Worker
from lumpyard.build.parallel import choose_crew, run_crew
from lumpyard.build.record import DIGEST_SIZE, FACTS, LumpRow, Rows, join_columns, pack_columns
from lumpyard.build.slots import Arranged, by_recipe
from lumpyard.build.splice import find_splice
from lumpyard.disk import STAT
from lumpyard.errors import CookError, Place, Problem
from lumpyard.plan.formats import repeated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.build.layouts import Layout
    from lumpyard.build.lumps import Slot
    from lumpyard.build.making import Maker
    from lumpyard.build.parallel import Claim, Send
    from lumpyard.build.slots import Slots
    from lumpyard.build.splice import Splice
    from lumpyard.build.tally import Tally
    from lumpyard.disk import NewFile
    from lumpyard.plan.model import ArchivePlan

WORTH_A_CREW = 8 << 20  # raw bytes; below that, starting workers costs more than they save
_NO_STAT = bytes(STAT.size)  # of what is no file; no file is like it
_TOLD = ("offset", *FACTS)  # what workers tell of a lump
_KEPT_COST = 512  # raw bytes that could be made in the time that it takes to see that a lump can be kept


class Written(NamedTuple):
    """A finished archive under its temporary name."""

    rows: Rows
    archive_hash: int
    seed: int
    size: int
    head_size: int  # header, directory and string table
    made: list[int]  # indices of the lumps that were not copied
    pieces: list[bytes]  # each lump's part of a content id
    ledger_lines: str  # "" unless they were asked for
    slots: Slots
    order: Sequence[int]  # index in the plan's order of each lump of the directory
    places: Sequence[int]  # index in the directory of each lump of the plan
    raw_digests: Sequence[bytes]  # in the plan's order


def write(
    plan: ArchivePlan,
    slots: Slots,
    maker: Maker,
    file: NewFile,
    tally: Tally,
    *,
    ledger: bool,
    wish: str,
) -> Written:
    """Write an archive's bytes into a new file, and what there is to know of it."""
    _check_names(plan, slots)
    layout = layout_of(plan, slots)
    lumps = Arranged(slots, layout.order)
    stats = b"".join(map(maker.world.tree.blocks.get, slots.paths, repeat(_NO_STAT)))
    planned_sizes = _raw_sizes(slots, stats, maker)
    raw_sizes = list(map(planned_sizes.__getitem__, layout.order))
    layout.foresee(raw_sizes)
    job = Job(lumps, layout.keys, raw_sizes, stats, file, layout.start, dedupe=plan.dedupe, ledger=ledger)
    new = _new(lumps, raw_sizes, maker)
    tally.begin("pack", len(new), sum(new))
    if max(raw_sizes, default=0) > LARGE:
        keep_large_buffers()
    reports: list[Any] = [None] * len(job.chunks)
    behind = WriteBehind(file, job.start) if ledger else None

    def receive(message: Any) -> None:
        number, *report, account = message
        reports[number] = report
        if behind:
            behind.written(number, report[0][0])
        tally.take(account)
        made = report[3]
        tally.advance(len(made), sum([raw_sizes[index] for index in made]))

    crew = choose_crew(sum(new) + _KEPT_COST * (len(slots) - len(new)), WORTH_A_CREW, wish=wish)
    splice = None if plan.dedupe else find_splice(lumps, job.alignments, maker)
    body = partial(_work, job, maker, splice)
    run_crew(crew, len(job.chunks), body, receive, tally.idle)
    tally.check()
    written = _finish(job, reports, layout, slots, file)
    tally.copied += len(slots) - len(written.made)
    _learn(maker, written)
    return written


def _work(job: Job, maker: Maker, splice: Splice | None, claim: Claim, send: Send) -> None:
    Worker(job, maker, splice, claim, send).run()


def _raw_sizes(slots: Slots, stats: bytes, maker: Maker) -> Sequence[int]:
    """Raw bytes of each lump, or of its sources where that is not known yet; in the plan's order."""
    of_first: list[int] = memoryview(stats).cast("q")[:: STAT.size // 8].tolist()
    if slots.all_verbatim:
        return of_first
    return [
        size if slot.lump.recipe.rule.verbatim else _raw_size(slot, maker)
        for slot, size in zip(slots, of_first, strict=True)
    ]


def _new(lumps: Arranged, raw_sizes: Sequence[int], maker: Maker) -> Sequence[int]:
    """Raw sizes of the lumps that surely must be made: nothing is kept, or their first source is not known."""
    if not maker.reuse:
        return raw_sizes
    known = maker.world.known
    return [size for path, size in zip(lumps.paths, raw_sizes, strict=True) if path not in known]


def _finish(
    job: Job,
    reports: Sequence[Any],
    layout: Layout,
    slots: Slots,
    file: NewFile,
) -> Written:
    placer = job.placer()
    placer.advance()
    lumps = job.lumps
    set_ids = by_recipe(lumps.recipes, {key: recipe.set_id for key, recipe in lumps.all_recipes.items()})
    own = pack_columns(LumpRow._fields[:3], [lumps.names, set_ids, lumps.sources])
    told = (
        join_columns(_TOLD, [report[0] for report in reports])
        if reports
        else pack_columns(_TOLD, [() for _ in _TOLD])
    )
    rows = Rows([*own, *told])
    finished = layout.finish(file, rows, placer.end)
    places = [0] * len(lumps)
    for index, planned in enumerate(layout.order):
        places[planned] = index
    return Written(
        rows,
        finished.archive_hash,
        finished.seed,
        finished.size,
        finished.head_size,
        [index for report in reports for index in report[3]],
        [piece for report in reports for piece in report[2]],
        "".join(report[1] for report in reports),
        slots,
        layout.order,
        places,
        in_plan_order(rows, places, "raw_digest"),
    )


def in_plan_order(rows: Rows, places: Sequence[int], field: str) -> list[bytes]:
    """A column of digests, in the plan's order."""
    packed = rows.packed_column(field)
    return [packed[at : at + DIGEST_SIZE] for at in [place * DIGEST_SIZE for place in places]]


def _learn(maker: Maker, written: Written) -> None:
    """Know the digests of the sources that became lumps as they are; workers tell only of those that changed."""
    world, slots = maker.world, written.slots
    restless = {path: world.known[path] for path in world.restless if path in world.known}
    if slots.all_verbatim and len(written.made) == len(slots):
        world.known.update(zip(slots.paths, written.raw_digests, strict=True))
    else:
        made = map(written.order.__getitem__, written.made)
        recipes, paths, digests = slots.recipes, slots.paths, written.raw_digests
        world.known.update([(paths[at], digests[at]) for at in made if recipes[at].rule.verbatim])
    world.known.update(restless)


def _raw_size(slot: Slot, maker: Maker) -> int:
    """Raw bytes of a lump, or of its sources where that is not known yet."""
    if slot.cooked is not None:
        return slot.cooked.products[slot.position].raw_size
    return maker.world.source_size(slot.lump)


def _check_names(plan: ArchivePlan, slots: Slots) -> None:
    """Refuse names that only cooking told, where two lumps have one (the plan has checked those it knew)."""
    if None not in map(attrgetter("products"), plan.lumps):
        return
    problems = []
    for first, second in repeated(slots.names, plan.format):
        name, source = slots[second].name, slots[second].lump.sources[0]
        other = slots[first].lump.sources[0]
        both = (
            f"twice of {source}"
            if slots[first].lump is slots[second].lump
            else f"from {other} and from {source}"
        )
        message = f"lump {name!r} of archive {plan.id} is made {both}"
        problems.append(Problem(Place(source), "E0612", message, "give one of them another name"))
    if problems:
        raise CookError(problems)


assert LumpRow._fields[3:] == _TOLD  # what workers tell, in the order of the record
