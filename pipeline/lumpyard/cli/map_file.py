"""The maps of a file as `lumpyard map` opens them: those that are asked for, with the textures that there are."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.opening import open_archive
from lumpyard.cli.archive_file import open_archive_file
from lumpyard.cli.archive_warnings import print_warnings
from lumpyard.console.suggest import guess_name
from lumpyard.disk import open_map
from lumpyard.errors import ArchiveError, Error, NotFoundError, naming
from lumpyard.globs import GlobError, parse_glob
from lumpyard.maps.opening import MapFile, is_map_text, open_maps

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence

    from lumpyard.archives.model import Archive
    from lumpyard.cli.output import Streams
    from lumpyard.maps.opening import Found
    from lumpyard.maps.textures import Textures

_SHOWN = 12  # names of maps in a message


class OtherFileError(Error):
    """A file beside the archive cannot be read; its message names that file, and not the archive."""

    def __init__(self, message: str, exit_status: int) -> None:
        super().__init__(message)
        self.exit_status = exit_status


@contextmanager
def other_file(path: str = "") -> Iterator[None]:
    """Errors about another file than the open archive leave with its path; as they are, where that is in them."""
    try:
        yield
    except ArchiveError as error:
        raise OtherFileError(f"{path}: {error}" if path else str(error), error.exit_status) from error


class MapInput(NamedTuple):
    """What `lumpyard map` works on; views of the file, which must not leave the context."""

    path: str  # as given
    file: MapFile
    data: memoryview | bytes

    @property
    def maps(self) -> Sequence[Found]:
        """The maps that were asked for."""
        return self.file.maps


@contextmanager
def open_map_file(
    path: str, args: argparse.Namespace, io: Streams, patterns: Sequence[str] | None = None
) -> Iterator[MapInput]:
    """The maps of a file that patterns name, by default those of the command line.

    NotFoundError for a pattern that names none, and for a file without maps.
    """
    wanted = Wanted(args.maps if patterns is None else patterns)
    with _open_file(path, args, io, wanted) as (file, data):
        for damage in file.damage:
            io.err.warning(f"{path}: {damage.lump}: {damage.message}")
        if not file.names:
            archive = file.archive
            nameless = archive is not None and any(lump.name is None for lump in archive.lumps)
            hint = "; it is stripped, and --symbols FILE gives its lumps their names" if nameless else ""
            raise NotFoundError(f"{path}: there are no maps in it{hint}")
        wanted.check(path, file.names)
        yield MapInput(path, file, data)


@contextmanager
def _open_file(
    path: str, args: argparse.Namespace, io: Streams, wanted: Wanted
) -> Iterator[tuple[MapFile, memoryview | bytes]]:
    """The maps of a text or an archive, and all bytes of the file."""
    if args.format == "auto":
        with open_map(path) as mapping:
            if is_map_text(mapping.data):
                yield open_maps(mapping.data, stem(path), None, wanted), mapping.data
                return
    with open_archive_file(path, args) as opened:
        print_warnings(opened, io.err)
        with naming(path):
            paths = opened.paths() if args.symbols else None
            file = open_maps(opened.data, stem(path), opened.archive, wanted, paths)
        yield file, opened.data


class Wanted:
    """Whether a map is one of those that patterns name: its name in any case, or a glob."""

    def __init__(self, patterns: Sequence[str]) -> None:
        self._tests = {pattern: _test(pattern) for pattern in patterns}

    def __call__(self, name: str) -> bool:
        """Whether a map of this name is; any is, without patterns."""
        return not self._tests or any(test(name.upper()) for test in self._tests.values())

    def check(self, path: str, names: Sequence[str]) -> None:
        """Raise NotFoundError for a pattern that names none of these."""
        for pattern, test in self._tests.items():
            if not any(test(name.upper()) for name in names):
                listed = ", ".join(names[:_SHOWN]) + (
                    f" and {len(names) - _SHOWN} more" if names[_SHOWN:] else ""
                )
                hint = guess_name(pattern, names) or f"it has {listed}"
                raise NotFoundError(f"{path}: no map '{pattern}'; {hint}")


def _test(pattern: str) -> Callable[[str], bool]:
    text = pattern.upper()
    try:
        glob = parse_glob(text)
    except GlobError:
        return lambda name: name == text
    return lambda name: name == text or glob.matches(name)


@contextmanager
def open_textures(file: MapInput, args: argparse.Namespace) -> Iterator[Textures | None]:
    """The textures of the base archives and of the file itself; None where no base says what there is."""
    from lumpyard.maps.textures import read_textures  # noqa: PLC0415 - not for pictures

    own = file.file.archive
    with ExitStack() as stack:
        archives: list[Archive] = []
        for path in args.base:
            mapping = stack.enter_context(open_map(path))
            with other_file(path):
                archives.append(open_archive(mapping.data, lenient=args.lenient))
        if own is not None:
            archives.append(own)
        known = bool(args.base) or (own is not None and own.format == "IWAD")
        yield read_textures(archives, args.target) if known else None
        archives.clear()


def stem(path: str) -> str:
    """What a map that is a text is called: the file's name without its suffix, in upper case."""
    name = path.replace("\\", "/").rpartition("/")[2]
    return (name.rpartition(".")[0] or name).upper()
