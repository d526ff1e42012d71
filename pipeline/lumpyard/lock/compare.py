"""What differs between what is locked and what was made, and what kind of change that comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lumpyard.lock.model import Block

# What players and caches see; when one of these differs, what was made is not what was released.
_RELEASED = ("archive_hash", "content_id", "format", "seed", "alignment")
_OTHERS = ("lumps", "raw_size", "stored_size", "size", "ledger")
_SHOWN = 5  # lumps named where a lock differs
CAUSES = ("source", "rule", "tool", "option", "codec")


class Difference(NamedTuple):
    """One thing that differs. Missing values are ""."""

    what: str  # a field of Block, or "archive", "set", "rule", "tool", "manifest", "codec"
    name: str  # of the set, rule or tool; else ""
    locked: str
    made: str

    def __str__(self) -> str:
        subject = f"{self.what} {self.name}" if self.name else self.what.replace("_", " ")
        return f"{subject} is {self.made or 'missing'}, not {self.locked or 'there'}"


def compare_block(locked: Block | None, made: Block | None) -> tuple[Difference, ...]:
    """Everything that differs between two blocks of one archive; () when they are equal.

    First what was released, then the other facts, sets, rules, tools, manifest and codec.
    """
    if locked is None or made is None:
        if locked is made:
            return ()
        return (Difference("archive", "", _hash_of(locked), _hash_of(made)),)
    pairs = [(name, "", getattr(locked, name), getattr(made, name)) for name in (*_RELEASED, *_OTHERS)]
    pairs += _in_both("set", locked.sets, made.sets)
    pairs += _in_both("rule", locked.inputs.rules, made.inputs.rules)
    pairs += _in_both("tool", locked.inputs.tools, made.inputs.tools)
    pairs.append(("manifest", "", locked.inputs.manifest, made.inputs.manifest))
    pairs.append(("codec", "", locked.inputs.codec, made.inputs.codec))
    return tuple(Difference(what, name, str(old), str(new)) for what, name, old, new in pairs if old != new)


def fails_check(differences: Iterable[Difference]) -> bool:
    """Whether a locked build must fail: what was released differs. Inputs alone never fail it."""
    return any(difference.what in {*_RELEASED, "archive"} for difference in differences)


def causes_of(differences: Sequence[Difference]) -> tuple[str, ...]:
    """The kinds of change that the differences come from, in the order of CAUSES; () when none does.

    Sources are not in the lock: they are the cause when lumps differ and nothing that is in it says why.
    """
    found = {
        "rule": any(one.what == "rule" and one.locked and one.made for one in differences),
        "tool": any(one.what == "tool" and one.locked and one.made for one in differences),
        "option": any(one.what in {"manifest", "archive"} for one in differences),
        "codec": any(one.what == "codec" for one in differences),
    }
    lumps_differ = any(one.what in {"set", "content_id"} for one in differences)
    found["source"] = lumps_differ and not (found["rule"] or found["tool"] or found["option"])
    return tuple(cause for cause in CAUSES if found[cause])


def explain_differences(archive_id: str, differences: Sequence[Difference], lumps: Sequence[str] = ()) -> str:
    """One line: sets and lumps that differ, the kinds of cause, and which of the archive's facts differ.

    `lumps` are the names of those that differ, where they are known.
    """
    if any(one.what == "archive" and not one.locked for one in differences):
        return f"{archive_id}: the lock has no block of it"
    facts = [_short(one) for one in differences if one.what in {*_RELEASED, "archive"}]
    others = [one.what.replace("_", " ") for one in differences if one.what in _OTHERS and not facts]
    sets = [one.name for one in differences if one.what == "set"]
    causes = causes_of(differences)
    more = f" and {len(lumps) - _SHOWN} more" if len(lumps) > _SHOWN else ""
    parts = [
        *([f"sets that differ: {', '.join(sets)}"] if sets else []),
        *([f"lumps: {', '.join(lumps[:_SHOWN])}{more}"] if lumps else []),
        f"cause: {', '.join(map(str, causes))}" if causes else "nothing that the lock records explains it",
        *facts,
        *(f"{other} differs" for other in others),
    ]
    return f"{archive_id}: {'; '.join(parts)}"


def _short(difference: Difference) -> str:
    """A difference in words, of digests just what tells them apart at a glance."""
    ends = (f"{value[:12]}…" if len(value) == 64 else value for value in difference[2:])
    return str(difference._replace(locked=next(ends), made=next(ends)))


def _hash_of(block: Block | None) -> str:
    return "" if block is None else block.archive_hash


def _in_both(
    what: str, locked: dict[str, str], made: dict[str, str]
) -> list[tuple[str, str, object, object]]:
    names = sorted({*locked, *made})
    return [(what, name, locked.get(name, ""), made.get(name, "")) for name in names]
