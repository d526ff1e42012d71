"""The local store: what has been cooked and encoded once is not made again (docs/design.md, section 7).

A store can make a build faster and never different. Each payload is checked when it is read: one that does not hold is a
miss, said once. A store that cannot be written or read is done without, said once. Only a store of a newer version stops
a build, since silence there would cook for hours what is at hand.
"""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.disk import appending
from lumpyard.store.catalog import Catalog, Spot
from lumpyard.store.cooked import CookedRecord, decode_cooked, encode_cooked
from lumpyard.store.reading import read_payload
from lumpyard.store.segment import Kind
from lumpyard.store.survey import StoreInfo, inform, verify
from lumpyard.store.trimming import TrimResult, trim
from lumpyard.store.writer import Writer

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Buffer

ANSWER_SETS = 64  # of one cook request that are looked at: a branch switched back to is found, and a look-up stays short


class Location(NamedTuple):
    """A range of a file, for copying in the kernel."""

    path: str
    offset: int
    size: int


class Store:
    """The store in a folder. One per process and project; threads may share it, and forked children go on with it.

    `on_warning` gets a line of text, each text once. Only UnsupportedError is raised.
    """

    def __init__(self, folder: str, on_warning: Callable[[str], None] = lambda _text: None) -> None:
        self.folder = folder
        self._on_warning = on_warning
        self._warned: set[str] = set()
        self._lock = threading.RLock()
        self._process = self._founder = appending.process_id()
        self._catalog: Catalog | None = None
        self._writer: Writer | None = None
        self._writable = True

    def cooked(self, request: bytes) -> list[CookedRecord]:
        """What cooks of this request found and made, newest first; [] is a miss."""
        records = map(decode_cooked, self._payloads(Kind.COOKED, request, ANSWER_SETS))
        return [record for record in records if record is not None]

    def raw(self, raw_digest: bytes) -> bytes | None:
        """The bytes of this digest; they are hashed on the way."""
        return next(iter(self._payloads(Kind.RAW, raw_digest, 1)), None)

    def raw_place(self, raw_digest: bytes) -> Location | None:
        """Where the bytes of this digest should be: not read, so not checked. The file may be gone when it is opened."""
        with self._own_lock():
            catalog = self._ready()
            for spot in self._find(catalog, Kind.RAW, raw_digest):
                return Location(catalog.path(spot.segment), spot.payload, spot.size)
        return None

    def block(self, key: bytes) -> bytes | None:
        """The LZ4 block of an encode digest."""
        return next(iter(self._payloads(Kind.BLOCK, key, 1)), None)

    def compressed_size(self, key: bytes) -> int | None:
        """Size of the LZ4 block of an encode digest, whether the block was kept or not."""
        with self._own_lock():
            for spot in self._find(self._ready(), Kind.BLOCK, key):
                return spot.size
        for payload in self._payloads(Kind.SIZE, key, 1):
            return int.from_bytes(payload, "little")
        return None

    def put_cooked(self, request: bytes, record: CookedRecord) -> None:
        """Keep what a cook found and made; other sets of answers stay."""
        if record not in self.cooked(request):
            self._put(Kind.COOKED, request, encode_cooked(record))

    def put_raw(self, raw_digest: bytes, data: Buffer) -> None:
        """Keep raw bytes; `raw_digest` is trusted here, and checked when they are read."""
        self._put_once(Kind.RAW, raw_digest, data, raw_digest)

    def put_block(self, key: bytes, data: Buffer) -> None:
        """Keep an LZ4 block."""
        self._put_once(Kind.BLOCK, key, data)

    def put_size(self, key: bytes, size: int) -> None:
        """Keep the size of a block that is not kept itself."""
        self._put_once(Kind.SIZE, key, size.to_bytes(8, "little"))

    def refresh(self) -> None:
        """Notice what other processes have put, forked workers among them."""
        with self._own_lock():
            self._look_again(self._ready())

    def sync(self) -> None:
        """Make what this process has put durable; it is on the disk when this returns."""
        with self._own_lock():
            if self._writer is not None:
                try:
                    self._writer.sync()
                except OSError as error:
                    self._give_up(error)

    def close(self) -> None:
        """Let go of all files. The process that made the store also writes its index, when that pays."""
        with self._own_lock():
            if self._catalog is not None and self._process == self._founder and self._writable:
                self._look_again(self._catalog)
                if self._catalog.worth_saving():
                    self._save_index(self._catalog)
            self._drop()

    def info(self) -> StoreInfo:
        """What is in the store; reads every record's header. Raises DiskError."""
        with self._own_lock():
            return inform(self._ready())

    def verify(self) -> list[str]:
        """What is wrong in the store, one line each; reads every record. Bad ones are misses from then on."""
        with self._own_lock():
            catalog = self._ready()
            problems = verify(catalog)
            self._save_index(catalog)
            return problems

    def trim(self, max_size: int, keep: Callable[[Kind, bytes], bool]) -> TrimResult:
        """Make the store fit, what `keep` does not want and is oldest going first. Raises DiskError.

        What other processes are writing at this moment is left alone.
        """
        with self._own_lock():
            catalog = self._ready()
            self._drop_writer()
            result = trim(catalog, max_size, keep)
            self._drop()  # what was known is no longer so
            return result

    def _own_lock(self) -> threading.RLock:
        """The lock to hold; a forked child first makes the store its own."""
        if appending.process_id() != self._process:
            self._process = appending.process_id()
            consistent = self._lock.acquire(
                blocking=False
            )  # else another thread was inside when the fork came
            self._lock = threading.RLock()
            if consistent:
                self._drop_writer()
            else:
                self._drop()
        return self._lock

    def _ready(self) -> Catalog:
        if self._catalog is None:
            catalog = Catalog(self.folder)
            try:
                catalog.load()
            except OSError as error:
                self._writable = False
                self._warn(f"{self.folder}: the store cannot be read ({error.strerror}); going on without it")
            self._catalog = catalog
        return self._catalog

    def _look_again(self, catalog: Catalog) -> None:
        try:
            catalog.refresh()
        except OSError as error:
            self._warn(
                f"{self.folder}: the store cannot be read ({error.strerror}); going on with what is known of it"
            )

    def _find(self, catalog: Catalog, kind: Kind, key: bytes) -> list[Spot]:
        """Where a record may be, newest first; before a miss is a miss, files that came since are looked at."""
        spots = catalog.find(kind, key)
        if not spots and catalog.changed():
            self._look_again(catalog)
            spots = catalog.find(kind, key)
        return spots

    def _payloads(self, kind: Kind, key: bytes, most: int) -> list[bytes]:
        """Payloads of a record that hold, newest first."""
        with self._own_lock():
            catalog = self._ready()
            for _attempt in range(2):
                try:
                    return self._read_all(catalog, kind, key, most)
                except FileNotFoundError:  # trimmed meanwhile; what was to stay is in another segment
                    self._look_again(catalog)
        return []

    def _read_all(self, catalog: Catalog, kind: Kind, key: bytes, most: int) -> list[bytes]:
        payloads: list[bytes] = []
        for spot in self._find(catalog, kind, key):
            if len(payloads) == most:
                break
            payload = read_payload(catalog, spot, kind, key)
            if payload is not None:
                payloads.append(payload)
            else:
                catalog.bad.add(spot[:2])
                where = f"{catalog.path(spot.segment)}: the {kind.name} record at byte {spot.offset}"
                self._warn(f"{where} is damaged; it is left aside and made again")
        return payloads

    def _put_once(self, kind: Kind, key: bytes, payload: Buffer, payload_digest: bytes | None = None) -> None:
        with self._own_lock():
            if self._writable and not self._ready().find(kind, key):
                self._put(kind, key, payload, payload_digest)

    def _put(self, kind: Kind, key: bytes, payload: Buffer, payload_digest: bytes | None = None) -> None:
        with self._own_lock():
            catalog = self._ready()
            if not self._writable:
                return
            try:
                if self._writer is not None and self._writer.full:
                    self._writer.sync()
                    self._drop_writer()
                self._writer = self._writer or Writer(catalog)
                self._writer.append(kind, key, payload, payload_digest)
            except OSError as error:
                self._give_up(error)
            except BaseException:  # the segment may end in a part of the record: it is left as it is
                self._drop_writer()
                raise

    def _give_up(self, error: OSError) -> None:
        self._writable = False
        self._drop_writer()
        self._warn(
            f"{self.folder}: the store cannot be written ({error.strerror}); going on without keeping more results"
        )

    def _save_index(self, catalog: Catalog) -> None:
        with contextlib.suppress(OSError):  # without it, the next opening scans
            catalog.save()

    def _drop_writer(self) -> None:
        if self._writer is not None:
            with contextlib.suppress(OSError):
                self._writer.close()
            self._writer = None

    def _drop(self) -> None:
        self._drop_writer()
        if self._catalog is not None:
            self._catalog.close()
            self._catalog = None

    def _warn(self, text: str) -> None:
        if text not in self._warned:
            self._warned.add(text)
            self._on_warning(text)
