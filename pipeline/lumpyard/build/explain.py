"""Why an archive is out of date, in words: what differs between a plan and what was built last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.build.look import slots_of, type_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lumpyard.build.look import Settled
    from lumpyard.build.making import Slot
    from lumpyard.build.record import LumpRow, Record
    from lumpyard.plan.model import ArchivePlan

_SHOWN = 3  # names in one reason


def explain(plan: ArchivePlan, settled: Sequence[Settled], record: Record) -> tuple[str, ...]:
    """At least one reason, the weightiest first."""
    rows = {row.name: row for row in record.rows}
    slots = [slot for one in settled if _can_be_named(one) for slot in slots_of(one, plan)]
    nameless = [one.lump.sources[0] for one in settled if not _can_be_named(one)]
    added = [slot.name for slot in slots if slot.name not in rows]
    names = {slot.name for slot in slots}
    removed = [] if nameless else [name for name in rows if name not in names]
    changed = [slot.name for slot in slots if slot.name in rows and _recooks(slot, rows[slot.name])]
    retyped = [
        slot.name
        for slot in slots
        if slot.name in rows and slot.cooked is not None and _retypes(slot, rows[slot.name])
    ]
    reasons = [
        _say(added, "added"),
        _say(removed, "gone"),
        _say([*changed, *nameless], "changed"),
        _say(retyped, "with another type or schema"),
    ]
    found = tuple(reason for reason in reasons if reason)
    return found or ("settings of the archive, its sets or the codec changed",)


def _can_be_named(settled: Settled) -> bool:
    return settled.lump.products is not None or settled.cooked is not None


def _recooks(slot: Slot, row: LumpRow) -> bool:
    return slot.cooked is None or slot.cooked.digest != row.cook_digest


def _retypes(slot: Slot, row: LumpRow) -> bool:
    return type_of(slot) != (row.fourcc, row.schema)


def _say(names: Iterable[str], what: str) -> str:
    """The reason `3 lumps added (a, b, c)`; "" where there are none."""
    listed = sorted(names)
    if not listed:
        return ""
    if len(listed) == 1:
        return f"{listed[0]} {'is ' if what in ('added', 'gone') else ''}{what}"
    more = f", {len(listed) - _SHOWN} more" if len(listed) > _SHOWN else ""
    return f"{len(listed)} lumps {what} ({', '.join(listed[:_SHOWN])}{more})"
