"""Which fields of UDMF's blocks records have a place for, what their values must be, and the bits that flags are.

Source: "Universal Doom Map Format Specification v1.1", Standardized Fields; the ZDoom wiki, "UDMF", for its flags.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.model import NO_EXTRA

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lumpyard.maps.udmf_values import Value

NOWHERE = 0xFFFFFFFF
_FARTHEST = 1 << 31  # a coordinate beyond this is no place on any map
BOOM = frozenset({"doom", "heretic", "strife"})  # namespaces where bit 9 of a line is Boom's

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
BOOM_LINES = {**LINE_FLAGS, "passuse": 512}
ACTIVATION_SHIFT = 10
ACTIVATIONS = (
    "playercross",
    "playeruse",
    "monstercross",
    "impact",
    "playerpush",
    "missilecross",
)  # as numbered there


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


class Plan(NamedTuple):
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


PLANS = {
    "thing": Plan(
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
    "linedef": Plan(
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
    "sidedef": Plan(
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
    "vertex": Plan({"x": (0, _number), "y": (1, _number)}, (0, 0, NO_EXTRA), ("x", "y"), 3),
    "sector": Plan(
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
