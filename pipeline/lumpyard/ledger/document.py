"""A whole ledger as text and back."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import repeat
from typing import TYPE_CHECKING, Any, NoReturn

from lumpyard.errors import MalformedError, UnsupportedError
from lumpyard.ledger.columns import COLUMNS, BadValueError, LedgerLump
from lumpyard.ledger.escapes import escape, unescape

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

VERSION = 1
TAB = "\t"
_FIRST_LINE = re.compile(rb"EWSYM ([1-9][0-9]{0,8})")
_FIRST_BYTES = 64  # more than a first line has
_KEYED = "EWAD"  # the format that knows lumps by key; in others two may have one name
_KEY = re.compile(r"[a-z][a-z0-9-]*")
_NEEDED = {"key", "name"}  # columns; where another is missing, its lumps have the default


@dataclass(frozen=True, slots=True)
class Ledger:
    """What a ledger says of its archive, in its order, and of each lump."""

    header: dict[str, str] = field(default_factory=dict)
    lumps: tuple[LedgerLump, ...] = ()

    def names_by_key(self) -> dict[int, str]:
        """The names that a stripped archive has lost."""
        return {lump.key: lump.name for lump in self.lumps}


def render_ledger(header: dict[str, str], lumps: Sequence[LedgerLump]) -> bytes:
    """The ledger's bytes; the header's keys are lower-case words with hyphens."""
    return render_header(header) + render_lines(list(zip(*lumps, strict=True))).encode()


def render_header(header: dict[str, str]) -> bytes:
    """All that comes before the lumps' lines."""
    assert all(map(_KEY.fullmatch, header)), "keys are lower-case words with hyphens"
    lines = [f"EWSYM {VERSION}", *(f"{key}: {escape(value)}" for key, value in header.items())]
    return "\n".join([*lines, "", "\t".join(COLUMNS), ""]).encode()


def render_lines(columns: Sequence[Sequence[Any]]) -> str:
    """The lumps' lines, each with its line end, from their columns in the order of LedgerLump; none for no lumps."""
    shown = (
        [kind.render(column) for kind, column in zip(COLUMNS.values(), columns, strict=True)]
        if columns
        else []
    )
    return "".join([line + "\n" for line in map("\t".join, zip(*shown, strict=True))])


def parse_ledger(data: bytes, path: str = "ledger") -> Ledger:
    """The ledger that these bytes are; MalformedError (code "ledger") names `path` and the line.

    UnsupportedError (code "ledger-version") when it is from a newer version.
    """
    _check_version(data[:_FIRST_BYTES].split(b"\n")[0].rstrip(b"\r"), path)
    lines = _lines(data, path)
    if "" not in lines:
        _fail(path, len(lines), "the header does not end; an empty line must follow it")
    end = lines.index("")
    header: dict[str, str] = {}
    for number, line in enumerate(lines[1:end], 2):
        key, colon, value = line.partition(":")
        if not colon or not key or key in header:
            _fail(path, number, f"{line[:80]!r} is not a new 'key: value'")
        try:
            header[key] = unescape(value.removeprefix(" "))
        except ValueError as error:
            _fail(path, number, f"in {value[:80]!r} {error}")
    lumps = _parse_table(lines[end + 1 :], path, end + 2)
    if header.get("format", _KEYED) == _KEYED:
        _check_keys(lumps, path, end + 3)
    return Ledger(header, lumps)


def _lines(data: bytes, path: str) -> list[str]:
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        _fail(path, line, f"byte 0x{data[error.start]:02x} is not UTF-8")
    if "\r" in text:  # git made CRLF of our LF; a CR in a name is escaped
        text = text.replace("\r\n", "\n")
    lines = text.split("\n")
    if lines.pop():
        _fail(path, len(lines) + 1, "the file ends within a line")
    return lines or [""]


def _check_version(line: bytes, path: str) -> None:
    match = _FIRST_LINE.fullmatch(line)
    if match is None:
        shown = repr(line[:40]).removeprefix("b")
        _fail(path, 1, f"a ledger starts with 'EWSYM {VERSION}', this with {shown}")
    if int(match[1]) > VERSION:
        message = (
            f"{path}: ledger version {int(match[1])} is newer than {VERSION}, the newest that is read here"
        )
        raise UnsupportedError(message, "ledger-version")


def _parse_table(lines: list[str], path: str, first: int) -> tuple[LedgerLump, ...]:
    """Lumps of a table; its line of column names is line `first` of the file."""
    names = lines[0].split("\t") if lines else []
    if len({*names}) != len(names) or not {*names} >= _NEEDED:
        _fail(path, first, "here the columns are named, each once, 'key' and 'name' among them")
    rows = lines[1:]
    if not rows:
        return ()
    for row, line in enumerate(rows):
        if line.count(TAB) != len(names) - 1:
            _fail(path, first + 1 + row, f"{line.count(TAB) + 1} values for {len(names)} columns")
    values = "\t".join(rows).split("\t")  # all at once: a list for each line costs twice the time
    found = {name: values[at :: len(names)] for at, name in enumerate(names)}
    columns: list[Iterable[Any]] = []
    for name, kind in COLUMNS.items():
        try:
            default = repeat(LedgerLump._field_defaults.get(name))
            columns.append(kind.parse(found[name]) if name in found else default)
        except BadValueError as error:
            _fail(path, first + 1 + error.row, f"{name} {error}")
    return tuple(map(LedgerLump._make, zip(*columns, strict=False)))


def _check_keys(lumps: tuple[LedgerLump, ...], path: str, first: int) -> None:
    """No key is there twice; the table of lumps starts at line `first`."""
    rows_by_key = {lump.key: row for row, lump in enumerate(lumps)}
    if len(rows_by_key) < len(lumps):
        twice = next(lump.key for row, lump in enumerate(lumps) if rows_by_key[lump.key] != row)
        _fail(path, first + rows_by_key[twice], f"key {twice:016x} is there twice")


def _fail(path: str, line: int, message: str) -> NoReturn:
    raise MalformedError(f"{path}:{line}: {message}", "ledger")
