"""Why an archive is out of date, in words: what differs between a plan and what was built last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.build.look import slots_of, type_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lumpyard.build.look import Settled
    from lumpyard.build.record import Record
    from lumpyard.plan.model import ArchivePlan

_SHOWN = 3  # names in one reason


def explain(plan: ArchivePlan, settled: Sequence[Settled], record: Record) -> tuple[str, ...]:
    """At least one reason, the weightiest first."""
    rows = record.rows
    places = {name: index for index, name in enumerate(rows.names)}
    slots = [slot for one in settled if _can_be_named(one) for slot in slots_of(one, plan)]
    nameless = [one.lump.sources[0] for one in settled if not _can_be_named(one)]
    known = [(slot, places[slot.name]) for slot in slots if slot.name in places]
    added = [slot.name for slot in slots if slot.name not in places]
    removed = [] if nameless else sorted(places.keys() - {slot.name for slot in slots})
    changed = [
        slot.name for slot, at in known if not slot.cooked or slot.cooked.digest != rows.cook_digests[at]
    ]
    retyped = [
        slot.name
        for slot, at in known
        if slot.cooked and type_of(slot) != (rows.fourccs[at], rows.schemas[at])
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


def _say(names: Iterable[str], what: str) -> str:
    """The reason `3 lumps added (a, b, c)`; "" where there are none."""
    listed = sorted(names)
    if not listed:
        return ""
    if len(listed) == 1:
        return f"{listed[0]} {'is ' if what in ('added', 'gone') else ''}{what}"
    more = f", {len(listed) - _SHOWN} more" if len(listed) > _SHOWN else ""
    return f"{len(listed)} lumps {what} ({', '.join(listed[:_SHOWN])}{more})"
