"""Manifests in memory, and documents that mark where a problem is expected."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.errors import ProblemsError
from lumpyard.manifest import load_manifest

if TYPE_CHECKING:
    from lumpyard.manifest.model import Manifest

MARK = "§"  # stands right before the character that is a problem's place


class Told(NamedTuple):
    """A problem as a test says it."""

    place: str
    code: str
    message: str
    hint: str = ""


class Files:
    """Files by path, an error where one is to be raised; a read function that remembers what was read."""

    def __init__(self, files: dict[str, str | bytes | Exception]) -> None:
        self.files = files
        self.reads: list[str] = []

    def read(self, path: str) -> bytes:
        self.reads.append(path)
        data = self.files.get(path, FileNotFoundError(2, "No such file or directory"))
        if isinstance(data, Exception):
            raise data
        return data.encode() if isinstance(data, str) else data


def files_of(*documents: str | bytes) -> dict[str, str | bytes | Exception]:
    """Documents as assets.yaml, 1.yaml, 2.yaml and so on."""
    return {f"{number}.yaml" if number else "assets.yaml": text for number, text in enumerate(documents)}


def load(*documents: str) -> Manifest:
    """The manifest of such documents."""
    return load_manifest("assets.yaml", Files(files_of(*documents)).read)


def told_of(files: dict[str, str | bytes | Exception]) -> list[Told]:
    """The problems of a manifest whose root is assets.yaml, in their order."""
    try:
        load_manifest("assets.yaml", Files(files).read)
    except ProblemsError as error:
        return [Told(str(place), *rest) for place, *rest in error.problems]
    return []


def unmarked(path: str, document: str) -> tuple[str, list[str]]:
    """A document without its marks, and the places that they were at, as text."""
    places: list[str] = []
    pieces = document.split(MARK)
    for end in range(1, len(pieces)):
        lines = "".join(pieces[:end]).split("\n")
        places.append(f"{path}:{len(lines)}:{len(lines[-1]) + 1}")
    return "".join(pieces), places
