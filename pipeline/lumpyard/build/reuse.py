"""What earlier archives can give: cooked products by request, stored bytes by raw digest and policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.build.encode import NOT_TRIED, RAW, codec_label, is_worth_it

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lumpyard.build.record import LumpRow, Record, Rows
    from lumpyard.plan.model import Encoding


class Reuse:
    """An index over the records of some archives, which are given with their numbers; the first ones have their say."""

    def __init__(self, records: Iterable[tuple[int, Record]], encoder: str) -> None:
        given = list(records)
        self._rows = {number: record.rows for number, record in given}
        self._places: dict[int, list[tuple[int, int, int, int]]] = {}
        self._kept: dict[tuple[bytes, str], tuple[int, int]] = {}  # archive, index
        self._sizes: dict[tuple[bytes, str], int] = {}
        self.cooked: dict[bytes, list[LumpRow]] = {}  # request digest -> lumps that came of it
        self._cooked_at: dict[bytes, tuple[int, int]] = {}  # raw digest of what was cooked -> archive, index
        for number, record in reversed(given):
            self._take(number, record.rows, same_encoder=record.encoder == encoder)

    def _take(self, number: int, rows: Rows, *, same_encoder: bool) -> None:
        kept, sizes = self._kept, self._sizes
        fields = ("raw_digest", "flags", "codec", "codec_size", "request")
        for index, (raw_digest, flags, codec, codec_size, request) in enumerate(
            zip(*map(rows.column, fields), strict=True)
        ):
            if codec_size != NOT_TRIED and same_encoder:
                sizes[raw_digest, codec] = codec_size
                if flags:
                    kept[raw_digest, codec] = (number, index)
            if not flags:
                kept[raw_digest, RAW] = (number, index)
            if request:
                self.cooked.setdefault(request, []).append(rows[index])
                self._cooked_at[raw_digest] = (number, index)

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

    def __bool__(self) -> bool:
        return bool(self._kept)

    def stored(
        self, raw_digest: bytes, raw_size: int, encoding: Encoding
    ) -> tuple[int, int, str, int] | None:
        """Stored bytes that the policy would give this content: archive, index, codec tried, its size; or None."""
        label = codec_label(encoding, raw_size)
        size = NOT_TRIED
        if label != RAW:
            size = self._sizes.get((raw_digest, label), NOT_TRIED)
            if size == NOT_TRIED:
                return None
        wanted = label if label != RAW and is_worth_it(encoding, raw_size, size) else RAW
        kept = self._kept.get((raw_digest, wanted))
        return None if kept is None else (*kept, label, size)

    def cooked_at(self, raw_digest: bytes) -> tuple[int, LumpRow] | None:
        """A lump that holds what some rule made, however it is compressed: archive and row."""
        found = self._cooked_at.get(raw_digest)
        return None if found is None else (found[0], self._rows[found[0]][found[1]])

    def rows(self, number: int) -> Rows:
        """The lumps of an archive."""
        return self._rows[number]

    def codec_size(self, raw_digest: bytes, label: str) -> int:
        """What a codec is known to make of this content; NOT_TRIED where that is not known."""
        return self._sizes.get((raw_digest, label), NOT_TRIED)
