"""What a lock holds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """Digests of what decided an archive beside its sources."""

    manifest: str  # of the parsed manifest
    rules: dict[str, str]  # rule kind -> digest
    tools: dict[str, str]  # tool -> digest of its identity
    codec: str  # binding and library, as in the encode digest


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """What was released as one archive; the fields are the keys of the file."""

    format: str  # upper case
    archive_hash: str  # 16 hex digits
    content_id: str  # 64 hex digits
    lumps: int
    raw_size: int  # of all lumps
    stored_size: int  # of all lumps
    size: int  # of the file
    seed: int
    alignment: int
    sets: dict[str, str]  # set -> content id of its lumps
    inputs: Inputs
    ledger: str  # BLAKE3 of the .ewsym


@dataclass(frozen=True, slots=True)
class Lock:
    """The whole file."""

    archives: dict[str, Block] = field(default_factory=dict)


def merge_block(lock: Lock, archive_id: str, block: Block) -> Lock:
    """The lock with the block of one archive put in or replaced, all others as they were."""
    return replace(lock, archives={**lock.archives, archive_id: block})


def drop_blocks(lock: Lock, keep: Collection[str]) -> Lock:
    """The lock without the archives that are not to be kept."""
    return replace(lock, archives={name: block for name, block in lock.archives.items() if name in keep})
