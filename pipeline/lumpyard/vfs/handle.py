"""The one handle to the bytes of a file or lump, however they are held."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable


class View:
    """Bytes to look at, and a context manager that lets go of them.

    `data` is a memoryview: of a map of the file where the bytes lie there as they are, else of a buffer. Closing
    releases it, and with it the map of a loose file. What was sliced from it stays good as long as it is held, and
    holds the map.
    """

    __slots__ = ("_data", "_release", "name")

    def __init__(
        self, name: str, data: memoryview | bytes, release: Callable[[], object] | None = None
    ) -> None:
        self.name = name
        self._data: memoryview | None = memoryview(data).toreadonly()
        self._release = release

    @property
    def data(self) -> memoryview:
        """The bytes, read-only; ValueError once the view is closed."""
        if self._data is None:
            raise ValueError(f"the view of '{self.name}' is closed; its bytes are only there before that")
        return self._data

    @property
    def closed(self) -> bool:
        """Whether the bytes are gone."""
        return self._data is None

    def close(self) -> None:
        """Let go of the bytes; doing it twice is fine."""
        data, self._data = self._data, None
        release, self._release = self._release, None
        if data is not None:
            data.release()
        if release is not None:
            release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
