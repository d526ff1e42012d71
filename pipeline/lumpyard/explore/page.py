"""The whole page: markup, style, scripts and data in one file, and the policy that lets nothing else load or run.

Data stands in blocks (`blocks.py`), and the one JSON document beside them has no `<`, `>` or `&` in it. The scripts are
allowed by their SHA-256 alone. So whatever a name or a lump holds, the browser has nothing to take it for but text.
"""

from __future__ import annotations

import json
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from lumpyard import __version__
from lumpyard.explore import MOST_DRAWN
from lumpyard.explore.assembling import assemble
from lumpyard.explore.blocks import encode_json
from lumpyard.explore.embedding import CHUNK, Embedded, embed
from lumpyard.explore.kinds import KINDS
from lumpyard.explore.places import places_of
from lumpyard.explore.rows import table_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lumpyard.explore.places import Places
    from lumpyard.explore.subject import Subject

_MOST_WARNINGS = 200  # of one archive; a tool that does one thing wrong does it in thousands of entries
_HTML_SAFE = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


class Page(NamedTuple):
    """A page, and what it allows."""

    html: bytes
    policy: str  # its content security policy
    left_out: int  # lumps whose bytes are not in it
    unread: Sequence[tuple[int, str]]  # row and message of lumps that cannot be decoded
    maps: int = 0
    drawn: int = 0  # maps whose drawings are in it


def make_page(
    subjects: Sequence[Subject],
    budget: int,
    *,
    progress: Callable[[int], None] = lambda _size: None,
    draw: Callable[[Subject, Places, int], str] | None = None,
    most_drawn: int = MOST_DRAWN,
) -> Page:
    """The page of some archives with at most `budget` letters of lumps and maps in it.

    `draw` gives the drawing of a map of an archive, by its number; without it the page has none.
    """
    places = [places_of(subject.archive) for subject in subjects]
    drawings, rest = _drawings(subjects, places, budget, draw, most_drawn)
    embedded = embed(subjects, rest, progress)
    return _page(subjects, places, embedded, drawings, served=False)


def make_served_page(subjects: Sequence[Subject]) -> Page:
    """The page that asks the server which sends it for lumps and maps (`serving.py`)."""
    places = [places_of(subject.archive) for subject in subjects]
    rows = sum(len(subject.paths) for subject in subjects)
    return _page(subjects, places, Embedded([], [-1] * rows, [], 0), {}, served=True)


def _drawings(
    subjects: Sequence[Subject],
    places: Sequence[Places],
    budget: int,
    draw: Callable[[Subject, Places, int], str] | None,
    most: int,
) -> tuple[dict[tuple[int, int], str], int]:
    """The blocks of the first drawings, as many as have room, by archive and number; and the room that is left."""
    drawings: dict[tuple[int, int], str] = {}
    if draw is None:
        return drawings, budget
    maps = ((at, number) for at, found in enumerate(places) for number in range(len(found.maps)))
    for at, number in islice(maps, most):
        block = encode_json(draw(subjects[at], places[at], number)) if budget > 0 else ""
        if not 0 < len(block) <= budget:
            break
        drawings[at, number] = block
        budget -= len(block)
    return drawings, budget


def _page(
    subjects: Sequence[Subject],
    places: Sequence[Places],
    embedded: Embedded,
    drawings: dict[tuple[int, int], str],
    *,
    served: bool,
) -> Page:
    table = table_of(subjects, places, embedded)
    blocks = {f"columns{number}": encode_json(block) for number, block in enumerate(table.blocks)}
    blocks["parts"] = encode_json(_parts(subjects, places, drawings, embedded))
    blocks |= {f"map{number}": block for number, block in enumerate(drawings.values())}
    blocks |= {f"bytes{number}": block for number, block in enumerate(embedded.blocks)}
    raw = [lump.raw_size for subject in subjects for lump in subject.archive.lumps]
    left_out = sum(offset < 0 and size > 0 for offset, size in zip(embedded.offsets, raw, strict=True))
    facts = {
        "version": __version__,
        "served": served,
        "archives": list(_archives(subjects)),
        "rows": len(raw),
        "columns": len(table.blocks),
        "types": table.types,
        "codecs": table.codecs,
        "kinds": KINDS,
        "chunk": CHUNK,
        "leftOut": left_out - len(embedded.unread),
        "drawn": len(drawings),
    }
    policy = _policy(served=served)
    html = "".join(_markup(policy, _title(subjects), facts, blocks)).encode()
    maps = sum(len(found.maps) for found in places)
    return Page(html, policy, left_out - len(embedded.unread), embedded.unread, maps, len(drawings))


