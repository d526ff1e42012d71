"""The columns of a ledger: how each kind of value is written, and read again, a whole column at a time.

Column by column is three times as quick as line by line: a ledger of 20,000 lumps is written in 40 ms.
"""

from __future__ import annotations

import re
from struct import Struct
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from lumpyard.archives.model import type_text
from lumpyard.ledger.escapes import escape, is_special, unescape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_U64_DIGITS = len(str((1 << 64) - 1))


class LedgerLump(NamedTuple):
    """One line, which is one lump; the fields are the columns, in their order."""

    key: int  # XXH64 of the name under the archive's seed
    name: str  # bytes that are not UTF-8 as surrogate escapes
    fourcc: int = 0  # u32, its first character lowest
    schema: int = 0
    flags: int = 0
    offset: int = 0  # of the stored bytes, from the start of the archive
    stored_size: int = 0
    raw_size: int = 0
    content_hash: int = 0  # XXH64 of the stored bytes
    raw_digest: bytes = b""  # BLAKE3 of the raw bytes; empty: not known
    cook_digest: bytes = b""
    set: str = ""
    source: str = ""  # a path; several have line feeds between them


class BadValueError(Exception):
    """A value that its column cannot hold, and in which row of the table it is."""

    def __init__(self, row: int, message: str) -> None:
        self.row = row
        super().__init__(message)

    @classmethod
    def of(cls, column: Sequence[str], is_bad: Callable[[str], bool], wanted: str) -> Self:
        """The error for the first bad value of a column."""
        row = next(row for row, value in enumerate(column) if is_bad(value))
        return cls(row, f"{column[row][:80]!r} is not {wanted}")


class Kind(NamedTuple):
    """How the values of a column are written and read; `parse` raises BadValueError."""

    render: Callable[[Sequence[Any]], Iterable[str]]
    parse: Callable[[Sequence[str]], Iterable[Any]]


def _render_texts(column: Sequence[str]) -> Iterable[str]:
    return map(escape, column) if is_special("".join(column)) else column


def _parse_texts(column: Sequence[str]) -> Iterable[str]:
    try:
        return list(map(unescape, column)) if "\\" in "".join(column) else column
    except ValueError:
        raise BadValueError.of(column, _is_bad_text, "escaped right: a backslash starts no escape") from None


def _is_bad_text(text: str) -> bool:
    try:
        unescape(text)
    except ValueError:
        return True
    return False


def _render_numbers(column: Sequence[int]) -> Iterable[str]:
    return map(str, column)


def _parse_numbers(column: Sequence[str]) -> Iterable[int]:
    digits = "".join(column)
    if not (digits.isascii() and digits.isdigit() and all(column)) or max(map(len, column)) > _U64_DIGITS:
        raise BadValueError.of(column, _is_no_number, "a number")
    return map(int, column)


def _is_no_number(text: str) -> bool:
    return not (text.isascii() and text.isdigit()) or len(text) > _U64_DIGITS


def _render_hashes(column: Sequence[int]) -> Iterable[str]:
    return map("%016x".__mod__, column)


def _parse_hashes(column: Sequence[str]) -> Iterable[int]:
    return Struct(f">{len(column)}Q").unpack(b"".join(_parse_hex(column, (16,), "16 hex digits")))


def _render_digests(column: Sequence[bytes]) -> Iterable[str]:
    return map(bytes.hex, column)


def _parse_digests(column: Sequence[str]) -> Iterable[bytes]:
    return _parse_hex(column, (0, 64), "64 hex digits")


def _parse_hex(column: Sequence[str], sizes: tuple[int, ...], wanted: str) -> list[bytes]:
    if {*map(len, column)} <= {*sizes} and not any(map(str.isspace, column)):
        try:
            return list(map(bytes.fromhex, column))
        except ValueError:
            pass
    hexes = re.compile("|".join(f"[0-9a-f]{{{size}}}" for size in sizes))
    raise BadValueError.of(column, lambda text: not hexes.fullmatch(text), wanted)


def _render_fourccs(column: Sequence[int]) -> Iterable[str]:
    shown = {value: _render_fourcc(value) for value in set(column)}
    return map(shown.__getitem__, column)


def _render_fourcc(value: int) -> str:
    return escape(type_text(value)) or "0"


def _parse_fourccs(column: Sequence[str]) -> Iterable[int]:
    known = {text: _parse_fourcc(text) for text in set(column)}
    if None in known.values():
        raise BadValueError.of(column, lambda text: known[text] is None, "a fourcc")
    return [known[text] or 0 for text in column]


def _parse_fourcc(text: str) -> int | None:
    if text == "0":
        return 0
    if re.fullmatch(r"0x[0-9a-f]{8}", text):
        return int(text, 16)
    chars = text.replace(r"\\", "\\")
    if len(chars) == 4 and all(" " <= char <= "~" for char in chars):
        return int.from_bytes(chars.encode("ascii"), "little")
    return None


_TEXTS = Kind(_render_texts, _parse_texts)
_NUMBERS = Kind(_render_numbers, _parse_numbers)
_HASHES = Kind(_render_hashes, _parse_hashes)
_DIGESTS = Kind(_render_digests, _parse_digests)
_FOURCCS = Kind(_render_fourccs, _parse_fourccs)

COLUMNS = {  # in the order of LedgerLump
    "key": _HASHES,
    "name": _TEXTS,
    "fourcc": _FOURCCS,
    "schema": _NUMBERS,
    "flags": _NUMBERS,
    "offset": _NUMBERS,
    "stored_size": _NUMBERS,
    "raw_size": _NUMBERS,
    "content_hash": _HASHES,
    "raw_digest": _DIGESTS,
    "cook_digest": _DIGESTS,
    "set": _TEXTS,
    "source": _TEXTS,
}
