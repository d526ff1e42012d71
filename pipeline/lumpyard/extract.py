r"""Writing an archive's lumps to a folder: which path a name gets, and whole files strictly below the folder.

A name is split at `/` and at `\`. Refused, before anything is written: absolute names, drives (`C:` at the
start and then a slash or nothing), a part `..`, a part that would be longer than 255 bytes, and two names
that one folder cannot hold: equal, differing only in case or Unicode form, or a file that is the other's folder.
All else is escaped, the same way on every platform, so that each file can be named back: bytes as `%XX` in

    % : * ? " < > |                        characters that Windows does not allow, and the escape itself
    controls, direction marks, line ends   what would trick whoever lists the folder
    bytes that are not UTF-8
    a last dot or space                    Windows drops it
    the first letter of CON, NUL.TXT …     devices on Windows
    the dot of .git                        a tool that finds it would run its hooks

and an empty part is `%` alone.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.disk.below import FolderBelow
from lumpyard.errors import ArchiveError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from typing_extensions import Buffer

PART_LIMIT = 255  # bytes that ext4, APFS and NTFS allow in one part of a path

_PLAIN = re.compile(
    r"[0-9A-Za-z_-][0-9A-Za-z_+,=@()-]{4,63}(?:\.[0-9A-Za-z_-]{1,16})?"
)  # needs no second look
_SPECIAL = re.compile(
    '[\x00-\x1f\x7f-\x9f%:*?"<>|'
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # direction marks
    "\u2028\u2029"  # line ends
    "\ud800-\udfff]"  # surrogate escapes: bytes that are not UTF-8
    r"|[. ]\Z"
)
_DEVICE = re.compile(
    r"(?:CON|PRN|AUX|NUL|CLOCK\$|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9¹²³]) *(?:\.|$)", re.IGNORECASE
)
_GIT = re.compile(r"(?:\.git|git~[0-9])$", re.IGNORECASE)
_DRIVE = re.compile(r"[A-Za-z]:(?:[/\\]|$)")
_ESCAPE = re.compile(rb"%([0-9A-F]{2})")


class Wanted(NamedTuple):
    """A lump that is to be extracted."""

    entry: int  # index in the directory
    name: str | None  # bytes that are not UTF-8 as surrogate escapes; None where nothing names it
    key: int = 0  # what names it then, as 16 hex digits


class Target(NamedTuple):
    """Where a lump goes."""

    entry: int
    path: str  # below the folder, with forward slashes


class Failure(NamedTuple):
    """A lump that could not be read, and so was not written."""

    entry: int
    error: ArchiveError


def safe_join(name: str) -> str:
    """The path below any folder for a lump's name, with forward slashes; ValueError says why it has none."""
    if name.startswith(("/", "\\")):
        raise ValueError("it is absolute")
    if _DRIVE.match(name):
        raise ValueError("it starts with a drive")
    parts = name.replace("\\", "/").split("/")
    if ".." in parts:
        raise ValueError("its part '..' leads out of the folder")
    return "/".join(map(escape_part, parts))


def escape_part(part: str) -> str:
    """A part of a path that every file system can hold; ValueError when it is too long for that."""
    if _PLAIN.fullmatch(part):
        return part
    if not part:
        return "%"
    escaped = _SPECIAL.sub(_escape, part)
    if _DEVICE.match(part) or _GIT.match(part):
        escaped = f"%{ord(part[0]):02X}{escaped[1:]}"
    if len(escaped.encode("utf-8", "surrogatepass")) > PART_LIMIT:
        raise ValueError(f"a part of it needs more than the {PART_LIMIT} bytes that a file name may have")
    return escaped


def unescape_part(part: str) -> str:
    """The part of a lump's name that `escape_part` made this of."""
    if part == "%":
        return ""
    data = part.encode("utf-8", "surrogateescape")
    return _ESCAPE.sub(lambda match: bytes([int(match[1], 16)]), data).decode("utf-8", "surrogateescape")


def fill_paths(paths: Sequence[str | None], keys: Sequence[int | None]) -> list[str]:
    """The paths, with stand-ins for those that are None: the key as 16 hex digits, else the place in the directory.

    Of entries with one key (the languages of a file in an MPQ) later ones have their number, as in `…~2`.
    """
    times: dict[int, int] = {}
    filled = []
    for index, (path, key) in enumerate(zip(paths, keys, strict=True)):
        if path is not None:
            filled.append(path)
        elif key is None:
            filled.append(f"File{index:08}")
        else:
            times[key] = times.get(key, 0) + 1
            filled.append(f"{key:016x}" + (f"~{times[key]}" if times[key] > 1 else ""))
    return filled


def plan_extraction(wanted: Iterable[Wanted]) -> list[Target]:
    """Where each lump goes, checked before a byte is written; UnsupportedError names who is in the way."""
    targets = [Target(lump.entry, _path(lump)) for lump in wanted]
    files: dict[str, Target] = {}
    for target in targets:
        other = files.setdefault(_folded(target.path), target)
        if other is not target:
            raise _clash(other, target, "would be one file")
    folders: set[str] = set()
    for target in targets:
        above = _folded(target.path).rpartition("/")[0]
        while above and above not in folders:
            if above in files:
                raise _clash(files[above], target, "would be a file and a folder of one name")
            folders.add(above)
            above = above.rpartition("/")[0]
    return targets


def extract(
    targets: Sequence[Target],
    read_lump: Callable[[int], Buffer],
    folder: str,
    *,
    overwrite: bool = False,
    beside: tuple[str, Buffer] | None = None,
) -> list[Failure]:
    """Write each lump to its place, whole; the lumps that `read_lump` gave an ArchiveError for.

    `beside` is one more file, its path and bytes, which is written last. DiskError when something is in the way,
    before anything is written, or when the disk refuses.
    """
    failures: list[Failure] = []
    with FolderBelow(folder) as below:
        for target in targets:
            below.check(target.path, overwrite=overwrite)
        if beside is not None:
            below.check(beside[0], overwrite=overwrite)
        for target in targets:
            try:
                data = read_lump(target.entry)
            except ArchiveError as error:
                failures.append(Failure(target.entry, error))
            else:
                below.write(target.path, data, overwrite=overwrite)
        if beside is not None:
            below.write(*beside, overwrite=overwrite)
    return failures


def _path(lump: Wanted) -> str:
    if lump.name is None:
        return f"{lump.key:016x}"
    try:
        return safe_join(lump.name)
    except ValueError as error:
        raise UnsupportedError(
            f"entry {lump.entry}: {lump.name!r} cannot be extracted: {error}", "unsafe-name", lump.entry
        ) from None


def _clash(first: Target, second: Target, how: str) -> UnsupportedError:
    return UnsupportedError(
        f"entries {first.entry} and {second.entry}: {first.path!r} and {second.path!r} {how} in a folder",
        "clashing-names",
        second.entry,
    )


def _folded(path: str) -> str:
    """What a file system that ignores case and Unicode form takes a path for."""
    if path.isascii():
        return path.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", path).casefold())


def _escape(match: re.Match[str]) -> str:
    try:
        data = match[0].encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        data = match[0].encode("utf-8", "surrogatepass")
    return "".join(f"%{byte:02X}" for byte in data)
