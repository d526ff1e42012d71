"""UDMF's blocks read into the records that all formats share.

What a record has no field for is in its `extra`, as it was read; so are the flags, which are `flags` too, as far as
Hexen's format has bits for them. A number of a record that makes no sense is `NOWHERE`, which no map has.

Source: "Universal Doom Map Format Specification v1.1", Standardized Fields; the ZDoom wiki, "UDMF", for its flags.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from lumpyard.maps.model import NO_EXTRA, UDMF, DoomMap, Line, MapDamage, Sector, Side, Thing, Vertex
from lumpyard.maps.udmf_text import MOST_DAMAGE, Block, Document, parse, render

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lumpyard.maps.udmf_text import Value

__all__ = ["LINE_FLAGS", "NOWHERE", "THING_FLAGS", "Block", "Document", "parse", "read", "render", "to_map"]

NOWHERE = 0xFFFFFFFF
_FARTHEST = 1 << 31  # a coordinate beyond this is no place on any map
_BOOM = frozenset({"doom", "heretic", "strife"})  # namespaces where bit 9 of a line is Boom's

THING_FLAGS = {
    **dict.fromkeys(("skill1", "skill2"), 1),
    "skill3": 2,
    **dict.fromkeys(("skill4", "skill5"), 4),
    "ambush": 8,
    "dormant": 16,
    "class1": 32,
    "class2": 64,
    "class3": 128,
    "single": 256,
    "coop": 512,
    "dm": 1024,
    "translucent": 2048,
    "invisible": 4096,
    "friend": 8192,
    "standing": 16384,
}
LINE_FLAGS = {
    "blocking": 1,
    "blockmonsters": 2,
    "twosided": 4,
    "dontpegtop": 8,
    "dontpegbottom": 16,
    "secret": 32,
    "blocksound": 64,
    "dontdraw": 128,
    "mapped": 256,
    "repeatspecial": 512,
    "monsteractivate": 0x2000,
    "blockplayers": 0x4000,
    "blockeverything": 0x8000,
}
_BOOM_LINES = {**LINE_FLAGS, "passuse": 512}
_ACTIVATION_SHIFT = 10
ACTIVATIONS = (
    "playercross",
    "playeruse",
    "monstercross",
    "impact",
    "playerpush",
    "missilecross",
)  # as numbered there


def read(name: str, lumps: Mapping[str, bytes]) -> DoomMap:
    """The map that the text of a map set's TEXTMAP is."""
    return to_map(name, parse(lumps.get("TEXTMAP", b"")), lumps)


def to_map(name: str, document: Document, lumps: Mapping[str, bytes]) -> DoomMap:
    """The map that a document is; its damage is the document's, and that of fields."""
    namespace = document.fields.get("namespace", "")
    reader = _Reader(_BOOM_LINES if str(namespace).lower() in _BOOM else LINE_FLAGS)
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


def _number(value: Value) -> int | float:
    if type(value) not in {int, float}:
        raise ValueError("is no number")
    if not -_FARTHEST <= value <= _FARTHEST:  # type: ignore[operator]  # a number
        raise ValueError("is too far for a map")
    return value  # type: ignore[return-value]  # a number


def _whole(value: Value) -> int:
    if type(value) is int:
        return value
    if type(value) is float and value.is_integer() and abs(value) <= _FARTHEST:
        return int(value)
    raise ValueError("is no whole number")


def _reference(value: Value) -> int:
    if type(value) is int and value >= 0:
        return value
    raise ValueError("is no number of a record")


def _side_number(value: Value) -> int | None:
    return None if value == -1 else _reference(value)


def _tag(value: Value) -> int:
    return 0 if value == -1 else _whole(value)


def _texture(value: Value) -> bytes:
    if type(value) is str:
        return value.encode("utf-8", "surrogateescape")
    raise ValueError("is no string in quotes")


class _Plan(NamedTuple):
    """How the fields of a block become a record."""

    fields: Mapping[str, tuple[int, Callable[[Value], object]]]  # place in the record, and check
    defaults: tuple[object, ...]  # of the record, and behind it of the arguments
    needed: tuple[str, ...]
    size: int  # fields of the record, without arguments; the last is `extra`
    flags_at: int | None = None
    args_at: int | None = None


_ARGS = tuple(f"arg{number}" for number in range(5))


def _with_args(size: int) -> dict[str, tuple[int, Callable[[Value], object]]]:
    return {name: (size + number, _whole) for number, name in enumerate(_ARGS)}


_PLANS = {
    "thing": _Plan(
        {
            "x": (0, _number),
            "y": (1, _number),
            "angle": (2, _whole),
            "type": (3, _whole),
            "id": (5, _whole),
            "height": (6, _number),
            "special": (7, _whole),
            **_with_args(10),
        },
        (0, 0, 0, 0, 0, 0, 0, 0, (), NO_EXTRA, 0, 0, 0, 0, 0),
        ("x", "y", "type"),
        10,
        flags_at=4,
        args_at=8,
    ),
    "linedef": _Plan(
        {
            "v1": (0, _reference),
            "v2": (1, _reference),
            "special": (3, _whole),
            "id": (4, _tag),
            "sidefront": (5, _side_number),
            "sideback": (6, _side_number),
            **_with_args(9),
        },
        (NOWHERE, NOWHERE, 0, 0, 0, None, None, (), NO_EXTRA, 0, 0, 0, 0, 0),
        ("v1", "v2", "sidefront"),
        9,
        flags_at=2,
        args_at=7,
    ),
    "sidedef": _Plan(
        {
            "offsetx": (0, _number),
            "offsety": (1, _number),
            "texturetop": (2, _texture),
            "texturebottom": (3, _texture),
            "texturemiddle": (4, _texture),
            "sector": (5, _reference),
        },
        (0, 0, b"-", b"-", b"-", NOWHERE, NO_EXTRA),
        ("sector",),
        7,
    ),
    "vertex": _Plan({"x": (0, _number), "y": (1, _number)}, (0, 0, NO_EXTRA), ("x", "y"), 3),
    "sector": _Plan(
        {
            "heightfloor": (0, _whole),
            "heightceiling": (1, _whole),
            "texturefloor": (2, _texture),
            "textureceiling": (3, _texture),
            "lightlevel": (4, _whole),
            "special": (5, _whole),
            "id": (6, _whole),
        },
        (0, 0, b"-", b"-", 160, 0, 0, NO_EXTRA),
        ("texturefloor", "textureceiling"),
        8,
    ),
}


class _Reader:
    def __init__(self, line_flags: Mapping[str, int]) -> None:
        self.rows: dict[str, list[list[Any]]] = {kind: [] for kind in _PLANS}
        self.damage: list[MapDamage] = []
        self._flags = {"thing": THING_FLAGS, "linedef": line_flags}

    def add(self, block: Block) -> None:
        """Make a record of a block; those of kinds that are not known are left."""
        plan = _PLANS.get(block.kind)
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
            flags |= next(met, 0) << _ACTIVATION_SHIFT
        return flags

    def _tell(self, block: Block, message: str) -> None:
        number = len(self.rows[block.kind])
        told = f"{block.kind} {number}: {message}"
        if len(self.damage) < MOST_DAMAGE:
            self.damage.append(MapDamage("TEXTMAP", told, block.line, "field"))
        elif len(self.damage) == MOST_DAMAGE:
            self.damage.append(MapDamage("TEXTMAP", "more fields make no sense", block.line, "field"))
