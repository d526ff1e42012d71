"""One archive, from the lumps that are planned to a file that holds them (design.md, section 4)."""

from __future__ import annotations

from functools import partial
from itertools import repeat
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from lumpyard.build.lumps.slots import Arranged
from lumpyard.build.memory import LARGE, keep_large_buffers
from lumpyard.build.packing.behind import ChunksBehind
from lumpyard.build.packing.job import Job
from lumpyard.build.packing.layouts import layout_of
from lumpyard.build.packing.packed import Packed
from lumpyard.build.packing.splice import find_splice
from lumpyard.build.packing.worker import Worker
from lumpyard.build.workers.parallel import choose_crew, run_crew
from lumpyard.disk import STAT
from lumpyard.errors import CookError, Place, Problem
from lumpyard.plan.formats import repeated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.build.cooking.tally import Tally
    from lumpyard.build.lumps.making import Maker
    from lumpyard.build.lumps.slots import Slots
    from lumpyard.build.packing.splice import Splice
    from lumpyard.build.shapes import Slot
    from lumpyard.build.workers.parallel import Claim, Send
    from lumpyard.disk import NewFile
    from lumpyard.plan.model import ArchivePlan

WORTH_A_CREW = 8 << 20  # raw bytes; below that, starting workers costs more than they save
_NO_STAT = bytes(STAT.size)  # of what is no file; no file is like it
_KEPT_COST = 512  # raw bytes that could be made in the time that it takes to see that a lump can be kept


def pack(
    plan: ArchivePlan,
    slots: Slots,
    maker: Maker,
    file: NewFile,
    tally: Tally,
    *,
    ledger: bool,
    wish: str,
) -> Packed:
    """Write an archive's lumps into a new file."""
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
    behind = ChunksBehind(file, job.start) if ledger else None

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
    packed = Packed(job, reports, layout, slots)
    file.truncate(packed.end)
    if behind:
        behind.finish(packed.end)
    tally.copied += len(slots) - len(packed.made)
    return packed


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
