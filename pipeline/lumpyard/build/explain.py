"""Why an archive is out of date, in words: what differs between a plan and what was built last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.build.causes import changed_settings, settings_of
from lumpyard.build.look import contents_of, slots_of, type_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lumpyard.build.look import Settled
    from lumpyard.build.lumps import Slot
    from lumpyard.build.record import Record, Rows
    from lumpyard.build.session import Session

_SHOWN = 3  # names in one reason


def explain(session: Session, record: Record) -> tuple[str, ...]:
    """At least one reason, the weightiest first."""
    rows = record.rows
    places = {name: index for index, name in enumerate(_told_apart(rows.names))}
    settled = session.look(read=False)
    nameless = [one.lump.sources[0] for one in settled if not _can_be_named(one)]
    nameable = [one for one in settled if _can_be_named(one)] if nameless else settled
    slots = slots_of(nameable, session.plan) if nameless else session.slots()
    names = _told_apart(slots.names)
    held = list(map(places.get, names))
    contents = contents_of(slots, session.world.known)
    were = _contents_were(rows)
    changed = [
        name
        for name, content, at in zip(names, contents, held, strict=True)
        if at is not None and content != were[at]
    ]
    added = [name for name, at in zip(names, held, strict=True) if at is None] if None in held else []
    settings = settings_of(session.plan, session.tools, session.maker.encoder)
    reasons = [
        _settings_text(changed_settings(record.settings, settings)),
        _say(added, "added"),
        _say(
            [] if nameless or len(names) - len(added) == len(places) else places.keys() - set(names), "gone"
        ),
        _say([*changed, *nameless], "changed"),
    ]
    if not any(reasons):
        reasons = [
            _say(
                [
                    slot.name
                    for slot, at in zip(slots, held, strict=True)
                    if at is not None and _retypes(slot, rows, at)
                ],
                "with another type or schema",
            )
        ]
    found = tuple(reason for reason in reasons if reason)
    return found or ("settings of the archive or its sets changed",)


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
