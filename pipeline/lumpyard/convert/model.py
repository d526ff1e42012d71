"""What is converted: lumps on their way out of an archive or a folder, and what is known of where they stood."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Buffer

    from lumpyard.archives.model import Finding

ORIGIN_NAME = ".lumpyard/origin"  # the lump of an EWAD that says what it was made of
ORIGIN_TYPE = int.from_bytes(b"ORIG", "little")
ORIGIN_SCHEMA = 1
FLAT_FORMATS = (
    "IWAD",
    "PWAD",
    "PACK",
    "WAD2",
    "WAD3",
)  # names are short, and order and markers are the folders
LOOSE = ""  # the format of files that no archive is known of


class Recorded(NamedTuple):
    """How the original archive stored a lump."""

    offset: int  # from the start of the file
    stored_size: int  # bytes in the file
    raw_size: int  # bytes after decompression
    content_hash: int  # XXH64 of the stored bytes
    compressed: bool = False


class SourceLump(NamedTuple):
    """One lump on its way."""

    label: str  # what messages call it
    name: bytes | None  # as the original stores it, with what follows a NUL; None where nothing names it
    path: str | None  # unlike all others, with forward slashes; bytes that are not UTF-8 as surrogate escapes
    raw_size: int
    kind: int | None = None  # of WAD2 and WAD3
    fourcc: int = 0
    schema: int = 0
    key: int | None = None  # of an EWAD whose names are stripped
    recorded: Recorded | None = None
    file: str | None = None  # path of the file that it was extracted to, where that is not `path`

    @property
    def place(self) -> str:
        """What it is found by in a folder or an EWAD."""
        return self.file or self.path or ""


class Layout(NamedTuple):
    """The original archive as a whole, as far as its lumps do not say it."""

    size: int  # bytes of the file
    directory_offset: int
    outside: str  # what lies outside header, directory and lumps: one of OUTSIDE
    digest: str  # BLAKE3 of the file, 64 hex digits
    lost: int = 0  # bytes of it that are not zero, and are not kept
    table_offset: int = 0  # of an EWAD, as all that follows
    alignment: int = 0
    seed: int = 0
    stripped: bool = False


ABSENT, ZERO, DATA = "absent", "zero", "data"
OUTSIDE = (ABSENT, ZERO, DATA)


class Record(NamedTuple):
    """What an origin lump or a sidecar file says of an archive."""

    format: str
    signature: bytes
    layout: Layout | None  # None where nothing can be rebuilt from it (MPQ)
    lumps: tuple[
        SourceLump, ...
    ]  # in directory order; `path` is the lump's name in the EWAD, or its file's path


class Renamed(NamedTuple):
    """A lump whose name is not what it was."""

    lump: int  # index in the source
    old: bytes
    new: bytes


class Options(NamedTuple):
    """What the user may choose."""

    names: frozenset[str] = frozenset()  # of names.CHOICES; none is `refuse`
    compress: str = ""  # of coding.CHOICES; "" is what the format or the original does
    alignment: int = 0  # of an EWAD; 0 keeps that of the source
    strip: bool = False  # leave the names of an EWAD out
    large: bool = False  # a PAK or DAIKATANA may have up to 4 GiB


class Stored(NamedTuple):
    """What of a lump goes into the file."""

    data: Buffer
    compressed: bool


class Source(NamedTuple):
    """All that a conversion starts from."""

    format: str  # whose names the lumps have, or LOOSE
    signature: bytes
    lumps: tuple[SourceLump, ...]  # in the order of the directory, where that is data
    read: Callable[
        [int], Buffer
    ]  # raw bytes of a lump, checked; ArchiveError, or DiskError where it is a file
    layout: Layout | None = None  # of the archive that the recorded places belong to
    stored: Callable[[int], Stored] | None = None  # of an EWAD's lumps
    alignment: int = 0  # of an EWAD; 0 where nothing says it
    seed: int = 0
    findings: tuple[Finding, ...] = ()  # warnings about the source


class Plan(NamedTuple):
    """A conversion that is only to be written, unless `errors` says why it cannot be."""

    source: Source
    format: str
    names: tuple[bytes, ...]  # of each lump of the source, as they will be stored
    options: Options
    findings: tuple[Finding, ...]  # what the target cannot hold, and warnings (verdict `ok`)
    renamed: tuple[Renamed, ...]
    origin: bytes | None = None  # the origin lump of an EWAD that is made of another format
    keyed: bool = False  # an EWAD whose names are not all known: it keeps its keys, and stays stripped
    layout: Layout | None = None  # where everything goes, where the original is to be had again

    @property
    def errors(self) -> list[Finding]:
        """What makes it impossible."""
        return [found for found in self.findings if found.verdict != "ok"]

    @property
    def warnings(self) -> list[Finding]:
        """What gets lost, or is odd."""
        return [found for found in self.findings if found.verdict == "ok"]
