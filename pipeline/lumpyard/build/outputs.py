"""What a task leaves behind: the archive, its record, and for `ship` all that goes with it (design.md, section 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard import disk, lz4
from lumpyard.build.causes import settings_of
from lumpyard.build.cooking.precooking import precook
from lumpyard.build.cooking.tally import BuildFailedError, Tally
from lumpyard.build.earlier.record import Record, save_record
from lumpyard.build.explain import explain
from lumpyard.build.lumps.encode import is_beyond
from lumpyard.build.packing.checking import find_damage
from lumpyard.build.packing.identity import identify
from lumpyard.build.packing.pack import pack
from lumpyard.build.packing.read_back import ReadBack
from lumpyard.build.release.budgets import hold_budgets, why_over_budget
from lumpyard.build.release.gone import keep_moved
from lumpyard.build.release.reports import why_archives_json_differs, write_archives_json
from lumpyard.build.release.shipping import (
    hold_against_lock,
    ledger_of,
    why_lock_differs,
    with_ledger,
    write_lock,
)
from lumpyard.errors import DiskError, Problem
from lumpyard.hashing import digest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lumpyard.build.earlier.record import Rows
    from lumpyard.build.packing.layouts import Finished
    from lumpyard.build.packing.packed import Packed
    from lumpyard.build.session import Session
    from lumpyard.build.workers.progress import Progress


class Outcome(NamedTuple):
    """What became of an archive."""

    path: str
    changed: bool
    record: Record
    lumps: int
    cooked: int  # how many times a rule ran
    encoded: int  # how many LZ4 blocks were tried
    kept: int  # how many lumps' stored bytes were not made anew


def write_outputs(session: Session, task: str, progress: Progress) -> Outcome:
    """Bring an archive to where its plan wants it; it is left alone where it is so already."""
    tally = Tally(progress, task, session.world)
    ship = session.profile == "ship"
    try:
        record = session.record
        if ship:
            keep_moved(session.project, session.id, record, session.path)
        changed = (
            record is None
            or session.inputs() != record.inputs
            or bool(find_damage(session.project, record, session.plan.format))
        )
        if changed or record is None:
            record = _build(session, tally, progress)
        elif ship:
            record = _ship_along(session, record, progress)
    except BuildFailedError:
        session.keep_fingerprints()  # what could be read need not be read again
        raise
    session.record = record
    if ship:
        write_lock(session, record)
    else:
        write_archives_json(session.project)
    kept = tally.copied + tally.taken
    return Outcome(session.path, changed, record, len(record.rows), tally.cooked, tally.encoded, kept)


def why_stale(session: Session) -> tuple[str, ...]:
    """What makes an archive out of date, by contents; () when nothing does. Sources must have been looked at."""
    record, project = session.record, session.project
    if record is None:
        return ("never built",)
    if session.inputs() != record.inputs:
        return explain(session, record)
    found = [find_damage(project, record, session.plan.format)]
    if session.profile == "ship":
        found += [_symbols_damage(session, record), why_lock_differs(session, record)]
        found.append(why_over_budget(session, record))
    else:
        found.append(why_archives_json_differs(project))
    return tuple(filter(None, found))


def _symbols_damage(session: Session, record: Record) -> str:
    path = session.project.symbols(session.id)
    data = disk.read_if_there(session.project.real(path))
    if data is None:
        return f"{path} is not there"
    return "" if digest(data).hex() == record.ledger else f"{path} was changed by something else"


def _ship_along(session: Session, record: Record, progress: Progress) -> Record:
    """All that goes with an archive which itself is as it should be."""
    record, ledger = with_ledger(session, record, ledger_of(session, record))
    record = record._replace(stat=_stat_now(session, record))
    hold_budgets(session, record, progress)
    hold_against_lock(session, record, progress)
    disk.write_if_changed(session.project.real(session.project.symbols(session.id)), ledger)
    save_record(session.project.record_path(session.id, session.profile), record)
    return record


def _stat_now(session: Session, record: Record) -> tuple[int, ...]:
    """The stat of an archive whose bytes were found whole, so that the next look need not read it."""
    stat = disk.stat_file(session.project.real(record.path))
    return record.stat if stat is None else tuple(stat)


def _build(session: Session, tally: Tally, progress: Progress) -> Record:
    """Write the archive; once more and all anew where what earlier archives gave turns out to be damaged."""
    try:
        return _write(session, tally, progress)
    except _DamagedError:
        if not tally.copied:
            raise
    session.forget_archives()
    tally.copied = 0
    return _write(session, tally, progress)


class _DamagedError(DiskError):
    """What was written does not read back."""


def _write(session: Session, tally: Tally, progress: Progress) -> Record:
    maker, plan = session.maker, session.plan
    wish = session.project.environ.get("LUMPYARD_WORKERS", "")
    session.about_to_cook()
    session.go_on_from(precook(plan, session.look(read=False), maker, tally, wish))
    ship = session.profile == "ship"
    with disk.NewFile(session.project.real(session.path)) as file:
        packed = pack(plan, session.slots(), maker, file, tally, ledger=ship, wish=wish)
        tally.begin("verify", len(packed.rows) if ship else len(packed.made), packed.end)
        with ReadBack(file, packed, whole=ship, wish=wish) as reading:
            packed.teach(maker)
            finished = packed.finish(file)
            reading.check_metadata(finished, plan.format)
            for warning in _beyond_lz4(session, packed.rows):
                progress.warn(warning)
            record = _record_of(session, packed, finished)
            ledger = ledger_of(session, record, packed.ledger_lines) if ship else b""
            session.keep_fingerprints()  # while others check
            if ship:
                file.sync()  # as long as they still do
            damage = reading.damage()
        if damage:
            raise _DamagedError(f"{session.path}: {damage}")
        if ship:
            record, ledger = with_ledger(session, record, ledger)
            hold_budgets(session, record, progress)
            hold_against_lock(session, record, progress)
            disk.write_file(session.project.real(session.project.symbols(session.id)), ledger)
        record = record._replace(stat=tuple(file.commit(durable=ship)))
    save_record(session.project.record_path(session.id, session.profile), record)
    return record


def _beyond_lz4(session: Session, rows: Rows) -> Iterator[Problem]:
    """Warnings of lumps that are stored raw though their set asks for a codec, since no block can hold them."""
    sizes = rows.column("raw_size")
    if max(sizes, default=0) <= lz4.MAX_INPUT:
        return
    recipes = {slot.name: slot.lump.recipe for slot in session.slots()}
    for name, size in zip(rows.names, sizes, strict=True):
        if is_beyond(recipes[name].encoding, size):
            text = (
                f"lump '{name}' is stored raw: it has {size:,} bytes, and LZ4 takes {lz4.MAX_INPUT:,} at most"
            )
            yield Problem(
                recipes[name].place, "W0603", text, "an override with `compress: none` says that it is to be"
            )


def _record_of(session: Session, packed: Packed, finished: Finished) -> Record:
    identity = identify(session.plan, packed)
    return Record(
        session.path,
        (finished.size, 0, 0, 0),
        session.maker.encoder,
        finished.archive_hash,
        identity.content_id,
        finished.seed,
        session.plan.alignment,
        identity.inputs,
        identity.sets,
        settings_of(session.plan, session.tools, session.maker.encoder),
        "",
        packed.rows,
    )
