"""What earlier archives can give: cooked products by request, stored bytes by raw digest and policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.build.lumps.encode import NOT_TRIED, RAW, codec_label, is_worth_it

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lumpyard.build.earlier.record import LumpRow, Record, Rows
    from lumpyard.plan.model import Encoding


class _Index(NamedTuple):
    """What some archives hold."""

    kept: dict[tuple[bytes, str], tuple[int, int]]  # raw digest, codec -> archive, index
    sizes: dict[tuple[bytes, str], int]  # raw digest, codec -> what the codec made of it
    cooked: dict[bytes, list[LumpRow]]  # request digest -> lumps that came of it
    cooked_at: dict[bytes, tuple[int, int]]  # raw digest of what was cooked -> archive, index


class Reuse:
    """An index over the records of some archives, which are given with their numbers; the first ones have their say."""

    def __init__(self, records: Iterable[tuple[int, Record]], encoder: str) -> None:
        self.given = tuple(records)  # with their numbers
        self._encoder = encoder
        self._rows = {number: record.rows for number, record in self.given}
        self._places: dict[int, list[tuple[int, int, int, int]]] = {}
        self._index: _Index | None = None

    @property
    def _found(self) -> _Index:
        """The index, made when first asked for: most builds take their lumps by the chunk."""
        if self._index is None:
            index = _Index({}, {}, {}, {})
            for number, record in reversed(self.given):
                _take(index, number, record.rows, same_encoder=record.encoder == self._encoder)
            self._index = index
        return self._index

    @property
    def places(self) -> dict[int, list[tuple[int, int, int, int]]]:
        """Of each archive, each lump's stored size, content hash, flags and offset."""
        if not self._places:
            fields = ("stored_size", "content_hash", "flags", "offset")
            self._places = {
                number: list(zip(*map(rows.column, fields), strict=True))
                for number, rows in self._rows.items()
            }
        return self._places

    @property
    def cooked(self) -> dict[bytes, list[LumpRow]]:
        """Lumps that came of a request digest."""
        return self._found.cooked

    def __bool__(self) -> bool:
        return bool(self.given)

    def stored(
        self, raw_digest: bytes, raw_size: int, encoding: Encoding
    ) -> tuple[int, int, str, int] | None:
        """Stored bytes that the policy would give this content: archive, index, codec tried, its size; or None."""
        label = codec_label(encoding, raw_size)
        size = NOT_TRIED
        if label != RAW:
            size = self._found.sizes.get((raw_digest, label), NOT_TRIED)
            if size == NOT_TRIED:
                return None
        wanted = label if label != RAW and is_worth_it(encoding, raw_size, size) else RAW
        kept = self._found.kept.get((raw_digest, wanted))
        return None if kept is None else (*kept, label, size)

    def cooked_at(self, raw_digest: bytes) -> tuple[int, LumpRow] | None:
        """A lump that holds what some rule made, however it is compressed: archive and row."""
        found = self._found.cooked_at.get(raw_digest)
        return None if found is None else (found[0], self._rows[found[0]][found[1]])

    def rows(self, number: int) -> Rows:
        """The lumps of an archive."""
        return self._rows[number]

    def codec_size(self, raw_digest: bytes, label: str) -> int:
        """What a codec is known to make of this content; NOT_TRIED where that is not known."""
        return self._found.sizes.get((raw_digest, label), NOT_TRIED)


def _take(index: _Index, number: int, rows: Rows, *, same_encoder: bool) -> None:
    kept, sizes = index.kept, index.sizes
    fields = ("raw_digest", "flags", "codec", "codec_size", "request")
    for at, (raw_digest, flags, codec, codec_size, request) in enumerate(
        zip(*map(rows.column, fields), strict=True)
    ):
        if codec_size != NOT_TRIED and same_encoder:
            sizes[raw_digest, codec] = codec_size
            if flags:
                kept[raw_digest, codec] = (number, at)
        if not flags:
            kept[raw_digest, RAW] = (number, at)
        if request:
            index.cooked.setdefault(request, []).append(rows[at])
            index.cooked_at[raw_digest] = (number, at)
