"""Opening an archive of any format by its signature, or by the format that the user names.

A format's reader is imported when the first of its archives is opened: each command reads one or two of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from lumpyard.errors import MalformedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from typing_extensions import Buffer

    from lumpyard.archives.model import Archive

FORMATS = ("IWAD", "PWAD", "PACK", "WAD2", "WAD3", "PAK", "DAIKATANA", "MPQ", "EWAD")

_SIGNATURES = {
    b"IWAD": "IWAD",
    b"PWAD": "PWAD",
    b"PACK": "PACK",  # also PAK and DAIKATANA
    b"WAD2": "WAD2",
    b"WAD3": "WAD3",
    b"MPQ\x1a": "MPQ",
    b"MPQ\x1b": "MPQ",  # user data in front of the archive
    b"EWAD": "EWAD",
}


def open_archive(
    data: Buffer,
    format: str = "auto",  # noqa: A002 - the option's name
    *,
    lenient: bool = False,
    names: Iterable[bytes] = (),
) -> Archive:
    """The archive that a buffer holds, its metadata checked.

    A lenient reading lets pass what real files get wrong (docs/formats.md); each such thing is among the
    archive's `warnings`. `names` are tried in archives that do not name all their lumps (MPQ).

    MalformedError when it breaks its format's rules or has no known signature (code `signature`),
    UnsupportedError for what may be legal but is not read here (code `ambiguous` for a PACK that is several
    formats at once), UsageError for an unknown format name.
    """
    if format != "auto" and format not in FORMATS:
        raise UsageError(f"unknown archive format {format!r}; there are {', '.join(FORMATS)} and auto")
    buffer = memoryview(data).toreadonly().cast("B")
    found = _format_of(buffer) if format == "auto" else format
    archive: Archive
    if found == "PACK" and format == "auto":
        archive = _module("detect").view_pack(buffer, lenient=lenient)
    elif found in {"IWAD", "PWAD", "PACK"}:
        archive = _module("wad.reader").view(buffer, found, lenient=lenient)
    elif found in {"WAD2", "WAD3"}:
        archive = _module("wad2.reader").view(buffer, found, lenient=lenient)
    elif found == "MPQ":
        archive = _module("mpq.reader").view(buffer, lenient=lenient, names=names)
    elif found == "EWAD":
        archive = _module("ewad.reader").view(buffer)
    else:
        archive = _module(f"{found.lower()}.reader").view(buffer, lenient=lenient)
    return archive


def _module(name: str) -> Any:
    return import_module(f"lumpyard.archives.{name}")


def _format_of(data: memoryview) -> str:
    signature = data[:4].tobytes()
    if signature in _SIGNATURES:
        return _SIGNATURES[signature]
    if len(signature) < 4:
        size = f"its size is {len(signature)}" if signature else "it is empty"
        raise MalformedError(f"not an archive: {size}, and a signature has 4 bytes", "signature")
    if _module("mpq.header").find_header(data) is not None:  # behind a map's own header, or behind a program
        return "MPQ"
    known = ", ".join(sorted({name.decode("ascii") for name in _SIGNATURES if name.isalnum()}))
    found = repr(signature).removeprefix("b")
    raise MalformedError(
        f"not an archive: it starts with {found}, not with one of {known} or MPQ", "signature"
    )
