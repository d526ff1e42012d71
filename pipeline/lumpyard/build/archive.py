"""One archive, from a look at it to a finished file that is not yet committed (design.md, section 4)."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from lumpyard import lz4
from lumpyard.archives.ewad.layout import head_size, order_names
from lumpyard.archives.ewad.writer import encode_head
from lumpyard.archives.identity import content_id
from lumpyard.build.look import Input, Settled, inputs_digest, must_precook, slots_of
from lumpyard.build.making import CookedLump, MadeProduct
from lumpyard.build.memory import LARGE, keep_large_buffers
from lumpyard.build.packing import Copy, Job, Worker
from lumpyard.build.parallel import choose_crew, run_crew
from lumpyard.build.record import Facts, LumpRow
from lumpyard.disk import Stat
from lumpyard.errors import CookError, Place, Problem, ProblemsError
from lumpyard.hashing import digest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lumpyard.build.keeping import KeptBytes
    from lumpyard.build.making import Maker, Slot
    from lumpyard.build.progress import Progress
    from lumpyard.build.record import Reuse
    from lumpyard.disk import NewFile
    from lumpyard.plan.model import ArchivePlan, PlannedLump

WORTH_A_CREW = 8 << 20  # raw bytes; below that, starting workers costs more than they save


class BuildFailedError(ProblemsError):
    """Lumps could not be made; every one that failed, with the highest exit status among them."""

    def __init__(self, problems: Sequence[Problem], exit_status: int) -> None:
        super().__init__(problems)
        self.exit_status = exit_status  # type: ignore[misc]


class Tally:
    """What a build did, told by its workers."""

    def __init__(self, progress: Progress, task: str) -> None:
        self._progress = progress
        self._task = task
        self.cooked = self.encoded = self.copied = 0
        self.learned: list[tuple[str, Stat, bytes]] = []
        self.problems: list[Problem] = []
        self.exit_status = 0

    def take(self, learned: list[Any], problems: list[Any], warnings: list[Any], exit_status: int) -> None:
        """What every message of a worker has."""
        self.learned += [(path, Stat(*stat), found) for path, stat, found in learned]
        self.problems += map(_problem, problems)
        self.exit_status = max(self.exit_status, exit_status)
        for warning in warnings:
            self._progress.warn(_problem(warning))

    def advance(self, lumps: int, size: int) -> None:
        """So many more lumps and raw bytes are done."""
        self._progress.advance(self._task, lumps, size)

    def check(self) -> None:
        """BuildFailedError when something failed."""
        if self.problems:
            raise BuildFailedError(self.problems, self.exit_status or CookError.exit_status)


class Written(NamedTuple):
    """A finished archive under its temporary name."""

    rows: tuple[LumpRow, ...]
    archive_hash: int
    content_id: str
    sets: dict[str, str]
    seed: int
    size: int
    head_size: int  # header, directory and string table
    made: tuple[int, ...]  # indices of the lumps that were not copied
    inputs: bytes  # look.inputs_digest


def precook(settled: Sequence[Settled], maker: Maker, tally: Tally, progress: Progress, task: str, wish: str) -> list[Settled]:
    """The same, with all cooked that must be before the archive is laid out: one at a time, longest first."""
    waiting = [index for index, one in enumerate(settled) if must_precook(one)]
    if not waiting:
        return list(settled)
    sizes = {index: _source_size(settled[index].lump, maker) for index in waiting}
    waiting.sort(key=lambda index: (-sizes[index], index))
    progress.begin(task, "cook", len(waiting), sum(sizes.values()))
    cooked_lumps: dict[int, CookedLump] = {}

    def body(claim: Callable[[], int | None], send: Callable[[object], None]) -> None:
        while (number := claim()) is not None:
            index = waiting[number]
            problems: list[Any] = []
            exit_status, cooked = 0, None
            try:
                cooked = _plain_cooked(maker.precook(settled[index].lump))
            except ProblemsError as error:
                problems, exit_status = [_plain(problem) for problem in error.problems], error.exit_status
            learned = [(path, tuple(stat), found) for path, stat, found in maker.world.take_learned()]
            warnings = [_plain(warning) for warning in maker.take_warnings()]
            send((index, cooked, learned, problems, warnings, exit_status, maker.counts.take()[0]))
        maker.store.sync()

    def receive(message: Any) -> None:
        index, cooked, learned, problems, warnings, exit_status, cooks = message
        tally.take(learned, problems, warnings, exit_status)
        tally.cooked += cooks
        if cooked is not None:
            cooked_lumps[index] = _cooked(cooked)
        tally.advance(1, sizes[index])

    run_crew(choose_crew(len(waiting), 2, wish=wish), len(waiting), body, receive)
    tally.check()
    maker.store.refresh()
    return [one._replace(cooked=cooked_lumps.get(index, one.cooked)) for index, one in enumerate(settled)]


def write(
    plan: ArchivePlan, settled: Sequence[Settled], maker: Maker, file: NewFile, tally: Tally, progress: Progress, task: str, wish: str
) -> Written:
    """Write an archive's bytes into a new file, and what there is to know of it."""
    slots = [slot for one in settled for slot in slots_of(one, plan)]
    _check_names(plan, slots)
    names = [slot.name.encode("utf-8", "surrogateescape") for slot in slots]
    ordering = order_names(names, plan.seed)
    ordered = [slots[index] for index in ordering.order]
    known = [_kept_facts(slot, maker, dedupe=plan.dedupe) for slot in ordered]
    raw_sizes = [facts.raw_size if facts else _raw_size(slot, maker) for slot, (facts, _) in zip(ordered, known, strict=True)]
    named = not plan.strip
    job = Job(
        ordered,
        [copy for _, copy in known],
        [slot.lump.recipe.alignment for slot in ordered],
        raw_sizes,
        file,
        head_size(names, named=named),
        dedupe=plan.dedupe,
    )
    facts = [facts for facts, _ in known]
    left = sum(size for size, one in zip(raw_sizes, facts, strict=True) if one is None)
    progress.begin(task, "pack", sum(one is None for one in facts), left)
    tally.copied += sum(one is not None for one in facts)
    if max(raw_sizes, default=0) > LARGE:
        keep_large_buffers()

    def receive(message: Any) -> None:
        made, learned, problems, warnings, exit_status, cooked, encoded, raw_size = message
        tally.take(learned, problems, warnings, exit_status)
        tally.cooked += cooked
        tally.encoded += encoded
        for index, one in made:
            facts[index] = Facts._make(one)
        tally.advance(len(made), raw_size)

    with _without_collector():
        crew = choose_crew(left, WORTH_A_CREW, wish=wish)
        run_crew(crew, len(job.chunks), lambda claim, send: Worker(job, maker, claim, send).run(), receive)
        tally.check()
        return _finish(plan, job, facts, ordering, names, file, named=named)