def _archives(subjects: Sequence[Subject]) -> Iterator[dict[str, Any]]:
    first = 0
    for subject in subjects:
        archive = subject.archive
        warnings = list(archive.warnings)
        yield {
            "path": subject.path,
            "format": archive.format,
            "size": archive.size,
            "lumps": len(subject.paths),
            "first": first,
            "alignment": archive.alignment,
            "seed": None if archive.seed is None else str(archive.seed),  # u64: no number of JavaScript
            "names": None if archive.seed is None else "stripped" if archive.stripped else "in the archive",
            "hash": None if archive.archive_hash is None else f"{archive.archive_hash:016x}",
            "warnings": [[one.entry, one.message] for one in warnings[:_MOST_WARNINGS]],
            "moreWarnings": max(0, len(warnings) - _MOST_WARNINGS),
        }
        first += len(subject.paths)


def _parts(
    subjects: Sequence[Subject],
    places: Sequence[Places],
    drawings: dict[tuple[int, int], str],
    embedded: Embedded,
) -> dict[str, Any]:
    """What is known of single rows: maps, what is part of them, and which lumps cannot be decoded."""
    maps: list[dict[str, Any]] = []
    parts: list[tuple[int, int, str]] = []
    drawn = {place: number for number, place in enumerate(drawings)}
    first = 0
    for at, (subject, found) in enumerate(zip(subjects, places, strict=True)):
        start = len(maps)
        for number, place in enumerate(found.maps):
            maps.append({"name": place.name, "format": place.format, "drawing": drawn.get((at, number))})
        parts += [(first + part.entry, start + part.place, part.text) for part in found.parts]
        first += len(subject.paths)
    return {"maps": maps, "parts": parts, "unread": embedded.unread}


def _title(subjects: Sequence[Subject]) -> str:
    names = [subject.path.replace("\\", "/").rpartition("/")[2] for subject in subjects]
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _markup(policy: str, title: str, facts: dict[str, Any], blocks: dict[str, str]) -> Iterator[str]:
    head, _, tail = _template().partition("<!-- data -->\n")
    head = head.replace("<!-- policy -->", policy).replace("<!-- title -->", _text(title))
    yield head.replace("<!-- style -->", _style())
    document = json.dumps(facts, separators=(",", ":"))
    for letter, safe in _HTML_SAFE.items():
        document = document.replace(letter, safe)
    yield f'<script type="application/json" id="facts">{document}</script>\n'
    for name, block in blocks.items():
        yield f'<script type="text/plain" id="block-{name}">{block}</script>\n'
    yield f'<script type="text/plain" id="worker">{_worker()}</script>\n'
    yield tail.replace("<!-- script -->", _script())


def _text(text: str) -> str:
    """Text as HTML in ASCII, with controls, direction marks and bytes that are not UTF-8 as question marks."""
    shown = "".join(letter if letter.isprintable() else "?" for letter in text)
    return "".join(
        f"&#{ord(letter)};" if not letter.isalnum() or ord(letter) > 126 else letter for letter in shown
    )


def _policy(*, served: bool) -> str:
    rules = [
        "default-src 'none'",
        f"script-src {_hash(_script())}",
        f"style-src {_hash(_style())}",
        "img-src data: blob:",
        "media-src data: blob:",
        "worker-src blob:",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    return "; ".join([*rules, "connect-src 'self'"] if served else rules)


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _read(name: str) -> str:
    return (files("lumpyard.explore") / "page" / name).read_text("utf-8")


@cache
def _template() -> str:
    return _read("page.html")


@cache
def _style() -> str:
    return _read("page.css")


@cache
def _script() -> str:
    return assemble("main", _read)


@cache
def _worker() -> str:
    return assemble("worker", _read)
