"""One archive, from a look at it to a finished file that is not yet committed (design.md, section 4)."""

from __future__ import annotations

from itertools import starmap
from typing import TYPE_CHECKING, Any, NamedTuple

from lumpyard import lz4
from lumpyard.archives.ewad.layout import head_size, order_names
from lumpyard.archives.ewad.writer import encode_head
from lumpyard.archives.identity import content_id
from lumpyard.build.look import inputs_digest, must_precook
from lumpyard.build.making import CookedLump, MadeProduct
from lumpyard.build.memory import LARGE, keep_large_buffers
from lumpyard.build.packing import Copy, Job, Worker
from lumpyard.build.parallel import choose_crew, run_crew
from lumpyard.build.record import Facts, Rows
from lumpyard.build.world import Learned
from lumpyard.errors import CookError, Place, Problem, ProblemsError
from lumpyard.hashing import digest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lumpyard.archives.ewad.layout import Ordering
    from lumpyard.build.look import Settled
    from lumpyard.build.making import Maker, Slot
    from lumpyard.build.progress import Progress
    from lumpyard.build.record import LumpRow
    from lumpyard.build.world import BuildWorld
    from lumpyard.disk import NewFile
    from lumpyard.plan.model import ArchivePlan, PlannedLump

_STORED_SIZE = Facts._fields.index("stored_size")
_RAW_SIZE = Facts._fields.index("raw_size")
_CONTENT_HASH = Facts._fields.index("content_hash")
_FLAGS = Facts._fields.index("flags")
_RAW_DIGEST = Facts._fields.index("raw_digest")
WORTH_A_CREW = 8 << 20  # raw bytes; below that, starting workers costs more than they save


class BuildFailedError(ProblemsError):
    """Lumps could not be made; every one that failed, with the highest exit status among them."""

    def __init__(self, problems: Sequence[Problem], exit_status: int) -> None:
        super().__init__(problems)
        self.exit_status = exit_status


class Tally:
    """What a build did, told by its workers."""

    def __init__(self, progress: Progress, task: str, world: BuildWorld) -> None:
        self._progress = progress
        self._task = task
        self._world = world
        self.cooked = self.encoded = self.copied = 0
        self.problems: list[Problem] = []
        self._warned: set[Problem] = set()
        self.exit_status = 0

    def take(self, learned: list[Any], problems: list[Any], warnings: list[Any], exit_status: int) -> None:
        """What every message of a worker has."""
        self._world.learn(starmap(Learned, learned))
        self.problems += map(_problem, problems)
        self.exit_status = max(self.exit_status, exit_status)
        for warning in map(_problem, warnings):
            if warning not in self._warned:  # many lumps may say the same
                self._warned.add(warning)
                self._progress.warn(warning)

    def advance(self, lumps: int, size: int) -> None:
        """So many more lumps and raw bytes are done."""
        self._progress.advance(self._task, lumps, size)

    def check(self) -> None:
        """BuildFailedError when something failed."""
        if self.problems:
            raise BuildFailedError(self.problems, self.exit_status or CookError.exit_status)


class Written(NamedTuple):
    """A finished archive under its temporary name."""

    rows: Rows
    archive_hash: int
    seed: int
    size: int
    head_size: int  # header, directory and string table
    made: tuple[int, ...]  # indices of the lumps that were not copied
    slots: Sequence[Slot]  # in the plan's order
    order: Sequence[int]  # index in the plan's order of each lump of the directory


def precook(
    settled: Sequence[Settled], maker: Maker, tally: Tally, progress: Progress, task: str, wish: str
) -> list[Settled]:
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
            learned = list(map(tuple, maker.world.take_learned()))
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
    plan: ArchivePlan,
    slots: Sequence[Slot],
    maker: Maker,
    file: NewFile,
    tally: Tally,
    progress: Progress,
    task: str,
    wish: str,
) -> Written:
    """Write an archive's bytes into a new file, and what there is to know of it."""
    _check_names(plan, slots)
    names = [slot.name.encode("utf-8", "surrogateescape") for slot in slots]
    ordering = order_names(names, plan.seed)
    ordered = [slots[index] for index in ordering.order]
    facts, copies = _find_kept(ordered, maker, dedupe=plan.dedupe)
    raw_sizes = [
        one[_RAW_SIZE] if one else _raw_size(slot, maker) for slot, one in zip(ordered, facts, strict=True)
    ]
    job = Job(
        ordered,
        copies,
        [slot.lump.recipe.alignment for slot in ordered],
        raw_sizes,
        file,
        head_size(names, named=not plan.strip),
        dedupe=plan.dedupe,
    )
    left = sum(size for size, one in zip(raw_sizes, facts, strict=True) if one is None)
    progress.begin(task, "pack", facts.count(None), left)
    tally.copied += len(facts) - facts.count(None)
    if max(raw_sizes, default=0) > LARGE:
        keep_large_buffers()

    def receive(message: Any) -> None:
        made, learned, problems, warnings, exit_status, cooked, encoded, raw_size = message
        tally.take(learned, problems, warnings, exit_status)
        tally.cooked += cooked
        tally.encoded += encoded
        known = maker.world.known
        for index, one in made:
            facts[index] = one
            lump = ordered[index].lump
            if lump.recipe.rule.verbatim:
                known.setdefault(lump.sources[0], one[_RAW_DIGEST])
        tally.advance(len(made), raw_size)

    run_crew(
        choose_crew(left, WORTH_A_CREW, wish=wish),
        len(job.chunks),
        lambda claim, send: Worker(job, maker, claim, send).run(),
        receive,
    )
    tally.check()
    return _finish(plan, job, facts, ordering, slots, file)


