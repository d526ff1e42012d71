"""Rule `image`: pictures whose headers hold, of the sizes that a game can take; the bytes stay as they are.

No pixel is decoded. What is checked is what breaks in practice: cut-off files, broken PNG chunks, a JPEG that
is named `.png`, a texture of 1000x1000 where the renderer wants powers of two.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from lumpyard.errors import ArchiveError
from lumpyard.rule import Product, Rule, only
from lumpyard_rules.image import dds, jpeg, ktx2, png, tga

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from lumpyard.rule import Source
    from lumpyard_rules.image.picture import Picture

Format = Literal["png", "jpeg", "tga", "dds", "ktx2"]


class _Kind(NamedTuple):
    """A picture format."""

    format: Format
    suffixes: tuple[str, ...]
    signature: bytes  # b"" where there is none
    check: Callable[[bytes], Picture]


_KINDS = (
    _Kind("png", (".png",), png.SIGNATURE, png.check_png),
    _Kind("jpeg", (".jpg", ".jpeg"), jpeg.SIGNATURE, jpeg.check_jpeg),
    _Kind("dds", (".dds",), dds.SIGNATURE, dds.check_dds),
    _Kind("ktx2", (".ktx2",), ktx2.SIGNATURE, ktx2.check_ktx2),
    _Kind("tga", (".tga",), b"", tga.check_tga),
)


@dataclass(frozen=True, slots=True)
class ImageOptions:
    """What a picture must be like."""

    max_size: int = field(default=0, metadata={"doc": "most pixels along any side; 0 is any number"})
    power_of_two: bool = field(default=False, metadata={"doc": "each side must be 1, 2, 4, 8, …"})
    square: bool = field(default=False, metadata={"doc": "width and height must be equal"})
    formats: tuple[Format, ...] = field(
        default=(), metadata={"doc": "the formats that are allowed; none is all"}
    )

    def check(self) -> str:
        """What is wrong with the values."""
        return "" if self.max_size >= 0 else f"max_size is {self.max_size}; it must be 0 or more"


def cook(sources: Sequence[Source], options: ImageOptions) -> Iterable[Product]:
    """The picture, unchanged."""
    source = only(sources)
    kind = _kind_of(source)
    if kind is not None:
        _check(source, kind, options)
    return [Product(source.data)]


def _kind_of(source: Source) -> _Kind | None:
    """The format of a picture; None, and a problem, if suffix and bytes disagree or neither says one."""
    name = source.path.lower()
    by_suffix = next((kind for kind in _KINDS if name.endswith(kind.suffixes)), None)
    by_bytes = next(
        (kind for kind in _KINDS if kind.signature and source.data.startswith(kind.signature)), None
    )
    if by_bytes is None and by_suffix is None:
        message = "the bytes are no PNG, JPEG, DDS or KTX2, and a TGA must be named .tga"
        source.problem(message, hint="if it is no picture, say `rule: raw`")
    elif by_suffix is None or by_bytes in (None, by_suffix):
        return by_suffix or by_bytes
    elif by_bytes is not None:
        hint = f"rename it to {by_bytes.suffixes[0]}, or save it as {by_suffix.format.upper()}"
        source.problem(
            f"the name says {by_suffix.format.upper()}, the bytes are {by_bytes.format.upper()}", hint=hint
        )
    return None


def _check(source: Source, kind: _Kind, options: ImageOptions) -> None:
    """Report what is wrong with a picture of a format."""
    name = kind.format.upper()
    if options.formats and kind.format not in options.formats:
        source.problem(f"{name} is not allowed here; the option `formats` says {', '.join(options.formats)}")
    if not source.data.startswith(kind.signature):
        source.problem(
            f"not a {name}: the file starts with {_start(source.data)}, not {_start(kind.signature)}"
        )
        return
    try:
        picture = kind.check(source.data)
    except ArchiveError as error:
        source.problem(f"not a usable {name}: {error}")
        return
    for note in picture.notes:
        source.problem(note, warning=True)
    for wrong in _misfits(picture, options):
        source.problem(wrong)


def _misfits(picture: Picture, options: ImageOptions) -> Iterator[str]:
    """What the options do not allow."""
    sides = "x".join(map(str, picture.sides))
    if options.max_size and max(picture.sides) > options.max_size:
        yield f"{sides} pixels; the option `max_size` allows {options.max_size} along a side"
    if options.power_of_two and any(side & (side - 1) for side in picture.sides):
        near = "x".join(str(_power_below(side)) for side in picture.sides)
        yield f"{sides} pixels; the option `power_of_two` asks for powers of two, such as {near}"
    if options.square and picture.sides[0] != picture.sides[1]:
        yield f"{sides} pixels; the option `square` asks for equal sides"


def _power_below(side: int) -> int:
    """The largest power of two that is not above a side."""
    return 1 << (side.bit_length() - 1)


def _start(data: bytes) -> str:
    """The first bytes of a file for people."""
    return f"bytes {data[:8].hex(' ')}" if data else "nothing (it is empty)"


RULE = Rule(
    kind="image",
    version=1,
    cook=cook,
    suffixes={suffix for kind in _KINDS for suffix in kind.suffixes},
    fourcc="IMAG",
    schema=1,
    options=ImageOptions,
    summary="PNG, JPEG, TGA, DDS and KTX2, headers and sizes checked",
)
