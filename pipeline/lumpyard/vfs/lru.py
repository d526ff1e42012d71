"""What was decompressed lately, within a budget of bytes."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable


class ByteCache:
    """Buffers by key; the one that was not asked for longest goes first. Several threads may use it.

    A buffer above the whole budget is never kept: it would drive out all others for one that comes back rarely.
    """

    def __init__(self, budget: int) -> None:
        self.budget = budget  # bytes
        self.size = 0  # bytes held
        self._held: OrderedDict[Hashable, bytes] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> bytes | None:
        """The buffer, now the latest; None when it is not held."""
        with self._lock:
            data = self._held.get(key)
            if data is not None:
                self._held.move_to_end(key)
            return data

    def put(self, key: Hashable, data: bytes) -> bytes:
        """The buffer that is held under the key from now on: another thread's, where that came first."""
        if len(data) > self.budget:
            return data
        with self._lock:
            held = self._held.setdefault(key, data)
            self._held.move_to_end(key)
            if held is data:
                self.size += len(data)
            while self.size > self.budget:
                _, dropped = self._held.popitem(last=False)
                self.size -= len(dropped)
            return held
