"""The `.ewsym` files that commands are given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.disk import read_file
from lumpyard.errors import UsageError
from lumpyard.ledger import parse_ledger

if TYPE_CHECKING:
    from lumpyard.archives.model import Archive
    from lumpyard.ledger import Ledger


def load_symbols(path: str) -> Ledger:
    """The ledger in a file."""
    return parse_ledger(read_file(path), path)


def load_symbols_of(path: str, archive_path: str, archive: Archive) -> dict[int, str]:
    """Names by key for an archive; UsageError where the ledger is of another archive."""
    ledger = load_symbols(path)
    expected = ledger.header.get("archive-hash", "")
    found = "" if archive.archive_hash is None else f"{archive.archive_hash:016x}"
    if expected != found:
        hashes = (
            f"its archive hash is {expected or 'missing'}, that of {archive_path} is {found or 'missing'}"
        )
        raise UsageError(f"{path} belongs to another archive: {hashes}")
    return ledger.names_by_key()
