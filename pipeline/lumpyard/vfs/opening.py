"""Opening what is to be mounted: a folder, an archive, or an archive inside of another, `ARCHIVE!LUMP`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.opening import open_archive
from lumpyard.disk import is_there, scan_folder, stat_file, what_is
from lumpyard.disk.mapped import MappedFile
from lumpyard.errors import DiskError, NotFoundError, naming
from lumpyard.vfs.container import Container
from lumpyard.vfs.layer import Found
from lumpyard.vfs.loose import FolderLayer
from lumpyard.vfs.namerules import fold
from lumpyard.vfs.packed import ArchiveLayer

if TYPE_CHECKING:
    from collections.abc import Sequence

ARCHIVE_SUFFIXES = (".ewad", ".iwad", ".mpq", ".pak", ".pwad", ".wad")


class Reading(NamedTuple):
    """How an archive is to be read."""

    format: str = "auto"  # or one of FORMATS
    lenient: bool = False  # let pass what real files get wrong
    names: Sequence[bytes] = ()  # tried in archives that do not name all their lumps


AUTO = Reading()


def open_layer(
    path: str, reading: Reading = AUTO, skip: frozenset[str] = frozenset()
) -> FolderLayer | ArchiveLayer:
    """The folder or archive at a path, or the archive at `ARCHIVE!LUMP`; names in `skip` are not seen in a folder.

    DiskError where nothing is there or it can't be read, NotFoundError where the archive has no such lump, else what
    `open_archive` raises.
    """
    outer, inner = split_spelling(path)
    if inner and not outer:
        raise DiskError(f"cannot mount {path}: no archive is named ahead of the `!`")
    if not is_there(outer or "."):
        raise DiskError(f"cannot mount {path}: there is no file or folder {outer}")
    if not inner and stat_file(outer) is None:
        found = what_is(outer)
        if found != "a folder":
            raise DiskError(f"cannot mount {path}: it is {found}, neither a folder nor an archive")
        folder = FolderLayer(outer, skip)
        folder.list_folder("")  # an error now, not at the first lookup
        return folder
    return _open_archive(outer, inner, reading)


def open_bytes(data: memoryview | bytes, label: str, reading: Reading = AUTO) -> ArchiveLayer:
    """The archive that a buffer holds, which must not change; `label` is what messages call it."""
    return _layer(label, data, None, reading)


def find_archives(folder: str) -> list[str]:
    """Paths of the archives in a folder, by their suffixes in any case, sorted by bytes."""
    found = scan_folder(folder, folder)
    if found is None:
        raise DiskError(f"cannot mount the archives of {folder}: there is no such folder")
    names = [name for name in found.names if fold(name).endswith(ARCHIVE_SUFFIXES)]
    return [f"{folder.removesuffix('/')}/{name}" if folder else name for name in names]


def split_spelling(spelling: str) -> tuple[str, str]:
    """The path of a file or folder, and what stands behind its `!`; "" where the whole is a path.

    Names may hold a `!`: the whole is a path if that is there, else the shortest part ahead of a `!` that is a file.
    """
    if "!" not in spelling or is_there(spelling):
        return _host_path(spelling), ""
    at = spelling.find("!")
    while at >= 0:
        if stat_file(spelling[:at]) is not None:
            return spelling[:at], spelling[at + 1 :].removeprefix("/")
        at = spelling.find("!", at + 1)
    outer, _, inner = spelling.partition("!")
    return _host_path(outer), inner.removeprefix("/")


def _host_path(path: str) -> str:
    """The path as it is spelled on disk, where a file is there but for the case of its name's ASCII letters.

    Discs and old installers left `PAK0.PAK` where `pak0.pak` is asked for.
    """
    if is_there(path or "."):
        return path
    above, slash, name = path.rpartition("/")
    try:
        found = scan_folder(above or slash, above or slash)
    except DiskError:  # what is above is no folder, so there is no such file
        return path
    alike = [] if found is None else [other for other in found.names if fold(other) == fold(name)]
    if len(alike) > 1:
        raise DiskError(f"cannot mount {path}: it could be any of {', '.join(alike)}")
    return f"{above}{slash}{alike[0]}" if alike else path


def _open_archive(path: str, inner: str, reading: Reading) -> ArchiveLayer:
    file = MappedFile(path)
    outer = reading if not inner else Reading(lenient=reading.lenient)
    try:
        layer = _layer(path, file.data, file, outer)
        while inner:
            index, lump, inner = _inner_lump(layer, inner)
            data = layer.container.read(index)
            layer = _layer(f"{layer.label}!{lump}", data, file, outer if inner else reading)
    except BaseException:
        file.close()
        raise
    return layer


def _layer(label: str, data: memoryview | bytes, file: MappedFile | None, reading: Reading) -> ArchiveLayer:
    with naming(label):
        archive = open_archive(data, reading.format, lenient=reading.lenient, names=reading.names)
        return ArchiveLayer(Container(label, archive, file))


def _inner_lump(layer: ArchiveLayer, spelling: str) -> tuple[int, str, str]:
    """Index and name of the lump that is an archive, and what stands behind its own `!`; the longest name counts."""
    ends = [len(spelling), *(at for at in range(len(spelling) - 1, 0, -1) if spelling[at] == "!")]
    for end in ends:
        found = layer.look(spelling[:end])
        if isinstance(found, Found) and found.entry is not None:
            return found.entry, found.path, spelling[end + 1 :].removeprefix("/")
    raise NotFoundError(f"{layer.label}: no lump '{spelling.partition('!')[0]}'")
