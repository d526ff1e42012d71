"""A store's folder as one process has it open: threads share it, forked children go on with it, faults are survived."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from lumpyard import disk
from lumpyard.disk import appending
from lumpyard.errors import DiskError
from lumpyard.store.catalog import Catalog
from lumpyard.store.reading import read_payload
from lumpyard.store.writer import Record, Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from typing_extensions import Buffer

    from lumpyard.store.catalog import Spot
    from lumpyard.store.records import Kind

LOOKS = 4  # at the folder for one record: each trim that comes in between costs one


class Keeper:
    """Finds, reads and appends records. Only `catalog` and `warn` are for use under `lock()`; all else takes it.

    A folder that cannot be read or written is done without: no DiskError leaves, a warning says it once.
    """

    def __init__(self, folder: str, on_warning: Callable[[str], None]) -> None:
        self.folder = folder
        self._on_warning = on_warning
        self._warned: set[str] = set()
        self._lock = threading.RLock()
        self._process = self._founder = appending.process_id()
        self._catalog: Catalog | None = None
        self._writer: Writer | None = None
        self._writable = True

    def lock(self) -> threading.RLock:
        """The lock to hold; a forked child first makes the keeper its own."""
        process = appending.process_id()
        if process != self._process:
            self._process = process
            settled = self._lock.acquire(blocking=False)  # else a thread was in here when the fork came
            self._lock = threading.RLock()
            if settled:
                self.drop_writer()
            else:
                self.drop()
        return self._lock

    def catalog(self) -> Catalog:
        """What is where; the folder is read when this is first called."""
        if self._catalog is None:
            catalog = Catalog(self.folder)
            try:
                catalog.load()
            except DiskError as error:
                self._writable = False
                self._warn_unread(error)
            self._catalog = catalog
        return self._catalog

    def find(self, kind: Kind, key: bytes) -> list[Spot]:
        """Where a record may be, newest first; before a miss is a miss, files that came since are looked at."""
        return self.find_first((kind,), key)[1]

    def find_first(self, kinds: Sequence[Kind], key: bytes) -> tuple[Kind, list[Spot]]:
        """The first of some kinds of which there may be a record of this key, and where, as `find` says."""
        with self.lock():
            catalog = self.catalog()
            for _ in range(LOOKS):
                for kind in kinds:
                    spots = catalog.find(kind, key)
                    if spots:
                        return kind, spots
                if not catalog.changed():
                    break
                self._look_again(catalog)
            return kinds[-1], []

    def payloads(self, kind: Kind, key: bytes, most: int) -> list[bytes]:
        """The payloads of a record that hold, newest first, at most so many."""
        with self.lock():
            for looks_left in reversed(range(LOOKS)):
                try:
                    return self._read(kind, key, most)
                except DiskError as error:  # trimmed meanwhile: what was to stay is in another segment
                    self._look_again(self.catalog())
                    if not looks_left:
                        self._warn_unread(error)
            return []

    def _read(self, kind: Kind, key: bytes, most: int) -> list[bytes]:
        payloads: list[bytes] = []
        catalog = self.catalog()
        for spot in self.find(kind, key):
            if len(payloads) == most:
                break
            payload = read_payload(catalog, spot, kind, key)
            if payload is not None:
                payloads.append(payload)
                continue
            catalog.bad.add(spot[:2])
            where = f"{catalog.path(spot.segment)}: the {kind.name} record {key.hex()} at byte {spot.offset}"
            self.warn(f"{where} is damaged; what it held is made again")
        return payloads

    def put_once(self, kind: Kind, key: bytes, payload: Buffer, payload_digest: bytes | None = None) -> None:
        """Append a record unless there is one."""
        with self.lock():
            if self._writable and not self.catalog().find(kind, key):
                self.put(kind, key, payload, payload_digest)

    def put(self, kind: Kind, key: bytes, payload: Buffer, payload_digest: bytes | None = None) -> None:
        """Append a record."""
        self.put_all([Record(kind, key, payload, payload_digest)])

    def put_all(self, records: Sequence[Record]) -> None:
        """Append records, one behind the other."""
        with self.lock():
            catalog = self.catalog()
            if not self._writable:
                return
            try:
                if self._writer is None:
                    self._writer = Writer(catalog)
                elif self._writer.is_full:
                    self._writer.sync()
                    youngest = self._writer.age + 1
                    self.drop_writer()
                    self._writer = Writer(catalog, youngest)
                self._writer.append(records)
            except DiskError as error:
                self._give_up(error)
            except BaseException:  # the segment may end in a part of the record: it stays as it is
                self.drop_writer()
                raise

    def can_keep(self) -> bool:
        """Whether records can be appended, as far as that shows before one is."""
        with self.lock():
            self.catalog()
            if self._writable and self._writer is None:
                try:
                    appending.make_durable_folder(self.folder)
                    disk.file_clock(self.folder)  # makes a file, and removes it
                except DiskError as error:
                    self._give_up(error)
            return self._writable

    def sync(self) -> None:
        """Make what this process has appended durable."""
        with self.lock():
            if self._writer is not None:
                try:
                    self._writer.sync()
                except DiskError as error:
                    self._give_up(error)

    def refresh(self) -> None:
        """Look at the folder again."""
        with self.lock():
            self._look_again(self.catalog())

    def save_index(self) -> None:
        """Write the index file, if that can be."""
        with self.lock():
            self.catalog().save()

    def close(self) -> None:
        """Let go of all files; the process that made the keeper writes the index first, when that pays."""
        with self.lock():
            if self._catalog is not None and self._process == self._founder and self._writable:
                self._look_again(self._catalog)
                if self._catalog.worth_saving():
                    self.save_index()
            self.drop()

    def drop_writer(self) -> None:
        """Leave the segment that is being written to others."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def drop(self) -> None:
        """Forget what is known; it is read again when it is needed."""
        self.drop_writer()
        if self._catalog is not None:
            self._catalog.close()
            self._catalog = None

    def warn(self, text: str) -> None:
        """Say something, once."""
        if text not in self._warned:
            self._warned.add(text)
            self._on_warning(text)

    def _look_again(self, catalog: Catalog) -> None:
        try:
            catalog.refresh()
        except DiskError as error:
            self._warn_unread(error)

    def _warn_unread(self, error: DiskError) -> None:
        self.warn(f"the store cannot be read, and what it holds is made again: {error}")

    def _give_up(self, error: DiskError) -> None:
        self._writable = False
        self.drop_writer()
        self.warn(f"the store cannot be written, and what is made from here on is not kept: {error}")
