"""What the parts of a diff are called, and what is said of one lump."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.model import type_text
from lumpyard.console.escape import escape_name
from lumpyard.console.signed import signed_bytes, signed_percent
from lumpyard.console.sizes import count_text, size_text
from lumpyard.report.changes import SAME, STATUSES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lumpyard.report.changes import ArchiveDiff, Change, Fact

LABELS = {
    "added": "added",
    "removed": "removed",
    "changed": "changed",
    "renamed": "renamed",
    "retyped": "type changed",
    "reschemed": "schema version changed",
    "reencoded": "only stored in another way",
    "moved": "only moved",
    "same": "unchanged",
    "header": "header",
    "directory": "directory",
    "names": "names",
    "padding": "padding",
}
STYLES = {"added": "green", "removed": "red", "changed": "yellow", "renamed": "cyan"}
_SIGNS = {"added": "+", "removed": "-", "renamed": ">", "moved": " "}
_FACTS = {"bytes": "bytes outside of lumps", "order": "order of lumps"}
assert set(STATUSES) < set(LABELS)


TOTALS = ("bytes of", "lumps", "old", "new", "change")  # titles of the table of totals


class TotalsRow(NamedTuple):
    """A row of the table of totals, of which the last is the file."""

    what: str
    lumps: str  # empty where the row is of no lumps
    old: str
    new: str
    delta: int  # bytes


def totals_rows(diff: ArchiveDiff) -> Iterator[TotalsRow]:
    """The rows that say something, and their sum; sizes are bytes, so that everybody can add them up."""
    for total in diff.totals:
        if total.lumps or total.old_bytes or total.new_bytes:
            lumps = f"{total.lumps:,}" if total.lumps else ""
            sizes = f"{total.old_bytes:,}", f"{total.new_bytes:,}"
            yield TotalsRow(LABELS[total.what], lumps, *sizes, total.delta)
    yield TotalsRow("file", "", f"{diff.old.size:,}", f"{diff.new.size:,}", diff.delta)


def headline(diff: ArchiveDiff) -> str:
    """The whole in one line."""
    if not diff.differs():
        lumps = count_text(next(total.lumps for total in diff.totals if total.what == SAME), "lump")
        return f"equal in content: {lumps}" if diff.by_content else f"equal: {lumps}, {diff.new.size:,} bytes"
    percent = signed_percent(diff.delta, diff.old.size)
    size = f"{signed_bytes(diff.delta)} bytes" + (f" ({percent})" if percent else "")
    counts = [
        f"{total.lumps:,} {LABELS[total.what]}"
        for total in diff.totals
        if total.lumps and total.what != "same"
    ]
    return "; ".join([size, ", ".join(counts) or "all lumps as they were"])


def sign_of(status: str) -> str:
    """The character in front of a lump of a status."""
    return _SIGNS.get(status, "!")


def fact_text(fact: Fact) -> tuple[str, str]:
    """What differs of the archive as a whole, and how."""
    return _FACTS.get(fact.what, fact.what), f"{fact.old} -> {fact.new}"


def detail_of(diff: ArchiveDiff, change: Change) -> str:
    """What is to be said of a lump beside its name and its bytes; safe to print."""
    words = []
    if change.old_name:
        words.append(f"was {escape_name(change.old_name)}")
    old = None if change.old is None else diff.old.lumps[change.old]
    new = None if change.new is None else diff.new.lumps[change.new]
    if old is not None and new is not None:
        if old.raw_size != new.raw_size:
            words.append(f"{_sizes(old.raw_size, new.raw_size)} raw")
        elif change.status == "changed":
            words.append(f"{size_text(new.raw_size)} raw, other bytes")
        if _differ(old.fourcc, new.fourcc):
            words.append(f"type {_type(old.fourcc)} -> {_type(new.fourcc)}")
        if _differ(old.kind, new.kind):
            words.append(f"kind {old.kind:#04x} -> {new.kind:#04x}")
        if _differ(old.schema, new.schema):
            words.append(f"schema {old.schema} -> {new.schema}")
        if old.stored_size != new.stored_size and old.raw_size == new.raw_size:
            words.append(f"{_sizes(old.stored_size, new.stored_size)} stored")
    else:
        one = old or new
        assert one is not None
        words.append(f"{size_text(one.raw_size)} raw")
        if one.fourcc:
            words.append(f"type {_type(one.fourcc)}")
    return ", ".join(words)


def _sizes(old: int, new: int) -> str:
    """Two sizes, to the byte where they would look alike."""
    texts = size_text(old), size_text(new)
    return f"{old:,} -> {new:,} bytes" if texts[0] == texts[1] else " -> ".join(texts)


def _type(fourcc: int | None) -> str:
    return escape_name(type_text(fourcc or 0)) or "none"


def _differ(old: int | None, new: int | None) -> bool:
    return old is not None and new is not None and old != new
