"""Rule `text`: text files that are the same bytes whichever editor or Git setting wrote them.

Only formats that are UTF-8 by their definition or by custom have their suffix here; XML, HTML, subtitles and
others may say another encoding inside, and go to `raw` unless the manifest says `rule: text`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from lumpyard.rule import Product, Rule, only, place_of, read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lumpyard.rule import Source

_BOM = b"\xef\xbb\xbf"

PLAIN = frozenset({".cfg", ".csv", ".ini", ".lua", ".md", ".toml", ".tsv", ".txt", ".yaml", ".yml"})
SHADERS = frozenset({".comp", ".frag", ".glsl", ".hlsl", ".hlsli", ".vert", ".wgsl"})


@dataclass(frozen=True, slots=True)
class TextOptions:
    """What a text must be, and what is done to its line ends."""

    newline: Literal["lf", "crlf", "keep"] = field(
        default="lf", metadata={"doc": "what every LF, CR LF or lone CR becomes"}
    )
    final_newline: bool = field(
        default=False,
        metadata={"doc": "add a newline at the end of a text that has none; an empty one stays empty"},
    )
    bom: Literal["strip", "keep", "refuse"] = field(
        default="strip", metadata={"doc": "what happens to a byte order mark at the start"}
    )
    encoding: Literal["utf-8", "ascii", "any"] = field(
        default="utf-8",
        metadata={"doc": "what the bytes must be; `any` checks nothing, for code pages of old games"},
    )


def cook(sources: Sequence[Source], options: TextOptions) -> Iterable[Product]:
    """The text with its newlines and byte order mark as the options say."""
    source = only(sources)
    _check(source, options)
    bom, data = (_BOM, source.data[3:]) if source.data.startswith(_BOM) else (b"", source.data)
    data = _with_newlines(data, options)
    return [Product(bom + data if options.bom == "keep" else data)]


def _check(source: Source, options: TextOptions) -> None:
    """Report what is wrong with the bytes."""
    data = source.data
    if options.bom == "refuse" and data.startswith(_BOM):
        hint = "save the file as UTF-8 without BOM, or say `bom: strip`"
        source.problem("the text starts with a byte order mark", line=1, column=1, hint=hint)
    if options.encoding != "any" and read_text(source) is not None:
        _check_characters(source, options)


def _check_characters(source: Source, options: TextOptions) -> None:
    """Report characters that do not belong into a text that is UTF-8."""
    data = source.data
    if options.encoding == "ascii" and not data.isascii():
        start = 3 if data.startswith(_BOM) else 0
        at = next((index for index in range(start, len(data)) if data[index] > 0x7F), None)
        if at is not None:
            line, column = place_of(data, at)
            character = data[at:].decode("utf-8")[0]
            source.problem(
                f"{character!a} is not ASCII", line=line, column=column, hint="or say `encoding: utf-8`"
            )
    if b"\0" in data:
        line, column = place_of(data, data.index(b"\0"))
        hint = "if it is UTF-16, save it as UTF-8; if it is no text, say `rule: raw`"
        source.problem("the text holds a NUL", line=line, column=column, hint=hint, warning=True)


def _with_newlines(data: bytes, options: TextOptions) -> bytes:
    """A text, without byte order mark, with the newlines that the options ask for."""
    newline = (
        b"\r\n" if options.newline == "crlf" or (options.newline == "keep" and b"\r\n" in data) else b"\n"
    )
    if options.newline != "keep":
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").replace(b"\n", newline)
    if options.final_newline and data and not data.endswith((b"\n", b"\r")):
        data += newline
    return data


RULE = Rule(
    kind="text",
    version=1,
    cook=cook,
    suffixes=PLAIN | SHADERS,
    fourcc="TEXT",
    schema=1,
    options=TextOptions,
    summary="UTF-8 text with uniform newlines",
)
