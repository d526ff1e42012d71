"""What goes with a shipped archive: its symbols, its block in archives.lock, and what LUMPYARD_LOCK makes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard import __version__, disk
from lumpyard.build.release.lockfile import LOCK, load_lock, lock_mode
from lumpyard.build.release.released import released_ledger
from lumpyard.errors import LockDiffersError, Place, Problem
from lumpyard.hashing import digest, name_keys
from lumpyard.ledger import render_header, render_lines
from lumpyard.lock import (
    Block,
    Inputs,
    compare_block,
    drop_blocks,
    explain_differences,
    fails_check,
    merge_block,
    render_lock,
)
from lumpyard.manifest.formats import FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lumpyard.build.earlier.record import Record
    from lumpyard.build.session import Session
    from lumpyard.build.workers.progress import Progress

_LEDGER_FIELDS = (
    "fourcc", "schema", "flags", "offset", "stored_size", "raw_size", "content_hash", "raw_digest", "cook_digest",
)  # fmt: skip


def ledger_of(session: Session, record: Record, lines: str | None = None) -> bytes:
    """The `.ewsym` of an archive; `lines` are those of its lumps, where they are at hand."""
    header = {
        "archive": session.id,
        "archive-hash": f"{record.archive_hash:016x}",
        "content-id": record.content_id,
        "format": session.plan.format,
        "seed": str(record.seed),
        "alignment": str(record.alignment),
        **({} if session.plan.strip or not FORMATS[session.plan.format].holds_all else {"names": "kept"}),
        "lumpyard": __version__,
        "codec": record.encoder,
        "manifest": session.project.manifest.digest,
    }
    return render_header(header) + (_lines_of(record) if lines is None else lines).encode()


def _lines_of(record: Record) -> str:
    rows = record.rows
    if not len(rows):
        return ""
    keys = name_keys([name.encode("utf-8", "surrogateescape") for name in rows.names], record.seed)
    sources = list(map("\n".join, rows.column("sources")))
    columns = [keys, rows.names, *map(rows.column, _LEDGER_FIELDS), rows.column("set_id"), sources]
    return render_lines(columns)


def block_of(session: Session, record: Record) -> Block:
    """What archives.lock says of an archive."""
    rows = record.rows
    recipes = {recipe.rule.kind: recipe.rule_digest for recipe in session.plan.recipes}
    tools = {tool_id: tool.identity for tool_id, tool in session.tools.items()}
    return Block(
        format=session.plan.format,
        archive_hash=f"{record.archive_hash:016x}",
        content_id=record.content_id,
        lumps=len(rows),
        raw_size=sum(rows.column("raw_size")),
        stored_size=sum(rows.column("stored_size")),
        size=record.stat[0],
        seed=record.seed,
        alignment=record.alignment,
        sets=record.sets,
        inputs=Inputs(
            manifest=session.project.manifest.digest,
            rules=recipes,
            tools={tool_id: digest(identity.encode()).hex() for tool_id, identity in tools.items()},
            codec=record.encoder,
        ),
        ledger=record.ledger,
    )


def with_ledger(session: Session, record: Record, ledger: bytes) -> tuple[Record, bytes]:
    """The record with the digest of its ledger, and the ledger.

    Where archives.lock keeps its block, as only versions differ, the ledger that it names stays too, if it is there.
    """
    project = session.project
    record = record._replace(ledger=digest(ledger).hex())
    locked = load_lock(project).archives.get(session.id)
    if locked is None or locked.archive_hash != f"{record.archive_hash:016x}":
        return record, ledger
    if locked.ledger == record.ledger or _matters(locked, block_of(session, record)):
        return record, ledger
    released = disk.read_if_there(project.real(project.symbols(session.id)))
    if released is None or digest(released).hex() != locked.ledger:
        return record, ledger
    return record._replace(ledger=locked.ledger), released


def hold_against_lock(session: Session, record: Record, progress: Progress) -> None:
    """Before anything is written below dist/: what LUMPYARD_LOCK wants to know. LockDiffersError under `check`."""
    project, mode = session.project, lock_mode(session.project)
    locked = load_lock(project).archives.get(session.id)  # also under `write`: a broken lock stops the ship
    if mode == "write":
        if _matters(locked, block_of(session, record)):
            # That it can be written is seen before anything is replaced.
            with disk.NewFile(project.real(LOCK)):
                return
        return
    differences = compare_block(locked, block_of(session, record))
    if not differences or (mode == "check" and not fails_check(differences)):
        return
    text = explain_differences(session.id, differences, _lumps_that_differ(session, record, locked))
    if mode == "check":
        raise LockDiffersError(f"{LOCK} differs: {text}; if it is meant, `doit ship` and commit {LOCK}")
    progress.warn(Problem(Place(LOCK), "W0501", text))


def _lumps_that_differ(session: Session, record: Record, locked: Block | None) -> list[str]:
    """Names of lumps, where the ledger of the locked release is at hand; none where it is not."""
    ledger = released_ledger(session.project, session.id, locked)
    if ledger is None:
        return []
    old = _by_name(
        (lump.name, (lump.raw_digest, lump.fourcc, lump.schema, lump.content_hash)) for lump in ledger.lumps
    )
    rows = record.rows
    facts = map(rows.column, ("raw_digest", "fourcc", "schema", "content_hash"))
    new = _by_name(zip(rows.names, zip(*facts, strict=True), strict=True))
    return sorted(name for name in {*old, *new} if old.get(name) != new.get(name))


def _by_name(lumps: Iterable[tuple[str, object]]) -> dict[str, list[object]]:
    """Facts of all lumps of each name, in directory order; only some formats have several."""
    found: dict[str, list[object]] = {}
    for name, facts in lumps:
        found.setdefault(name, []).append(facts)
    return found


def write_lock(session: Session, record: Record) -> None:
    """Put the archive's block into archives.lock, where that is wanted and changes anything that matters."""
    project = session.project
    if lock_mode(project) != "write":
        return
    with project.guard:
        lock = load_lock(project)
        if _matters(lock.archives.get(session.id), block_of(session, record)):
            lock = merge_block(lock, session.id, block_of(session, record))
        if project.shipped.issuperset(project.manifest.archives):  # a full ship
            lock = drop_blocks(lock, project.manifest.archives)
        disk.write_if_changed(project.real(LOCK), render_lock(lock))


def why_lock_differs(session: Session, record: Record) -> str:
    """What must be done about archives.lock, or ""."""
    lock, mode = load_lock(session.project), lock_mode(session.project)
    if _matters(lock.archives.get(session.id), block_of(session, record)):
        return (
            f"{LOCK} has another {session.id}"
            if session.id in lock.archives
            else f"{LOCK} has no {session.id}"
        )
    gone = sorted(set(lock.archives) - set(session.project.manifest.archives))
    return f"{LOCK} still has {', '.join(gone)}" if gone and mode == "write" else ""


def _matters(locked: Block | None, made: Block) -> bool:
    """Whether a block is to be written anew.

    Other versions of codec or tools that make the same bytes are no reason: two people who have them would write the
    lock to and fro. The ledger names the codec, so it differs with it.
    """
    differ = {one.what for one in compare_block(locked, made)}
    versions = differ & {"codec", "tool"}
    return bool(differ - versions - ({"ledger"} if versions else set()))
