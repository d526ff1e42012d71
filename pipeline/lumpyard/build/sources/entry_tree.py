"""The directory of an archive as folders of files: which entries can be seen as files, and what is in each folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.disk import FolderScan

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.archives.model import Archive

_SHOWN = 3  # entries in one warning
_LONGEST = 1024  # characters of a path; each of its folders is listed, and a list of names could hold one of a megabyte


class Entry(NamedTuple):
    """A lump under the path that it is seen at."""

    path: str
    place: int  # in the directory


def path_fault(path: str | None) -> str:
    """Why an entry's path cannot be one in a tree of files, or ""."""
    if path is None:
        return "has no name"
    if not path:
        return "has an empty name"
    parts = path.split("/")
    if len(path) > _LONGEST:
        return f"has a name of {len(path):,} characters"
    if "\0" in path or "" in parts or "." in parts or ".." in parts:
        return "has a name that is no clean path"
    return ""


def sort_out(archive: Archive, paths: Sequence[str | None]) -> tuple[list[Entry], list[str]]:
    """The entries that can be seen as files, and of the others what is wrong with them."""
    folders = set(_folders_of([path for path in paths if not path_fault(path) and path is not None]))
    entries, left_out = [], []
    for index, path in enumerate(paths):
        fault = path_fault(path) or ("has a name that is also a folder's" if path in folders else "")
        if fault or path is None:
            left_out.append(f"{archive.label(index)} {fault}")
        else:
            entries.append(Entry(path, index))
    return entries, left_out


def left_out_warnings(path: str, left_out: Sequence[str]) -> Iterator[str]:
    """A warning where something of an archive is left out."""
    if left_out:
        more = f", and {len(left_out) - _SHOWN:,} more" if len(left_out) > _SHOWN else ""
        yield f"{path}: left out: {', '.join(left_out[:_SHOWN])}{more}"


def _folders_of(paths: Sequence[str]) -> set[str]:
    """All folders that paths lie in, at any depth; "" is not among them."""
    found: set[str] = set()
    level = {path[: path.rfind("/")] for path in paths if "/" in path}
    while level:
        found |= level
        level = {folder[: folder.rfind("/")] for folder in level if "/" in folder} - found
    return found


def folders_of_entries(entries: Sequence[Entry], blocks: Sequence[bytes]) -> dict[str, FolderScan]:
    """Every folder of an archive, by its path."""
    from lumpyard.plan.names import sorted_by_bytes  # noqa: PLC0415 - a no-op looks at the stat alone

    files: dict[str, dict[str, bytes]] = {"": {}}
    below: dict[str, set[str]] = {"": set()}
    for folder in _folders_of([entry.path for entry in entries]):
        files.setdefault(folder, {})
        below.setdefault(folder, set())
    for folder in list(files):
        if folder:
            above, _, name = folder.rpartition("/")
            below[above].add(name)
    for entry, block in zip(entries, blocks, strict=True):
        folder, _, name = entry.path.rpartition("/")
        files[folder][name] = block
    return {
        folder: FolderScan(
            tuple(names := sorted_by_bytes(list(found))),
            b"".join([found[name] for name in names]),
            tuple(sorted_by_bytes(list(below[folder]))),
            (),
        )
        for folder, found in files.items()
    }
