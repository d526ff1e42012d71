"""The sizes of a project's archives, from what the builds themselves recorded of every lump."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lumpyard import disk
from lumpyard.archives.model import Lump
from lumpyard.archives.opening import open_archive
from lumpyard.archives.structure import PARTS, regions_of, share_out
from lumpyard.build.release.lockfile import LOCK
from lumpyard.build.release.measured import find_built
from lumpyard.build.release.released import find_ledger
from lumpyard.errors import DiskError, MalformedError, NotFoundError, UnsupportedError
from lumpyard.ledger import parse_ledger
from lumpyard.lock import Lock, parse_lock
from lumpyard.report.duplicates import Duplicate, find_duplicates
from lumpyard.report.inventory import Inventory, listed_names, of_ledger
from lumpyard.report.maps import MOST_MAPS, made_for, measure_maps
from lumpyard.report.sizes import ArchiveSize, Release, measure_inventory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.build.earlier.record import Record
    from lumpyard.build.project import Project
    from lumpyard.ledger import Ledger

LARGEST = 20  # lumps of an archive that are named


@dataclass(frozen=True, slots=True)
class SizeReport:
    """All that is known of the sizes of a project's archives."""

    archives: tuple[ArchiveSize, ...]
    duplicates: tuple[Duplicate, ...]  # within archives and across them
    missing: tuple[str, ...] = ()  # archives that were never built

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(archive.size for archive in self.archives)


def measure(
    project: Project, archives: Sequence[str] = (), *, since: str = "", largest: int = LARGEST
) -> SizeReport:
    """The sizes of the archives in dist/, or else in build/, of those that are named or all.

    `since` is the release to compare with: an archives.lock, or the folder of one; the project's own when empty. Its
    ledgers are looked for in symbols/ beside it. NotFoundError where none of the archives was ever built.
    """
    lock_path = _lock_path(project, since)
    lock = _load_lock(lock_path, needed=bool(since))
    wanted = archives or list(project.manifest.archives)
    inventories: dict[str, Inventory] = {}
    sizes: list[ArchiveSize] = []
    room = MOST_MAPS
    for archive_id in wanted:
        found = _inventory(project, archive_id)
        if found is None:
            continue
        inventory, archive_hash = found
        inventories[archive_id] = inventory
        release, before = _release(project, archive_id, lock, lock_path, archive_hash)
        maps = measure_maps(inventory, room, made_for(project.manifest, archive_id))
        room -= len(maps.maps)
        size = measure_inventory(
            archive_id, inventory, largest=largest, release=release, before=before, maps=maps
        )
        sizes.append(size)
    missing = tuple(archive_id for archive_id in wanted if archive_id not in inventories)
    if missing and not sizes:
        names = ", ".join(missing)
        raise NotFoundError(f"nothing was built yet of {names}; `doit ship` or `doit` builds it")
    return SizeReport(tuple(sizes), find_duplicates(inventories), missing)


def _lock_path(project: Project, since: str) -> str:
    if not since:
        return project.real(LOCK)
    return since if disk.stat_file(since) is not None else f"{since.rstrip('/')}/{LOCK}"


def _load_lock(path: str, *, needed: bool) -> Lock:
    data = disk.read_if_there(path)
    if data is None and needed:
        raise DiskError(f"cannot read {path}: there is no such file")
    return Lock() if data is None else parse_lock(data, path)


def _inventory(project: Project, archive_id: str) -> tuple[Inventory, str] | None:
    """An archive and its hash; None where it was never built."""
    record = find_built(project, archive_id)
    shipped = project.output(archive_id, "ship")
    if record is None or record.path != shipped:
        found = _of_release(project, archive_id, shipped)
        if found is not None:
            return found
    if record is None:
        return None
    return _of_record(project, archive_id, record), f"{record.archive_hash:016x}"


def _of_record(project: Project, archive_id: str, record: Record) -> Inventory:
    path, rows = project.real(record.path), record.rows
    form = project.archive(archive_id).format
    with disk.open_map(path) as mapping:
        try:
            archive = open_archive(mapping.data, form)
        except (MalformedError, UnsupportedError) as error:
            raise type(error)(f"{path}: {error}", error.code, error.entry) from error
        regions = regions_of(archive)
        seed, alignment, stripped = archive.seed, archive.alignment, archive.stripped
        size = archive.size
    holds_all = form == "EWAD"
    columns = map(
        rows.column, ("offset", "stored_size", "raw_size", "fourcc", "schema", "flags", "content_hash")
    )
    lumps = [
        Lump(
            name.encode("utf-8", "surrogateescape"),
            offset,
            stored_size,
            raw_size,
            None,
            fourcc if holds_all else None,
            schema if holds_all else None,
            flags,
            content_hash,
        )
        for name, offset, stored_size, raw_size, fourcc, schema, flags, content_hash in zip(
            rows.names, *columns, strict=True
        )
    ]
    shares = share_out(size, regions, [lump.offset for lump in lumps], [lump.stored_size for lump in lumps])
    return Inventory(
        path,
        form,
        size,
        listed_names(form, lumps),
        [True] * len(lumps),
        lumps,
        shares,
        seed,
        alignment,
        record.archive_hash,
        stripped if holds_all else None,
        record.content_id,
        rows.column("raw_digest"),
        rows.column("set_id"),
    )


def _of_release(project: Project, archive_id: str, path: str) -> tuple[Inventory, str] | None:
    """An archive in dist/ by its ledger in symbols/, where both were brought here without what builds know."""
    stat = disk.stat_file(project.real(path))
    ledger = _ledger(project.real(project.symbols(archive_id)))
    if stat is None or ledger is None:
        return None
    inventory = of_ledger(project.real(path), ledger)
    if inventory.size != stat.size:
        return None
    archive_hash = ledger.header.get("archive-hash", "")
    if inventory.archive_hash is not None:
        with disk.open_map(project.real(path)) as mapping:
            if mapping.data[48:56] != inventory.archive_hash.to_bytes(8, "little"):
                return None
    return inventory, archive_hash


def _release(
    project: Project, archive_id: str, lock: Lock, lock_path: str, archive_hash: str
) -> tuple[Release | None, Inventory | None]:
    """What archives.lock says of an archive, and its lumps where the ledger that goes with it is at hand."""
    block = lock.archives.get(archive_id)
    if block is None:
        return None, None
    folder = disk.parent(lock_path)
    symbols = project.symbols(archive_id)
    path = f"{folder}/{symbols}" if folder else symbols
    ledger = find_ledger(path, block)
    before = None if ledger is None else of_ledger(path, ledger)
    if before is not None and before.size != block.size:
        before = None
    parts = None if before is None else {part: before.shares.parts[part] for part in PARTS}
    release = Release(
        block.size,
        block.lumps,
        block.raw_size,
        block.stored_size,
        block.archive_hash,
        block.archive_hash == archive_hash,
        parts,
    )
    return release, before


def _ledger(path: str) -> Ledger | None:
    try:
        data = disk.read_if_there(path)
        return None if data is None else parse_ledger(data, path)
    except (DiskError, MalformedError, UnsupportedError):
        return None
