"""What commands, mounts and rules need of any archive, whatever its format.

A format's package decodes a buffer into a value that fits `Archive`; nothing above it knows the format's
records.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence


class Lump(NamedTuple):
    """One entry of a directory. None where the format has no such field; an unknown name is None too."""

    name: bytes | None
    offset: int  # of the stored bytes, from the start of the file
    stored_size: int  # bytes in the file
    raw_size: int  # bytes after decompression
    key: int | None = None  # u64, of the name: XXH64 under the seed (EWAD), the two hashes in one (MPQ)
    fourcc: int | None = None  # u32, its first character lowest
    schema: int | None = None  # u16, version of its content
    flags: int | None = None  # as the directory has them; 0: stored as it is (not so in an MPQ)
    content_hash: int | None = None  # u64, XXH64 of the stored bytes
    kind: int | None = None  # lump type byte of WAD2 and WAD3
    raw_name: bytes | None = None  # name, NUL and what follows in its field, where that is more than zeros


class Archive(Protocol):
    """An archive whose metadata holds; lump data is read on request only.

    `lumps` is in directory order, and an index is a place in it. Memoryviews are views of the buffer that was
    opened: they keep it alive, and it must not change under them.
    """

    @property
    def format(self) -> str:
        """Its name in `FORMATS`."""
        ...

    @property
    def size(self) -> int:
        """Bytes of the whole file."""
        ...

    @property
    def lumps(self) -> Sequence[Lump]:
        """All entries; made when first asked for."""
        ...

    @property
    def alignment(self) -> int | None:
        """What every lump's offset is a multiple of, in bytes, where the format says so."""
        ...

    @property
    def seed(self) -> int | None:
        """Seed of the keys, where the format has keys."""
        ...

    @property
    def stripped(self) -> bool:
        """Whether the format's place for names is empty."""
        ...

    @property
    def archive_hash(self) -> int | None:
        """The archive's identity as the format states it (u64, EWAD alone)."""
        ...

    @property
    def warnings(self) -> Sequence[Finding]:
        """What a lenient reading let pass, and what is odd but legal; each has the verdict `ok`."""
        ...

    def find(self, name: bytes) -> int | None:
        """Index of the lump that the name leads to, None when there is none; an empty name leads nowhere.

        Names are compared as stored, but in an MPQ and, where it comes to slashes, in a DAIKATANA. Of several
        lumps of one name the format's rule says which (docs/formats.md). MalformedError (code `hash-entry`) where an
        MPQ has the name and no file for it.
        """
        ...

    def label(self, index: int) -> str:
        """How messages call an entry: by its index, and its name where it has one, as `entry 3 ('E1M1')`."""
        ...

    def stored(self, index: int) -> memoryview:
        """The stored bytes of a lump, unchecked; MalformedError (code `range`) where an MPQ's file lacks some."""
        ...

    def read(self, index: int) -> memoryview | bytes:
        """The raw bytes of a lump, exactly its raw size.

        MalformedError with the entry when the stored bytes are damaged or do not decode; UnsupportedError
        when they may be legal but are not read here.
        """
        ...


class Finding(NamedTuple):
    """One thing that was found in an archive, or in lumps that are to become one; docs/formats.md lists the codes."""

    code: str  # stable, lower case
    message: str
    entry: int | None = None  # directory index, None for the archive as a whole
    verdict: str = "malformed"  # or "unsupported"; "ok" for a warning


def name_of(field: bytes) -> bytes:
    """The name in its field: what stands before the first NUL."""
    return field.partition(b"\0")[0]


def entry_label(index: int, name: bytes) -> str:
    """How messages call an entry: by its index, and its name where it has one."""
    return f"entry {index} ({shown(name)})" if name else f"entry {index}"


def shown(name: bytes) -> str:
    """A lump's name for a message: in quotes, printable ASCII, at most some 80 characters of it."""
    text = repr(name)[1:]
    return text if len(text) <= 80 else f"{text[:76]}...{text[0]}"


def type_text(fourcc: int) -> str:
    """A type as its four bytes where they are printable ASCII, else as a hex number; "" for 0."""
    if not fourcc:
        return ""
    four = fourcc.to_bytes(4, "little")
    return four.decode("ascii") if all(0x20 <= byte < 0x7F for byte in four) else f"0x{fourcc:08x}"
