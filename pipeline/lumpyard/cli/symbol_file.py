"""The `.ewsym` files that commands are given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.disk import read_file
from lumpyard.errors import UsageError
from lumpyard.ledger import parse_ledger

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lumpyard.archives.model import Archive
    from lumpyard.ledger import Ledger


def load_symbols(path: str) -> Ledger:
    """The ledger in a file."""
    return parse_ledger(read_file(path), path)


def load_symbols_of(path: str, archive_path: str, archive: Archive) -> dict[int, str]:
    """Names by key for an archive; UsageError where the ledger is of another archive."""
    return load_symbols_among(path, {archive_path: archive})[archive_path]


def load_symbols_among(path: str, archives: Mapping[str, Archive]) -> dict[str, dict[int, str]]:
    """Names by key for those archives, by path, that the ledger in a file is of; UsageError where it is of none."""
    ledger = load_symbols(path)
    expected = ledger.header.get("archive-hash", "")
    hashes = {
        found: f"{archive.archive_hash:016x}"
        for found, archive in archives.items()
        if archive.archive_hash is not None
    }
    if not hashes:
        which = " and ".join(f"{found} is a {archive.format}" for found, archive in archives.items())
        raise UsageError(f"{path} is for naming the lumps of a stripped EWAD; {which}")
    own = [found for found, digest in hashes.items() if digest == expected]
    if not own:
        others = ", ".join(f"that of {found} is {digest}" for found, digest in hashes.items())
        wanted = f"its archive hash is {expected or 'missing'}"
        raise UsageError(f"{path} belongs to another archive: {wanted}, {others}")
    names = ledger.names_by_key()
    return dict.fromkeys(own, names)
