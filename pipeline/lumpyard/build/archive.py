"""One archive, from the lumps that are planned to a finished file that is not yet committed (design.md, section 4)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from lumpyard.archives.identity import content_id_of
from lumpyard.build.behind import WriteBehind
from lumpyard.build.codecs import encoder_of
from lumpyard.build.job import Job
from lumpyard.build.layouts import layout_of
from lumpyard.build.look import inputs_digest
from lumpyard.build.memory import LARGE, keep_large_buffers
from lumpyard.build.packing import Worker
from lumpyard.build.parallel import choose_crew, run_crew
from lumpyard.build.record import FACTS, LumpRow, Rows, join_columns
from lumpyard.build.splice import find_splice
from lumpyard.errors import CookError, Place, Problem
from lumpyard.plan.formats import repeated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.build.layouts import Layout
    from lumpyard.build.lumps import Slot
    from lumpyard.build.making import Maker
    from lumpyard.build.parallel import Claim, Send
    from lumpyard.build.splice import Splice
    from lumpyard.build.tally import Tally
    from lumpyard.disk import NewFile
    from lumpyard.plan.model import ArchivePlan

WORTH_A_CREW = 8 << 20  # raw bytes; below that, starting workers costs more than they save
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
    slots: Sequence[Slot]  # in the plan's order
    order: Sequence[int]  # index in the plan's order of each lump of the directory


def write(
    plan: ArchivePlan,
    slots: Sequence[Slot],
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
    ordered = [slots[index] for index in layout.order]
    sizes = maker.world.tree.sizes
    raw_sizes = [
        sizes.get(slot.lump.sources[0], 0) if slot.lump.recipe.rule.verbatim else _raw_size(slot, maker)
        for slot in ordered
    ]
    layout.foresee(raw_sizes)
    job = Job(ordered, layout.keys, raw_sizes, file, layout.start, dedupe=plan.dedupe, ledger=ledger)
    new = _new(ordered, raw_sizes, maker)
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
    splice = None if plan.dedupe else find_splice(ordered, job.alignments, maker)
    body = partial(_work, job, maker, splice)
    run_crew(crew, len(job.chunks), body, receive, tally.idle)
    tally.check()
    written = _finish(job, reports, layout, slots, file)
    tally.copied += len(slots) - len(written.made)
    _learn(maker, written)
    return written


def _work(job: Job, maker: Maker, splice: Splice | None, claim: Claim, send: Send) -> None:
    Worker(job, maker, splice, claim, send).run()


def _new(slots: Sequence[Slot], raw_sizes: Sequence[int], maker: Maker) -> Sequence[int]:
    """Raw sizes of the lumps that surely must be made: nothing is kept, or their first source is not known."""
    if not maker.reuse:
        return raw_sizes
    known = maker.world.known
    return [size for slot, size in zip(slots, raw_sizes, strict=True) if slot.lump.sources[0] not in known]


def _finish(
    job: Job,
    reports: Sequence[Any],
    layout: Layout,
    slots: Sequence[Slot],
    file: NewFile,
) -> Written:
    placer = job.placer()
    placer.advance()
    own = [
        tuple(slot.name for slot in job.slots),
        tuple(slot.lump.recipe.set_id for slot in job.slots),
        tuple(slot.lump.sources for slot in job.slots),
    ]
    told = join_columns([report[0] for report in reports]) if reports else [b"" for _ in ("offset", *FACTS)]
    rows = Rows([*own, *told])
    finished = layout.finish(file, rows, placer.end)
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
    )


def _learn(maker: Maker, written: Written) -> None:
    """Know the digests of the sources that became lumps as they are; workers tell only of those that changed."""
    world, slots, order = maker.world, written.slots, written.order
    raw_digests = written.rows.column("raw_digest")
    lumps = [slots[order[index]].lump for index in written.made]
    digests = map(raw_digests.__getitem__, written.made)
    restless = {path: world.known[path] for path in world.restless if path in world.known}
    world.known.update(
        [
            (lump.sources[0], found)
            for lump, found in zip(lumps, digests, strict=True)
            if lump.recipe.rule.verbatim
        ]
    )
    world.known.update(restless)


class Identity(NamedTuple):
    """What an archive is, beside its bytes."""

    content_id: str
    sets: dict[str, str]  # set -> content id of its lumps
    inputs: bytes  # look.inputs_digest


def identify(plan: ArchivePlan, written: Written) -> Identity:
    """Content ids and inputs digest of an archive that was written."""
    rows, slots = written.rows, written.slots
    contents, pieces = [b""] * len(slots), [b""] * len(slots)
    columns = zip(
        written.order, rows.column("raw_digest"), rows.column("cook_digest"), written.pieces, strict=True
    )
    for index, raw_digest, cook_digest, piece in columns:
        contents[index] = raw_digest if slots[index].lump.recipe.rule.verbatim else cook_digest
        pieces[index] = piece
    whole, sets = _content_ids(slots, pieces)
    return Identity(whole, sets, inputs_digest(plan, encoder_of(plan.format), slots, contents))


def _content_ids(slots: Sequence[Slot], pieces: Sequence[bytes]) -> tuple[str, dict[str, str]]:
    """Content id of an archive, and of each of its sets."""
    names = [slot.name.encode("utf-8", "surrogateescape") for slot in slots]
    order = sorted(range(len(names)), key=names.__getitem__)  # quick: plans are nearly sorted
    whole = content_id_of([pieces[index] for index in order])
    set_ids = {slot.lump.recipe.set_id for slot in slots}
    if len(set_ids) == 1:
        return whole, dict.fromkeys(set_ids, whole)
    by_set: dict[str, list[bytes]] = {set_id: [] for set_id in sorted(set_ids)}
    for index in order:
        by_set[slots[index].lump.recipe.set_id].append(pieces[index])
    return whole, {set_id: content_id_of(own) for set_id, own in by_set.items()}


def _raw_size(slot: Slot, maker: Maker) -> int:
    """Raw bytes of a lump, or of its sources where that is not known yet."""
    if slot.cooked is not None:
        return slot.cooked.products[slot.position].raw_size
    return maker.world.source_size(slot.lump)


def _check_names(plan: ArchivePlan, slots: Sequence[Slot]) -> None:
    """Refuse names that only cooking told, where two lumps have one (the plan has checked those it knew)."""
    if all(slot.lump.products is not None for slot in slots):
        return
    problems = []
    for first, second in repeated([slot.name for slot in slots], plan.format):
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


assert LumpRow._fields[3:] == ("offset", *FACTS)  # what workers tell, in the order of the record
