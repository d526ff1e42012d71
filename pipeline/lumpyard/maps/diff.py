"""What differs between two readings of a map, as plain values: for text, for JSON, for a picture.

Numbers are those of the records in the old map where a field is called `old`, and in the new one where it is `new`.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

Point: TypeAlias = "tuple[int | float, int | float]"
Ends: TypeAlias = "tuple[Point | None, Point | None]"
Value: TypeAlias = "str | int | float | bool | bytes | Point | Ends | tuple[int, ...] | None"


class FieldChange(NamedTuple):
    """One field of one record.

    Places (`place`, `start`, `end`) are points; `direction` of a line that was turned round is both ends. A field of
    UDMF's that only one has is None in the other.
    """

    field: str
    old: Value
    new: Value


class RecordChange(NamedTuple):
    """One record that both maps have."""

    old: int
    new: int
    fields: tuple[FieldChange, ...]


class SideChange(NamedTuple):
    """What is on one side of a line that both maps have."""

    old_line: int
    new_line: int
    side: str  # front or back, as the new line has it
    old: int | None  # side numbers; None where the line has no side there
    new: int | None
    fields: tuple[FieldChange, ...]  # of sides that both have


class KindDiff(NamedTuple):
    """Records of one kind. What moved is in `moved` only, with all its changes."""

    added: tuple[int, ...] = ()  # new numbers
    removed: tuple[int, ...] = ()  # old numbers
    moved: tuple[RecordChange, ...] = ()
    changed: tuple[RecordChange, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.moved or self.changed)


class LumpChange(NamedTuple):
    """A lump beside the records, such as BEHAVIOR; a size is None where the map has none."""

    name: str
    old_size: int | None
    new_size: int | None


class MapDiff(NamedTuple):
    """All that differs; false where nothing does."""

    settings: tuple[FieldChange, ...] = ()  # format, namespace and UDMF's global assignments
    things: KindDiff = KindDiff()
    lines: KindDiff = KindDiff()
    sides: tuple[SideChange, ...] = ()  # of lines that both have
    sectors: KindDiff = KindDiff()
    vertices: tuple[RecordChange, ...] = ()  # UDMF's fields of vertices beyond their place
    lumps: tuple[LumpChange, ...] = ()

    def __bool__(self) -> bool:
        return any(self)
