"""The symbols of the release that archives.lock is of.

Symbols name versions: of the codec, and by the cook digests those of tools. Where other versions come to the same
archive the lock keeps its block, and with it the digest of the symbols as they were. So symbols that were made of the
same archive by other versions are as good as those that it names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard import disk
from lumpyard.archives.identity import content_id
from lumpyard.errors import DiskError, MalformedError, UnsupportedError
from lumpyard.hashing import digest
from lumpyard.ledger import parse_ledger

if TYPE_CHECKING:
    from lumpyard.build.project import Project
    from lumpyard.ledger import Ledger
    from lumpyard.lock import Block


def released_ledger(project: Project, archive_id: str, block: Block | None) -> Ledger | None:
    """The ledger of the release that a block of the project's archives.lock is of; None where it is not at hand."""
    return None if block is None else find_ledger(project.real(project.symbols(archive_id)), block)


def find_ledger(path: str, block: Block) -> Ledger | None:
    """The ledger in a file, where it is of the archive that a block is of; None where it is not, or cannot be read."""
    try:
        data = disk.read_if_there(path)
        ledger = None if data is None else parse_ledger(data, path)
    except (DiskError, MalformedError, UnsupportedError):
        return None
    if data is None or ledger is None:
        return None
    return ledger if digest(data).hex() == block.ledger or _is_of(ledger, block) else None


def _is_of(ledger: Ledger, block: Block) -> bool:
    """Whether a ledger says that it is of the archive, and its lumps are those of the archive's content id."""
    if ledger.header.get("archive-hash") != block.archive_hash:
        return False
    lumps = (
        (
            lump.name.encode("utf-8", "surrogateescape"),
            lump.fourcc,
            lump.schema,
            lump.raw_size,
            lump.raw_digest.ljust(32, b"\0"),
        )
        for lump in ledger.lumps
    )
    return content_id(lumps) == block.content_id