def _finish(
    plan: ArchivePlan,
    job: Job,
    facts: Sequence[Any],
    ordering: Ordering,
    slots: Sequence[Slot],
    file: NewFile,
) -> Written:
    placer = job.placer()
    placer.advance()
    rows = Rows(
        [
            [slot.name for slot in job.slots],
            [slot.lump.recipe.set_id for slot in job.slots],
            [slot.lump.sources for slot in job.slots],
            placer.offsets,
            *(zip(*facts, strict=True) if facts else [()] * len(Facts._fields)),
        ]
    )
    head = encode_head(
        ordering,
        [slot.name.encode("utf-8", "surrogateescape") for slot in slots],
        offsets=rows.offsets,
        stored_sizes=rows.stored_sizes,
        raw_sizes=rows.raw_sizes,
        content_hashes=rows.content_hashes,
        fourccs=rows.fourccs,
        schemas=rows.schemas,
        flags=rows.flags,
        alignment=plan.alignment,
        named=not plan.strip,
    )
    file.write_at(0, [head])
    file.truncate(placer.end)
    return Written(
        rows,
        int.from_bytes(head[48:56], "little"),
        ordering.seed,
        placer.end,
        len(head),
        tuple(index for index, copy in enumerate(job.copies) if copy is None),
        slots,
        ordering.order,
    )


class Identity(NamedTuple):
    """What an archive is, beside its bytes."""

    content_id: str
    sets: dict[str, str]  # set -> content id of its lumps
    inputs: bytes  # look.inputs_digest


def identify(plan: ArchivePlan, written: Written) -> Identity:
    """Content ids and inputs digest of an archive that was written."""
    cooked = [b""] * len(written.order)
    for index, one in zip(written.order, written.rows.cook_digests, strict=True):
        cooked[index] = one
    whole, sets = _content_ids(written.rows)
    return Identity(whole, sets, inputs_digest(plan, lz4.encoder_id(), written.slots, cooked))


def _content_ids(rows: Rows) -> tuple[str, dict[str, str]]:
    """Content id of an archive, and of each of its sets."""
    names = [name.encode("utf-8", "surrogateescape") for name in rows.names]
    lumps = list(zip(names, rows.fourccs, rows.schemas, rows.raw_sizes, rows.raw_digests, strict=True))
    whole = content_id(lumps)
    sets = sorted(set(rows.set_ids))
    if len(sets) == 1:
        return whole, {sets[0]: whole}
    by_set: dict[str, list[Any]] = {set_id: [] for set_id in sets}
    for set_id, lump in zip(rows.set_ids, lumps, strict=True):
        by_set[set_id].append(lump)
    return whole, {set_id: content_id(lumps) for set_id, lumps in by_set.items()}


def _find_kept(
    slots: Sequence[Slot], maker: Maker, *, dedupe: bool
) -> tuple[list[tuple[Any, ...] | None], list[Copy | None]]:
    """Of each lump whose stored bytes lie in an archive that is as we wrote it: its facts, and where they lie."""
    facts: list[tuple[Any, ...] | None] = [None] * len(slots)
    copies: list[Copy | None] = [None] * len(slots)
    reuse, find = maker.reuse, maker.reuse.stored
    for index, slot in enumerate(slots) if reuse else ():
        cooked = slot.cooked
        if cooked is None:
            continue
        product = cooked.products[slot.position]
        kept = find(product.raw_digest, product.raw_size, slot.lump.recipe.encoding)
        if kept is None:
            continue
        number, at, label, codec_size = kept
        archive, rows = maker.kept.archive(number), reuse.rows(number)
        if archive is None or not archive.trusted:
            continue
        contents = _contents(product.raw_digest, maker, number, rows[at]) if dedupe else b""
        if contents is None:
            continue
        old = rows.facts[at]
        stored = (old[_STORED_SIZE], old[_CONTENT_HASH], old[_FLAGS])
        facts[index] = maker.facts(slot, cooked, stored, label, codec_size)
        copies[index] = Copy(
            archive.file.fd, rows.offsets[at], old[_STORED_SIZE], archive.alignment, contents
        )
    return facts, copies


def _contents(raw_digest: bytes, maker: Maker, number: int, row: LumpRow) -> bytes | None:
    """What tells kept stored bytes apart under dedupe: their digest; None where they are damaged."""
    if not row.flags:
        return raw_digest
    stored = maker.kept.read(number, row)
    return None if stored is None else digest(stored)


def _raw_size(slot: Slot, maker: Maker) -> int:
    """Raw bytes of a lump, or of its sources where that is not known yet."""
    if slot.cooked is not None:
        return slot.cooked.products[slot.position].raw_size
    return _source_size(slot.lump, maker)


def _source_size(lump: PlannedLump, maker: Maker) -> int:
    stat_of = maker.world.tree.stat
    return sum([stat.size for path in lump.sources if (stat := stat_of(path)) is not None])


def _check_names(plan: ArchivePlan, slots: Sequence[Slot]) -> None:
    """Refuse names that only cooking told, where two lumps have one (the plan has checked those it knew)."""
    if all(slot.lump.products is not None for slot in slots):
        return
    first: dict[str, Slot] = {}
    problems = []
    for slot in slots:
        other = first.setdefault(slot.name, slot)
        if other is not slot:
            sources = f"{other.lump.sources[0]} and from {slot.lump.sources[0]}"
            message = f"lump {slot.name!r} of archive {plan.id} is made from {sources}"
            problems.append(
                Problem(Place(slot.lump.sources[0]), "E0610", message, "give one of them another name")
            )
    if problems:
        raise CookError(problems)


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
