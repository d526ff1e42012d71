"""The archives and ledgers that `diff` compares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.cli.archive_file import load_names
from lumpyard.disk import open_map, read_if_there
from lumpyard.errors import DiskError, MalformedError, UnsupportedError, UsageError, naming

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator
    from contextlib import ExitStack

    from lumpyard.archives.model import Archive
    from lumpyard.report.inventory import Inventory

_LEDGER = b"EWSYM "
_TEXT = frozenset(
    (b" ", b"\t", b"\r", b"\n", b"/", b"n")
)  # what the text of a map starts with: blanks, a comment, `namespace`


def open_compared(
    stack: ExitStack, path: str, format_name: str, symbols: str | None, args: Namespace
) -> Inventory:
    """What a path holds, open until the stack unwinds."""
    from lumpyard.archives.opening import open_archive  # noqa: PLC0415 - not for --help
    from lumpyard.ledger import parse_ledger  # noqa: PLC0415
    from lumpyard.report.inventory import of_archive, of_ledger  # noqa: PLC0415

    mapping = stack.enter_context(open_map(path))
    if bytes(mapping.data[: len(_LEDGER)]) == _LEDGER:
        if symbols is not None:
            raise UsageError(f"{path} is a .ewsym and names its lumps itself; {symbols} is not needed")
        return of_ledger(path, parse_ledger(bytes(mapping.data), path))
    with naming(path):
        archive = open_archive(mapping.data, format_name, lenient=args.lenient, names=load_names(args))
    names = _names(path, archive, symbols)
    with naming(path):
        return of_archive(path, archive, names)


def are_map_texts(*paths: str) -> bool:
    """Whether all files are texts of maps (UDMF), of which the first bytes decide for nearly all others."""
    for path in paths:
        with open_map(path) as mapping:
            if bytes(mapping.data[:1]).lower() not in _TEXT:
                return False
            from lumpyard.maps.opening import is_map_text  # noqa: PLC0415 - of what may be one

            if not is_map_text(mapping.data):
                return False
    return True


def _names(path: str, archive: Archive, symbols: str | None) -> dict[int, str]:
    """Names by key for the lumps of a stripped archive, from the file that is named, or lies beside it."""
    from lumpyard.cli.symbol_file import load_symbols_of  # noqa: PLC0415 - of stripped archives

    if symbols is not None:
        return load_symbols_of(symbols, path, archive)
    if not archive.stripped or archive.archive_hash is None or not archive.lumps:
        return {}
    for beside in _beside(path):
        found = _load_if_of(beside, archive.archive_hash)
        if found is not None:
            return found
    return {}


def _beside(path: str) -> Iterator[str]:
    """Where the symbols of an archive may lie: in its folder, and where a project keeps those of dist/."""
    folder, slash, name = path.replace("\\", "/").rpartition("/")
    stem = f"{folder}{slash}{name.rpartition('.')[0] or name}.ewsym"
    yield stem
    parts = stem.split("/")
    for at in reversed(range(len(parts) - 1)):
        if parts[at] == "dist":
            yield "/".join([*parts[:at], "symbols", *parts[at + 1 :]])
            return


def _load_if_of(path: str, archive_hash: int) -> dict[int, str] | None:
    """The names in a ledger, where there is one and it is of this archive."""
    from lumpyard.ledger import parse_ledger  # noqa: PLC0415 - of stripped archives

    try:
        data = read_if_there(path)
        ledger = None if data is None else parse_ledger(data, path)
    except (DiskError, MalformedError, UnsupportedError):
        return None  # nobody asked for it
    if ledger is None or ledger.header.get("archive-hash") != f"{archive_hash:016x}":
        return None
    return ledger.names_by_key()
