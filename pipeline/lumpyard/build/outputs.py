"""What a task leaves behind: the archive, its record, and for `ship` all that goes with it (design.md, section 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard import disk
from lumpyard.build.archive import BuildFailedError, Tally, precook, write
from lumpyard.build.checking import check_new, find_damage
from lumpyard.build.explain import explain
from lumpyard.build.record import Record, save_record
from lumpyard.errors import DiskError

if TYPE_CHECKING:
    from lumpyard.build.progress import Progress
    from lumpyard.build.session import Session


class Outcome(NamedTuple):
    """What became of an archive."""

    path: str
    changed: bool
    record: Record
    lumps: int
    cooked: int
    encoded: int
    copied: int


def write_outputs(session: Session, task: str, progress: Progress) -> Outcome:
    """Bring an archive to where its plan wants it; it is left alone where it is so already."""
    tally = Tally(progress, task, session.world)
    try:
        record = session.record
        if record is None or session.inputs() != record.inputs or find_damage(session.project, record):
            record = _build(session, tally, task, progress)
            changed = True
        else:
            changed = False
    except BuildFailedError:
        session.keep_fingerprints()  # what could be read need not be read again
        raise
    return Outcome(session.path, changed, record, len(record.rows), tally.cooked, tally.encoded, tally.copied)


def why_stale(session: Session) -> tuple[str, ...]:
    """What makes an archive out of date, by contents; () when nothing does. Sources must have been looked at."""
    record = session.record
    if record is None:
        return ("never built",)
    if session.inputs() != record.inputs:
        return explain(session.plan, session.look(read=False), record)
    damage = find_damage(session.project, record)
    return (damage,) if damage else ()


def _build(session: Session, tally: Tally, task: str, progress: Progress) -> Record:
    """Write the archive; once more and all anew where what earlier archives gave turns out to be damaged."""
    try:
        return _write(session, tally, task, progress)
    except _DamagedError:
        if not tally.copied:
            raise
    session.forget_archives()
    tally.copied = 0
    return _write(session, tally, task, progress)


class _DamagedError(DiskError):
    """What was written does not read back."""


def _write(session: Session, tally: Tally, task: str, progress: Progress) -> Record:
    maker, plan = session.maker, session.plan
    wish = session.project.environ.get("LUMPYARD_WORKERS", "")
    session.settled = precook(session.look(read=False), maker, tally, progress, task, wish)
    ship = session.profile == "ship"
    with disk.NewFile(session.project.real(session.path)) as file:
        written = write(plan, session.settled, maker, file, tally, progress, task, wish)
        damage = check_new(file, written, whole=ship)
        if damage:
            raise _DamagedError(f"{session.path}: {damage}")
        stat = file.commit(durable=ship)
    record = Record(
        session.path,
        tuple(stat),
        maker.encoder,
        written.archive_hash,
        written.content_id,
        written.seed,
        plan.alignment,
        written.inputs,
        written.sets,
        "",
        written.rows,
    )
    save_record(session.project.record_path(session.id, session.profile), record)
    return record
