"""Opening an archive of any format by its signature, or by the format that the user names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.ewad.reader import view
from lumpyard.errors import MalformedError, UnsupportedError, UsageError

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from lumpyard.archives.model import Archive

FORMATS = ("IWAD", "PWAD", "PACK", "WAD2", "WAD3", "PAK", "DAIKATANA", "MPQ", "EWAD")

_READERS = {"EWAD": view}
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


def open_archive(data: Buffer, format: str = "auto") -> Archive:  # noqa: A002 - the option's name
    """The archive that a buffer holds, its metadata checked.

    MalformedError when it breaks its format's rules or has no known signature (code `signature`),
    UnsupportedError (code `format`) for a format that is not read here, UsageError for an unknown format
    name.
    """
    if format != "auto" and format not in FORMATS:
        raise UsageError(f"unknown archive format {format!r}; there are {', '.join(FORMATS)} and auto")
    found = format if format != "auto" else _format_of(memoryview(data).cast("B")[:4].tobytes())
    reader = _READERS.get(found)
    if reader is None:
        raise UnsupportedError(
            f"reading {found} archives is not supported; only {', '.join(_READERS)}", "format"
        )
    return reader(data)


def _format_of(signature: bytes) -> str:
    if signature in _SIGNATURES:
        return _SIGNATURES[signature]
    if len(signature) < 4:
        size = f"its size is {len(signature)}" if signature else "it is empty"
        raise MalformedError(f"not an archive: {size}, and a signature has 4 bytes", "signature")
    known = ", ".join(sorted({name.decode("ascii") for name in _SIGNATURES if name.isalnum()}))
    found = repr(signature).removeprefix("b")
    raise MalformedError(
        f"not an archive: it starts with {found}, not with one of {known} or MPQ", "signature"
    )
