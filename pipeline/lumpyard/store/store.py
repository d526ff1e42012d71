"""The local store: what has been cooked and encoded once is not made again (docs/design.md, section 7).

A store makes a build faster and never different. Each payload is checked when it is read, and one that does not hold
is a miss, said once. A store that cannot be written or read is done without, said once. Only a store of a newer
version stops a build: to go on would cook for hours what is at hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.store.cooked import decode_cooked, encode_cooked
from lumpyard.store.keeper import Keeper
from lumpyard.store.records import Kind
from lumpyard.store.survey import inform, verify
from lumpyard.store.trimming import trim
from lumpyard.store.writer import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from typing_extensions import Buffer

    from lumpyard.store.cooked import CookedRecord
    from lumpyard.store.survey import StoreInfo
    from lumpyard.store.trimming import TrimResult

# Sets of answers to one cook request that are looked at: enough for many branches, and a look-up stays short.
ANSWER_SETS = 64


def _silent(text: str) -> None:
    """Nothing."""


class Store:
    """The store in a folder, one per process and project. Threads may share it, forked children may go on with it.

    Keys and digests are 32 bytes. `on_warning` gets lines of text, each one once. Nothing is opened before the first
    call that needs it, and none raises anything but UnsupportedError, for a store of another version.
    """

    def __init__(self, folder: str, on_warning: Callable[[str], None] = _silent) -> None:
        self.folder = folder
        self._keeper = Keeper(folder, on_warning)

    def cooked(self, request: bytes) -> list[CookedRecord]:
        """What cooks of this request found and made, newest first; [] is a miss."""
        records = map(decode_cooked, self._keeper.payloads(Kind.COOKED, request, ANSWER_SETS))
        # Two processes that did not know of each other may have put the same.
        return list(dict.fromkeys(record for record in records if record is not None))

    def raw(self, raw_digest: bytes) -> bytes | None:
        """The bytes of this digest, hashed on the way; None is a miss."""
        return self._payload(Kind.RAW, raw_digest)

    def block(self, key: bytes) -> bytes | None:
        """The LZ4 block of an encode digest; None is a miss."""
        return self._payload(Kind.BLOCK, key)

    def compressed_size(self, key: bytes) -> int | None:
        """Bytes of the LZ4 block of an encode digest, whether it was kept or not; None is a miss."""
        kind, spots = self._keeper.find_first((Kind.BLOCK, Kind.SIZE), key)
        if not spots:
            return None
        if kind == Kind.BLOCK:
            return spots[0].size
        payload = self._payload(Kind.SIZE, key)
        return None if payload is None else int.from_bytes(payload, "little")

    def put_cooked(self, request: bytes, record: CookedRecord) -> None:
        """Keep what a cook found and made, beside what other answers led to."""
        if record not in self.cooked(request):
            self._keeper.put(Kind.COOKED, request, encode_cooked(record))

    def put_raw(self, raw_digest: bytes, data: Buffer) -> None:
        """Keep bytes of this digest, unless they are there; the digest is taken on trust until they are read."""
        self._keeper.put_once(Kind.RAW, raw_digest, data, raw_digest)

    def put_encoded(self, found: Iterable[tuple[bytes, bytes | int]]) -> None:
        """Keep blocks, or sizes of those that are not kept, in one go; for what was looked for and is not there."""
        self._keeper.put_all(
            [
                Record(Kind.SIZE, key, what.to_bytes(8, "little"))
                if isinstance(what, int)
                else Record(Kind.BLOCK, key, what)
                for key, what in found
            ]
        )

    def can_keep(self) -> bool:
        """Whether what is put will be there: what can only be had from here need not be made for nothing."""
        return self._keeper.can_keep()

    def refresh(self) -> None:
        """Notice what other processes have put, forked workers among them."""
        self._keeper.refresh()

    def sync(self) -> None:
        """Make what this process has put durable: it is on the device when this returns."""
        self._keeper.sync()

    def close(self) -> None:
        """Let go of all files; it may be used again. The process that made it writes the index, when that pays."""
        self._keeper.close()

    def info(self) -> StoreInfo:
        """What is in the store, after reading each record's header. DiskError where that cannot be."""
        with self._keeper.lock():
            return inform(self._keeper.catalog())

    def verify(self) -> list[str]:
        """What is wrong in the store, a line each, after reading every record; bad ones are misses from then on."""
        with self._keeper.lock():
            problems = verify(self._keeper.catalog())
            if problems:
                self._keeper.save_index()
            return problems

    def trim(self, max_size: int, keep: Callable[[Kind, bytes], bool]) -> TrimResult:
        """Make the store fit into so many bytes: what `keep` does not want goes first, and the oldest of that.

        DiskError where that cannot be; nothing that is to stay is lost then.
        """
        with self._keeper.lock():
            self._keeper.drop_writer()
            try:
                return trim(self._keeper.catalog(), max_size, keep, self._keeper.warn)
            finally:
                self._keeper.drop()

    def _payload(self, kind: Kind, key: bytes) -> bytes | None:
        payloads = self._keeper.payloads(kind, key, 1)
        return payloads[0] if payloads else None
