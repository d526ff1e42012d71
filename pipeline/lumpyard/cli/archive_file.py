"""Archives as the reading commands open them: mapped, checked, lumps labelled, errors with their path."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.opening import open_archive
from lumpyard.disk.mapped import MappedFile
from lumpyard.errors import UsageError, naming
from lumpyard.extract import fill_paths

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping, Sequence

    from lumpyard.archives.model import Archive


class ArchiveFile(NamedTuple):
    """An open archive, and what its lumps are called."""

    path: str  # as given
    archive: Archive
    names: Sequence[str | None]  # in directory order, bytes that are not UTF-8 as surrogate escapes
    mapped: MappedFile

    @property
    def data(self) -> memoryview | bytes:
        """The whole file."""
        return self.mapped.data

    def label(self, index: int) -> str:
        """What a lump is called on screen and in patterns: its name, else its key or its place."""
        name = self.names[index]
        return fill_paths([name], [self.archive.lumps[index].key])[0] if name is None else name

    def paths(self) -> list[str | None]:
        """What each lump is called where names must be unique, with forward slashes; None where nothing names it."""
        if self.archive.format == "EWAD":  # symbols may know more than the archive
            return list(self.names)
        from lumpyard.archives.naming import entry_paths  # noqa: PLC0415 - not for a listing of names

        return entry_paths(self.archive)

    def filled_paths(self) -> list[str]:
        """What each lump is called where each must be called something."""
        return fill_paths(self.paths(), [lump.key for lump in self.archive.lumps])


@contextmanager
def open_archive_file(path: str, args: argparse.Namespace) -> Iterator[ArchiveFile]:
    """The archive at a path, as the options say; its views must not leave the context."""
    listed = load_names(args)
    with MappedFile(path) as mapped:
        with naming(path):
            archive = open_archive(mapped.data, args.format, lenient=args.lenient, names=listed)
        names = _names(path, archive, args.symbols)
        with naming(path):
            yield ArchiveFile(path, archive, names, mapped)


def load_names(args: argparse.Namespace) -> list[bytes]:
    """The names in the file that `--listfile` names, in any line ends."""
    if args.listfile is None:
        return []
    from lumpyard.disk import read_file  # noqa: PLC0415 - only where it is asked for

    lines = read_file(args.listfile).removeprefix(b"\xef\xbb\xbf").splitlines()
    return [line for line in lines if line]


def named_by(files: Sequence[ArchiveFile], symbols: Sequence[str]) -> list[ArchiveFile]:
    """The archives with the names that symbols have, each file those of one of them; UsageError for one of none.

    Where no lump lacks a name, symbols are not looked at.
    """
    if all(None not in file.names for file in files):
        return list(files)
    from lumpyard.cli.symbol_file import load_symbols_among  # noqa: PLC0415 - only where it is asked for

    names: dict[str, dict[int, str]] = {}
    for path in symbols:
        names |= load_symbols_among(path, {file.path: file.archive for file in files})
    return [
        file._replace(names=_filled(file.names, file.archive, names.get(file.path, {}))) for file in files
    ]


def _names(path: str, archive: Archive, symbols: str | None) -> list[str | None]:
    named = [None if lump.name is None else name_text(lump.name) for lump in archive.lumps]
    if symbols is None or None not in named:
        return named
    from lumpyard.cli.symbol_file import load_symbols_of  # noqa: PLC0415 - only where it is asked for

    return _filled(named, archive, load_symbols_of(symbols, path, archive))


def _filled(names: Sequence[str | None], archive: Archive, by_key: Mapping[int, str]) -> list[str | None]:
    return [
        by_key.get(lump.key or 0) if name is None else name
        for name, lump in zip(names, archive.lumps, strict=True)
    ]


def name_text(name: bytes) -> str:
    """A stored name as text; bytes that are not UTF-8 as surrogate escapes."""
    return name.decode("utf-8", "surrogateescape")


def name_bytes(text: str) -> bytes:
    """The stored name that a text stands for; UsageError where no name can."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise UsageError(f"{text!r} is not text that a name can be") from error


def key_text(key: int | None) -> str:
    """A key or hash as 16 hex digits."""
    return "" if key is None else f"{key:016x}"
