"""What decides one lump, and what became of it in the last build, as plain data."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from lumpyard.archives.model import type_text
from lumpyard.build.cooking.products import type_and_schema
from lumpyard.build.lumps.encode import NOT_TRIED
from lumpyard.build.lumps.look import find_cooked
from lumpyard.cli.plan import encoding_text

if TYPE_CHECKING:
    from lumpyard.build.earlier.record import LumpRow
    from lumpyard.build.session import Session
    from lumpyard.build.shapes import CookedLump
    from lumpyard.plan.model import PlannedLump


def explain_lump(session: Session, lump: PlannedLump, name: str) -> dict[str, Any]:
    """All there is to say of a lump; reads its sources where what they hold is not known."""
    recipe = lump.recipe
    cooked = find_cooked(lump, session.maker, read=True)
    row = _row(session, lump, name)
    found = {path: session.tree.found_in(path) for path in lump.sources}
    own = (None, None) if row is None else (row.own_fourcc, row.own_schema)
    fourcc, schema = type_and_schema(recipe, *own)
    return {
        "name": name,
        "archive": session.id,
        "path": session.path,
        "set": recipe.set_id,
        "place": str(recipe.place),
        "sources": list(lump.sources),
        "found": [places[0] for places in found.values()],
        "shadowed": [place for places in found.values() for place in places[1:]],
        "rule": recipe.rule.kind,
        "rule_version": recipe.rule.version,
        "options": json.loads(recipe.options_text),
        "type": type_text(fourcc) or None,
        "schema": schema,
        "alignment": recipe.alignment,
        "compression": encoding_text(recipe.encoding),
        "stored": None if row is None else _stored(row),
        "state": "not built yet" if session.record is None else _state(lump, row, cooked),
        "rule_digest": recipe.rule_digest,
        "source_digests": {path: _hex(session.world.known.get(path)) for path in lump.sources},
        "cook_digest": None if cooked is None else cooked.digest.hex(),
        "asks": []
        if cooked is None
        else [dict(zip(("kind", "subject", "answer"), ask, strict=True)) for ask in cooked.asks],
    }


def _row(session: Session, lump: PlannedLump, name: str) -> LumpRow | None:
    """What the last build of this archive wrote under a name; of several that of the same sources, or the first."""
    if session.record is None:
        return None
    rows = session.record.rows
    named = [index for index, other in enumerate(rows.names) if other == name]
    sources = rows.column("sources")
    found = next((index for index in named if sources[index] == lump.sources), named[0] if named else None)
    return None if found is None else rows[found]


def _stored(row: LumpRow) -> dict[str, Any]:
    return {
        "compressed": bool(row.flags & 1),
        "codec": row.codec.removesuffix(" 0") or "raw",
        "raw_size": row.raw_size,
        "stored_size": row.stored_size,
        "codec_size": None if row.codec_size == NOT_TRIED else row.codec_size,
        "offset": row.offset,
    }


def _state(lump: PlannedLump, row: LumpRow | None, cooked: CookedLump | None) -> str:
    """Whether the next build makes it anew, and why."""
    if row is None:
        return "not in the last build: it will be added"
    if row.sources != lump.sources:
        return f"changed: it was made of {', '.join(row.sources)}"
    if cooked is None:
        return "changed: a source, its rule, an option, or what the rule asked for is not what it was"
    if cooked.digest != row.cook_digest:
        return "changed to what an earlier build made: nothing is cooked"
    return "as it was built"


def _hex(found: bytes | None) -> str | None:
    return None if found is None else found.hex()
