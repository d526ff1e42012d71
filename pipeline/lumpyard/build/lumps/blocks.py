"""What costly codecs made: looked for in the store, and put there some at a time.

Twenty thousand small blocks that are written one by one cost as much as compressing them (measured). So they wait here
for company, for a moment that no killed build will miss; `sync` has all of them on the device.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from lumpyard.build.lumps.codecs import decompress
from lumpyard.build.lumps.encode import NOT_TRIED
from lumpyard.errors import ArchiveError
from lumpyard.hashing import digest
from lumpyard.store import encode_digests

if TYPE_CHECKING:
    from collections.abc import Callable

    from lumpyard.build.lumps.encode import Encoded
    from lumpyard.plan.model import Encoding
    from lumpyard.store import Store

_MOMENT = 0.1  # seconds that a result may wait, if another one comes
_ENOUGH = 256 << 10  # bytes that are written at once


class Blocks:
    """The blocks of one build with one encoder (codecs.encoder_of)."""

    def __init__(self, store: Store, encoder: str) -> None:
        self._store = store
        self._encoder = encoder
        self._keys: dict[tuple[str, int], Callable[[bytes], bytes]] = {}  # by codec and level
        # Encode digest -> the block, or the size of one that is not kept.
        self._waiting: dict[bytes, bytes | int] = {}
        self._size = 0  # bytes of the blocks among them
        self._since = 0.0

    def key(self, raw_digest: bytes, encoding: Encoding) -> bytes:
        """The encode digest."""
        codec = encoding.codec, encoding.level
        key = self._keys.get(codec)
        if key is None:
            key = self._keys[codec] = encode_digests(*codec, self._encoder)
        return key(raw_digest)

    def size(self, key: bytes) -> int:
        """Bytes of the block, whether it was kept or not; NOT_TRIED where that is not known."""
        waiting = self._waiting.get(key)
        if waiting is not None:
            return waiting if isinstance(waiting, int) else len(waiting)
        found = self._store.compressed_size(key)
        return NOT_TRIED if found is None else found

    def find(self, key: bytes, raw_digest: bytes, raw_size: int, label: str) -> bytes | None:
        """A block, once it is seen to hold the raw bytes: a store may be shared with whom nobody knows."""
        waiting = self._waiting.get(key)
        if isinstance(waiting, bytes):
            return waiting
        block = self._store.block(key)
        try:
            good = block is not None and digest(decompress(block, raw_size, label)) == raw_digest
        except ArchiveError:
            good = False
        return block if good else None

    def put(self, key: bytes, encoded: Encoded) -> None:
        """Keep a block, or the size of one that did not earn its keep."""
        now = time.monotonic()
        if not self._waiting:
            self._since = now
        self._waiting[key] = encoded.stored if encoded.compressed else encoded.codec_size
        self._size += len(encoded.stored) if encoded.compressed else 0
        if self._size >= _ENOUGH or now - self._since > _MOMENT:
            self.flush()

    def flush(self) -> None:
        """Have the store keep what waits."""
        found = []
        while self._waiting:  # threads share it: each result is taken out by one of them
            found.append(self._waiting.popitem())
        self._size = 0
        if found:
            self._store.put_encoded(found)

    def sync(self) -> None:
        """Make all that was put durable."""
        self.flush()
        self._store.sync()
