"""Rule `json`: JSON (RFC 8259), checked strictly, and made smaller if wished.

What a game's own parser would take silently is an error here: a key that is there twice, NaN, a comma too
many, a byte order mark. Numbers, strings and the order of keys stay as they are written, also when minified.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lumpyard.rule import Product, Rule, only, place_of, read_text
from lumpyard_rules.json.quick import is_plainly_valid, minified
from lumpyard_rules.json.strict import parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lumpyard.rule import Source

_BOM = "\ufeff"

MOST_FAULTS = 50  # reported of one file; more would be a mistake of a program, and take long to place


@dataclass(frozen=True, slots=True)
class JsonOptions:
    """What is allowed in a source, and what becomes of it."""

    minify: bool = field(default=False, metadata={"doc": "leave out white space between tokens"})
    comments: bool = field(
        default=False, metadata={"doc": "allow `//` and `/* */` in the source; they are never in the lump"}
    )
    max_depth: int = field(default=1000, metadata={"doc": "how deep lists and objects may nest"})

    def check(self) -> str:
        """What is wrong with the values."""
        return "" if self.max_depth >= 1 else f"max_depth is {self.max_depth}; it must be 1 or more"


def cook(sources: Sequence[Source], options: JsonOptions) -> Iterable[Product]:
    """The JSON as it is, or minified, or without its comments."""
    source = only(sources)
    text = read_text(source)
    if text is None:
        return [Product(source.data)]
    if text.startswith(_BOM):
        message = "the file starts with a byte order mark, which JSON does not allow"
        source.problem(message, line=1, column=1, hint="save it as UTF-8 without BOM")
        text = text.removeprefix(_BOM)
    if is_plainly_valid(text, options.max_depth):
        return [Product(minified(text).encode() if options.minify else source.data)]
    return [Product(_checked(source, text, options).encode())]


def _checked(source: Source, text: str, options: JsonOptions) -> str:
    """The text of the lump; everything wrong with it is reported at its place."""
    found = parse(text, comments=options.comments, max_depth=options.max_depth)
    data = text.encode()
    for fault in found.faults[:MOST_FAULTS]:
        line, column = place_of(data, _offset(text, fault.at))
        other = f" ({fault.about} {place_of(data, _offset(text, fault.other))[0]})" if fault.about else ""
        source.problem(
            fault.message + other, line=line, column=column, hint=fault.hint, warning=fault.warning
        )
    if len(found.faults) > MOST_FAULTS:
        source.problem(f"{len(found.faults) - MOST_FAULTS} more problems like these")
    return "".join(found.tokens) if options.minify else found.without_comments


def _offset(text: str, at: int) -> int:
    """Where in the file's bytes a character stands."""
    return len(text[:at].encode())


RULE = Rule(
    kind="json",
    version=1,
    cook=cook,
    suffixes={".json"},
    fourcc="JSON",
    schema=1,
    options=JsonOptions,
    summary="JSON, checked strictly; can be minified",
)
