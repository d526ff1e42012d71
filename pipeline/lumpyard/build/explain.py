"""Why an archive is out of date, in words: what differs between a plan and what was built last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.build.causes import changed_settings, settings_of
from lumpyard.build.lumps.look import can_be_named, contents_of, slots_of_one, type_of
from lumpyard.build.lumps.slots import Slots

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lumpyard.build.earlier.record import Record, Rows
    from lumpyard.build.session import Session
    from lumpyard.build.shapes import Slot

_SHOWN = 3  # names in one reason


def explain(session: Session, record: Record) -> tuple[str, ...]:
    """At least one reason, the weightiest first."""
    rows, plan = record.rows, session.plan
    nameless, slots = _named(session)
    names = _told_apart(slots.names)
    were = dict(zip(_told_apart(rows.names), _contents_were(rows), strict=True))
    held = list(map(were.get, names))
    contents = contents_of(slots, session.world.known)
    changed, added = [], []
    if contents != held or None in held:
        added = [name for name, was in zip(names, held, strict=True) if was is None]
        changed = [
            name
            for name, content, was in zip(names, contents, held, strict=True)
            if content != was and was is not None
        ]
    settings = settings_of(plan, session.tools, session.maker.encoder)
    reasons = [
        _settings_text(changed_settings(record.settings, settings)),
        _say(added, "added"),
        _say([] if nameless or len(names) - len(added) == len(were) else were.keys() - set(names), "gone"),
        _say([*changed, *nameless], "changed"),
    ]
    if not any(reasons):
        places = {name: index for index, name in enumerate(_told_apart(rows.names))}
        retyped = [
            slot.name for slot, name in zip(slots, names, strict=True) if _retypes(slot, rows, places[name])
        ]
        reasons = [_say(retyped, "with another type or schema")]
    found = tuple(reason for reason in reasons if reason)
    return found or ("settings of the archive or its sets changed",)


def _named(session: Session) -> tuple[list[str], Slots]:
    """The first source of each lump whose names are not known yet, and all others."""
    plan, cooked = session.plan, session.look(read=False)
    pairs = () if plan.holds_files else tuple(zip(plan.lumps, cooked, strict=True))
    nameless = [lump.sources[0] for lump, one in pairs if not can_be_named(lump, one)]
    if not nameless:
        return [], session.slots()
    rows = [slot for lump, one in pairs if can_be_named(lump, one) for slot in slots_of_one(plan, lump, one)]
    return nameless, Slots([slot.lump for slot in rows], rows)


def _settings_text(names: Sequence[str]) -> str:
    """The reason `rule text and alignment changed`; "" where none did."""
    if len(names) > _SHOWN:
        names = [*names[:_SHOWN], f"{len(names) - _SHOWN} more"]
    return f"{' and '.join(filter(None, [', '.join(names[:-1]), names[-1]]))} changed" if names else ""


def _told_apart(names: Sequence[str]) -> Sequence[str]:
    """The names, each with its number from the second of that name on: only some formats have such."""
    if len(set(names)) == len(names):
        return names
    met: dict[str, int] = {}
    found = []
    for name in names:
        met[name] = met.get(name, 0) + 1
        found.append(name if met[name] == 1 else f"{name} ({met[name]})")
    return found


def _contents_were(rows: Rows) -> Sequence[bytes]:
    """What decided each lump's bytes, as `contents_of` says it; rules that hand their source on made no request."""
    requests = rows.column("request")
    if not any(requests):
        return rows.column("raw_digest")
    columns = zip(requests, rows.column("raw_digest"), rows.column("cook_digest"), strict=True)
    return [cooked if request else raw for request, raw, cooked in columns]


def _retypes(slot: Slot, rows: Rows, at: int) -> bool:
    if slot.cooked is None and not slot.lump.recipe.rule.verbatim:
        return False
    return type_of(slot) != (rows.column("fourcc")[at], rows.column("schema")[at])


def _say(names: Iterable[str], what: str) -> str:
    """The reason `3 lumps added (a, b, c)`; "" where there are none."""
    listed = sorted(names)
    if not listed:
        return ""
    if len(listed) == 1:
        return f"{listed[0]} {'is ' if what in ('added', 'gone') else ''}{what}"
    more = f", {len(listed) - _SHOWN} more" if len(listed) > _SHOWN else ""
    return f"{len(listed)} lumps {what} ({', '.join(listed[:_SHOWN])}{more})"
