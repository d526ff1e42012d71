"""Which records of the store the present plans of a project use."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from lumpyard.build.lumps.look import find_cooked, slots_of_one
from lumpyard.build.project import PROFILES
from lumpyard.build.session import Session
from lumpyard.store import Kind, encode_digest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lumpyard.build.project import Project


def wanted_records(project: Project) -> Callable[[Kind, bytes], bool]:
    """Whether a record is of use to any archive, developed or shipped; reads sources that were never read."""
    keys: set[tuple[Kind, bytes]] = set()
    for archive in project.manifest.archives:
        for profile in PROFILES:
            with closing(Session(project, archive, profile)) as session:
                keys.update(_keys(session))
    return lambda kind, key: (kind, key) in keys


def _keys(session: Session) -> Iterator[tuple[Kind, bytes]]:
    encoder = session.maker.encoder
    for lump in session.plan.lumps:
        cooked = find_cooked(lump, session.maker, read=True)
        if cooked is None:  # nothing that is kept answers it
            continue
        yield Kind.COOKED, cooked.request
        for slot in slots_of_one(session.plan, lump, cooked):
            raw_digest = cooked.products[slot.position].raw_digest
            encoding = slot.lump.recipe.encoding
            yield Kind.RAW, raw_digest
            key = encode_digest(raw_digest, encoding.codec, encoding.level, encoder)
            yield Kind.BLOCK, key
            yield Kind.SIZE, key