def _finish(plan: ArchivePlan, job: Job, facts: Sequence[Facts], ordering: Any, names: Sequence[bytes], file: NewFile, *, named: bool) -> Written:
    placer = job.placer()
    placer.advance()
    head = encode_head(
        ordering,
        names,
        offsets=placer.offsets,
        stored_sizes=[one.stored_size for one in facts],
        raw_sizes=[one.raw_size for one in facts],
        content_hashes=[one.content_hash for one in facts],
        fourccs=[one.fourcc for one in facts],
        schemas=[one.schema for one in facts],
        flags=[one.flags for one in facts],
        alignment=plan.alignment,
        named=named,
    )
    file.write_at(0, [head])
    file.truncate(placer.end)
    rows = tuple(
        LumpRow(slot.name, slot.lump.recipe.set_id, slot.lump.sources, offset, *one)
        for slot, offset, one in zip(job.slots, placer.offsets, facts, strict=True)
    )
    whole, sets = _content_ids(rows)
    inputs = (
        Input(slot.name, slot.lump, one.fourcc, one.schema, one.cook_digest)
        for slot, one in zip(job.slots, facts, strict=True)
    )
    return Written(
        rows,
        int.from_bytes(head[48:56], "little"),
        whole,
        sets,
        ordering.seed,
        placer.end,
        len(head),
        tuple(index for index, copy in enumerate(job.copies) if copy is None),
        inputs_digest(plan, lz4.encoder_id(), inputs),
    )


