"""UDMF's blocks read into the records that all formats share.

What a record has no field for is in its `extra`, as it was read; so are the flags, which are `flags` too, as far as
Hexen's format has bits for them. A number of a record that makes no sense is `NOWHERE`, which no map has.

Source: "Universal Doom Map Format Specification v1.1", Standardized Fields; the ZDoom wiki, "UDMF", for its flags.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lumpyard.maps.model import UDMF, DoomMap, Line, MapDamage, Sector, Side, Thing, Vertex
from lumpyard.maps.udmf_fields import (
    ACTIVATION_SHIFT,
    ACTIVATIONS,
    BOOM,
    BOOM_LINES,
    LINE_FLAGS,
    NOWHERE,
    PLANS,
    THING_FLAGS,
)
from lumpyard.maps.udmf_text import MOST_DAMAGE, Block, Document, parse, render

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lumpyard.maps.udmf_values import Value

__all__ = ["LINE_FLAGS", "NOWHERE", "THING_FLAGS", "Block", "Document", "parse", "read", "render", "to_map"]


def read(name: str, lumps: Mapping[str, bytes]) -> DoomMap:
    """The map that the text of a map set's TEXTMAP is."""
    return to_map(name, parse(lumps.get("TEXTMAP", b"")), lumps)


def to_map(name: str, document: Document, lumps: Mapping[str, bytes]) -> DoomMap:
    """The map that a document is; its damage is the document's, and that of fields."""
    namespace = document.fields.get("namespace", "")
    reader = _Reader(BOOM_LINES if str(namespace).lower() in BOOM else LINE_FLAGS)
    for block in document.blocks:
        reader.add(block)
    damage = [*document.damage, *reader.damage]
    if not isinstance(namespace, str) or not namespace:
        message = 'the text names no namespace; it should start with one, such as namespace = "doom";'
        damage.insert(0, MapDamage("TEXTMAP", message, 1, "field"))
    rows = reader.rows
    return DoomMap(
        name,
        UDMF,
        [Thing(*row) for row in rows["thing"]],
        [Line(*row) for row in rows["linedef"]],
        [Side(*row) for row in rows["sidedef"]],
        [Vertex(*row[:2]) for row in rows["vertex"]],
        [Sector(*row) for row in rows["sector"]],
        lumps,
        namespace=str(namespace),
        damage=damage,
        extra={key: value for key, value in document.fields.items() if key != "namespace"},
        vertex_extra={number: row[2] for number, row in enumerate(rows["vertex"]) if row[2]},
    )


class _Reader:
    def __init__(self, line_flags: Mapping[str, int]) -> None:
        self.rows: dict[str, list[list[Any]]] = {kind: [] for kind in PLANS}
        self.damage: list[MapDamage] = []
        self._flags = {"thing": THING_FLAGS, "linedef": line_flags}

    def add(self, block: Block) -> None:
        """Make a record of a block; those of kinds that are not known are left."""
        plan = PLANS.get(block.kind)
        if not plan:
            return
        row: list[Any] = list(plan.defaults)
        extra: dict[str, Value] = {}
        for name, value in block.fields.items():
            slot = plan.fields.get(name)
            if slot is None:
                extra[name] = value
                continue
            try:
                row[slot[0]] = slot[1](value)
            except ValueError as error:
                self._tell(block, f"{name} = {value!r} {error}")
        for name in plan.needed:
            if name not in block.fields:
                self._tell(block, f"it has no {name}")
        if extra:
            row[plan.size - 1] = extra
        if plan.flags_at is not None:
            row[plan.flags_at] = self._folded(block.kind, extra)
        if plan.args_at is not None:
            row[plan.args_at] = tuple(row[plan.size :])
        self.rows[block.kind].append(row[: plan.size])

    def _folded(self, kind: str, extra: Mapping[str, Value]) -> int:
        """The flags of a thing or line as Hexen's bits."""
        known = self._flags[kind]
        flags = 0
        for name, value in extra.items():
            if value is True:
                flags |= known.get(name, 0)
        if kind == "linedef":
            met = (number for number, name in enumerate(ACTIVATIONS) if extra.get(name) is True)
            flags |= next(met, 0) << ACTIVATION_SHIFT
        return flags

    def _tell(self, block: Block, message: str) -> None:
        number = len(self.rows[block.kind])
        told = f"{block.kind} {number}: {message}"
        if len(self.damage) < MOST_DAMAGE:
            self.damage.append(MapDamage("TEXTMAP", told, block.line, "field"))
        elif len(self.damage) == MOST_DAMAGE:
            self.damage.append(MapDamage("TEXTMAP", "more fields make no sense", block.line, "field"))
