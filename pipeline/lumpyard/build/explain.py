"""Why an archive is out of date, in words: what differs between a plan and what was built last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.build.look import slots_of, type_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lumpyard.build.look import Settled
    from lumpyard.build.lumps import Slot
    from lumpyard.build.record import Record, Rows
    from lumpyard.build.session import Session

_SHOWN = 3  # names in one reason


def explain(session: Session, record: Record) -> tuple[str, ...]:
    """At least one reason, the weightiest first."""
    rows, known = record.rows, session.world.known
    places = {name: index for index, name in enumerate(rows.names)}
    settled = session.look(read=False)
    nameless = [one.lump.sources[0] for one in settled if not _can_be_named(one)]
    if nameless:
        slots = [slot for one in settled if _can_be_named(one) for slot in slots_of(one, session.plan)]
    else:
        slots = session.slots()
    held = [(slot, places[slot.name]) for slot in slots if slot.name in places]
    raw_digests, cook_digests = rows.column("raw_digest"), rows.column("cook_digest")
    requests = rows.column("request")  # empty where a rule handed the source on
    changed = [
        slot.name
        for slot, at in held
        if (
            requests[at] != b"" or known.get(slot.lump.sources[0]) != raw_digests[at]
            if slot.lump.recipe.rule.verbatim
            else slot.cooked is None or slot.cooked.digest != cook_digests[at]
        )
    ]
    reasons = [
        _say([slot.name for slot in slots if slot.name not in places], "added"),
        _say([] if nameless else places.keys() - {slot.name for slot in slots}, "gone"),
        _say([*changed, *nameless], "changed"),
    ]
    if not any(reasons):
        reasons = [
            _say([slot.name for slot, at in held if _retypes(slot, rows, at)], "with another type or schema")
        ]
    found = tuple(reason for reason in reasons if reason)
    return found or ("settings of the archive, its sets or the codec changed",)


def _retypes(slot: Slot, rows: Rows, at: int) -> bool:
    if slot.cooked is None and not slot.lump.recipe.rule.verbatim:
        return False
    return type_of(slot) != (rows.column("fourcc")[at], rows.column("schema")[at])


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
