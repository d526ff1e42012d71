"""Which of its three formats a file that starts with PACK has.

The classic layout of the specification, PACK, says in bytes 4 to 7 how many lumps there are and in 8 to 11 where the
directory is; Quake's PAK and Daikatana's say there where the directory is and how many bytes it has. Directories of 64
and 72 bytes an entry have lengths in common, and zeros in a name's field read as an empty lump at offset 0.

Each reading is checked whole. Where several hold, those are left whose directory looks like one: names that are
printable and padded with zeros, lumps that do not overlap the directory, compression flags of 0 or 1. When that does
not leave exactly one, the user must say which it is.

Source: docs/design.md, section 11.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from lumpyard.archives.daikatana.reader import view as view_daikatana
from lumpyard.archives.pak.reader import view as view_pak
from lumpyard.archives.pathed import ENTRY_SIZES
from lumpyard.archives.wad.reader import view as view_wad
from lumpyard.errors import ArchiveError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from typing_extensions import Buffer

    from lumpyard.archives.directory import DirectoryArchive

_VIEWS: Mapping[str, Callable[..., DirectoryArchive]] = {
    "PACK": partial(view_wad, format="PACK"),
    "PAK": view_pak,
    "DAIKATANA": view_daikatana,
}
_PRINTABLE = bytes(range(0x20, 0x7F))


def view_pack(data: Buffer, *, lenient: bool = False) -> DirectoryArchive:
    """The archive of format PACK, PAK or DAIKATANA that a buffer holds.

    The classic reading's MalformedError where no reading holds, UnsupportedError (code `ambiguous`) where several do.
    A lenient reading is tried where no strict one holds. An archive without entries is a PAK.
    """
    found = _tell_apart(data, lenient=lenient)
    return _VIEWS[found.format](data, lenient=True) if lenient else found  # its lumps are read so, too


def _tell_apart(data: Buffer, *, lenient: bool) -> DirectoryArchive:
    holding, errors = _readings(data, lenient=False)
    if not holding and lenient:
        holding, errors = _readings(data, lenient=True)
    if not holding:
        classic = errors["PACK"]
        found = "; ".join(f"as {format_}, {error}" for format_, error in errors.items())
        raise type(classic)(f"it cannot be read: {found}", classic.code, classic.entry)
    if len(holding) == 1:
        return holding[0]
    if all(not len(archive) for archive in holding):
        return next(archive for archive in holding if archive.format == "PAK")
    likely = [archive for archive in holding if _looks_right(archive)]
    if len(likely) == 1:
        return likely[0]
    formats = [archive.format for archive in likely or holding]
    found = f"{', '.join(formats[:-1])} and {formats[-1]}"
    raise UnsupportedError(f"it can be read as {found}; say which with --format", "ambiguous")


def _readings(data: Buffer, *, lenient: bool) -> tuple[list[DirectoryArchive], dict[str, ArchiveError]]:
    """The readings that hold, and what is wrong with the others by format, the classic one first."""
    holding: list[DirectoryArchive] = []
    errors: dict[str, ArchiveError] = {}
    for format_, view in _VIEWS.items():
        try:
            holding.append(view(data, lenient=lenient))
        except ArchiveError as error:
            errors[format_] = error
    return [archive for archive in holding if not _is_of_another_size(archive)], errors


def _is_of_another_size(archive: DirectoryArchive) -> bool:
    """Whether bytes of the directory are left over that are none in entries of the other size.

    A lenient reading would take a broken PAK of three entries for a DAIKATANA of two.
    """
    if not archive.trailing:
        return False
    size = len(archive.directory) + archive.trailing
    return any(size % entry_size == 0 for entry_size in ENTRY_SIZES)


def _looks_right(archive: DirectoryArchive) -> bool:
    """Whether a directory that holds looks like one, too."""
    start, end = archive.directory_range.start, archive.directory_range.stop
    for lump in archive.lumps:
        if not lump.name or lump.name.translate(None, _PRINTABLE) or lump.raw_name is not None:
            return False
        if lump.stored_size and lump.offset < end and lump.offset + lump.stored_size > start:
            return False
        if (lump.flags or 0) > 1:
            return False
    return True
