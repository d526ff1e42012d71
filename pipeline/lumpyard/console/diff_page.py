"""A diff of two archives as one page, with pictures side by side and maps drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.console.diff_maps import is_long, map_lines, map_picture, short_changes
from lumpyard.console.diff_walk import groups
from lumpyard.console.diff_words import LABELS, TOTALS, detail_of, fact_text, headline, totals_rows
from lumpyard.console.pages import data_uri, details, element, page, row, sign_class, table, text
from lumpyard.console.signed import signed_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.console.diff_walk import Group
    from lumpyard.report.changes import ArchiveDiff, Change
    from lumpyard.report.inventory import Inventory
    from lumpyard.report.map_changes import MapChange

_MOST_LUMPS = 2000  # of one status
_MOST_PICTURES = 100
_LARGEST_PICTURE = 1 << 20  # bytes
_MOST_BYTES = 24 << 20  # of all pictures
_MOST_MAPS = 40  # drawn
_MOST_CHANGES = 1000  # of one map
_KINDS = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}
_PICTURED = frozenset(("added", "removed", "changed"))


def diff_page(diff: ArchiveDiff, maps: Sequence[MapChange]) -> str:
    """The page."""
    return page(f"{diff.old.path} -> {diff.new.path}", _body(diff, maps))


def _body(diff: ArchiveDiff, maps: Sequence[MapChange]) -> Iterator[str]:
    yield f"<h1>{text(diff.old.path)} &rarr; {text(diff.new.path)}</h1>"
    yield element("p", headline(diff), "big")
    if diff.facts:
        yield "<ul>"
        yield from (element("li", ": ".join(fact_text(fact)).replace(" -> ", " → ")) for fact in diff.facts)
        yield "</ul>"
    yield from _totals(diff)
    yield from _maps(maps)
    yield from _pictures(diff)
    for group in groups(diff, _MOST_LUMPS):
        is_open = len(group.shown) <= 30 and group.status != "moved"
        yield from details(group.title, _lumps(diff, group), is_open=is_open)
    for note in diff.notes:
        yield element("p", f"note: {note}", "faint")


def _totals(diff: ArchiveDiff) -> Iterator[str]:
    classes = ("", "n", "n spare", "n spare")
    *parts, file = totals_rows(diff)
    rows = []
    for one in (*parts, file):
        *texts, delta = one
        kind = "sum" if one is file else "" if one.lumps else "part"
        rows.append(
            row(
                [*zip(texts, classes, strict=True), (signed_bytes(delta), sign_class(delta))],
                kind,
            )
        )
    yield from table(list(zip(TOTALS, (*classes, "n"), strict=True)), rows)


def _lumps(diff: ArchiveDiff, group: Group) -> Iterator[str]:
    rows = [
        row(
            [
                (change.name, "name"),
                (signed_bytes(change.delta), sign_class(change.delta)),
                (detail_of(diff, change).replace(" -> ", " → "), "say"),
            ]
        )
        for change in group.shown
    ]
    yield from table([("lump", ""), ("bytes", "n"), ("", "")], rows)
    if group.left_out:
        yield element("p", f"and {group.left_out:,} more", "faint")


def _maps(maps: Sequence[MapChange]) -> Iterator[str]:
    if maps:
        yield element("h2", "Maps")
    for words, names in short_changes(maps).items():
        yield element("p", f"{', '.join(names)}: {words}")
    for number, change in enumerate(filter(is_long, maps)):
        first, *lines = map_lines(change, _MOST_CHANGES)
        body = []
        picture = map_picture(change) if number < _MOST_MAPS else ""
        if picture:
            source = data_uri("image/svg+xml", picture.encode())
            body.append(
                f'<p><img class="map" alt="{text(f"what changed in {change.name}")}" src="{source}"></p>'
            )
        if lines:
            body.append(f"<pre>{chr(10).join(map(text, lines))}</pre>")
        yield from details(first, body, is_open=True)


def _pictures(diff: ArchiveDiff) -> Iterator[str]:
    """PNG and JPEG lumps of which one side or both can be shown."""
    left = _MOST_BYTES
    pairs: list[tuple[Change, str, str]] = []
    for change in diff.changes:
        if change.status not in _PICTURED or len(pairs) == _MOST_PICTURES:
            continue
        old, new = _picture(diff.old, change.old), _picture(diff.new, change.new)
        left -= len(old) + len(new)
        if (old or new) and left >= 0:
            pairs.append((change, old, new))
    if pairs:
        yield element("h2", "Pictures")
    for change, old, new in pairs:
        yield element("h3", f"{change.name}: {LABELS[change.status]}")
        yield '<div class="pair">'
        for source, word in ((old, "old"), (new, "new")):
            if source:
                caption = f"<figcaption>{word}</figcaption>"
                alt = text(f"{change.name}, {word}")
                yield f'<figure><img alt="{alt}" src="{source}">{caption}</figure>'
        yield "</div>"


def _picture(inventory: Inventory, at: int | None) -> str:
    """The address of a lump that is a picture browsers show, or ""."""
    if at is None or inventory.archive is None or inventory.lumps[at].raw_size > _LARGEST_PICTURE:
        return ""
    raw = bytes(inventory.content(at) or b"")
    return next((data_uri(kind, raw) for start, kind in _KINDS.items() if raw.startswith(start)), "")
