"""Names that are paths: what PAK and DAIKATANA can store, and which paths get in each other's way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.model import Finding, entry_label, name_of, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lumpyard.archives.writing import NewLump

MAX_NAME_SIZE = 55  # so that a NUL fits behind it; some programs need one
FIELD_SIZE = 56


def normal(name: bytes) -> bytes:
    """A name with slashes only."""
    return name.replace(b"\\", b"/")


def clashes(names: Sequence[bytes]) -> list[int]:
    """Indexes of the names that are folders of other names too, or end as a folder does, with a slash.

    A program that makes a tree of the names can show only one of the two.
    """
    folders = _folders(names)
    return [index for index, name in enumerate(names) if name and (name in folders or name.endswith(b"/"))]


def _folders(names: Iterable[bytes]) -> set[bytes]:
    """All folders of all names, without the slash at the end."""
    folders: set[bytes] = set()
    for name in names:
        end = name.rfind(b"/")
        while end >= 0 and name[:end] not in folders:
            folders.add(name[:end])
            end = name.rfind(b"/", 0, end)
    return folders


def name_faults(lumps: Sequence[NewLump]) -> Iterator[Finding]:
    """What is wrong with the names of lumps that are to be written, every fault of every name."""
    names = [name_of(lump.name) for lump in lumps]
    clashing = frozenset(clashes(names))
    firsts: dict[bytes, int] = {}
    for index, (name, lump) in enumerate(zip(names, lumps, strict=True)):
        label = entry_label(index, name)
        first = firsts.setdefault(name, index)
        for text in _faults(name, lump.name):
            yield Finding("name", f"{label}: {text}", index)
        if first != index and name:
            yield Finding("duplicate", f"{label}: entry {first} has the same name", index)
        if index in clashing:
            yield Finding("clash", f"{label}: its path is that of a file and of a folder", index)


def _faults(name: bytes, field: bytes) -> Iterator[str]:
    if not name:
        yield f"its name is empty; names have 1 to {MAX_NAME_SIZE} bytes"
    if len(name) > MAX_NAME_SIZE:
        yield f"its name has {len(name)} bytes; the most is {MAX_NAME_SIZE}"
    elif len(field) > FIELD_SIZE:
        yield f"its name and what follows the NUL have {len(field)} bytes; the field has {FIELD_SIZE}"
    if b"\\" in name:
        yield f"its name has a backslash; with slashes it would be {shown(normal(name))}"