def _content_ids(rows: Sequence[LumpRow]) -> tuple[str, dict[str, str]]:
    """Content id of an archive, and of each of its sets."""
    by_set: dict[str, list[tuple[bytes, int, int, int, bytes]]] = {}
    for row in rows:
        lump = (row.name.encode("utf-8", "surrogateescape"), row.fourcc, row.schema, row.raw_size, row.raw_digest)
        by_set.setdefault(row.set_id, []).append(lump)
    whole = content_id([lump for lumps in by_set.values() for lump in lumps])
    if len(by_set) == 1:
        return whole, dict.fromkeys(by_set, whole)
    return whole, {set_id: content_id(lumps) for set_id, lumps in sorted(by_set.items())}


def _kept_facts(slot: Slot, maker: Maker, *, dedupe: bool) -> tuple[Facts | None, Copy | None]:
    """Facts of a lump whose stored bytes lie in an archive of ours as it was when we wrote it, and where."""
    if slot.cooked is None:
        return None, None
    raw_digest, raw_size = slot.cooked.products[slot.position][3:]
    kept = maker.reuse.stored(raw_digest, raw_size, slot.lump.recipe.encoding)
    if kept is None:
        return None, None
    (number, row), label, codec_size = kept
    archive = maker.kept.archive(number)
    if archive is None or not archive.trusted:
        return None, None
    facts = maker.facts(slot, slot.cooked, (row.stored_size, row.content_hash, row.flags), label, codec_size)
    contents = raw_digest
    if dedupe and row.flags:
        stored = maker.kept.read(number, row)
        if stored is None:
            return None, None
        contents = digest(stored)
    return facts, Copy(archive.file.fd, row.offset, row.stored_size, archive.alignment, contents)


def _raw_size(slot: Slot, maker: Maker) -> int:
    """Raw bytes of a lump, or of its sources where that is not known yet."""
    if slot.cooked is not None:
        return slot.cooked.products[slot.position].raw_size
    return _source_size(slot.lump, maker)


def _source_size(lump: PlannedLump, maker: Maker) -> int:
    stats = [maker.world.tree.stat(path) for path in lump.sources]
    return sum(stat.size for stat in stats if stat)


def _check_names(plan: ArchivePlan, slots: Sequence[Slot]) -> None:
    """Refuse names that only cooking told, where two lumps have one (the plan has checked those it knew)."""
    if all(slot.lump.products is not None for slot in slots):
        return
    first: dict[str, Slot] = {}
    problems = []
    for slot in slots:
        other = first.setdefault(slot.name, slot)
        if other is not slot:
            message = f"lump {slot.name!r} of archive {plan.id} is made from {other.lump.sources[0]} and from {slot.lump.sources[0]}"
            problems.append(Problem(Place(slot.lump.sources[0]), "E0610", message, "give one of them another name"))
    if problems:
        raise CookError(problems)


@contextmanager
def _without_collector() -> Iterator[None]:
    """Tens of thousands of small values live through a pack; looking through them again and again costs 10 % of it."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _plain_cooked(cooked: CookedLump) -> tuple[Any, ...]:
    return (*cooked[:3], tuple(map(tuple, cooked.products)))


def _cooked(value: Any) -> CookedLump:
    request, cooked, asks, products = value
    return CookedLump(request, cooked, asks, tuple(MadeProduct(*product) for product in products))


def _plain(problem: Problem) -> tuple[Any, ...]:
    return tuple(problem.place), problem.code, problem.message, problem.hint


def _problem(value: Any) -> Problem:
    place, code, message, hint = value
    return Problem(Place(*place), code, message, hint)
