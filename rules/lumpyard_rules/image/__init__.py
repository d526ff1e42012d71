"""Rule `image`: pictures whose headers hold, of the sizes that a game can take; the bytes stay as they are.

No pixel is decoded. What is checked is what breaks in practice: cut-off files, broken PNG chunks, a JPEG that
is named `.png`, a texture of 1000x1000 where the renderer wants powers of two.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from lumpyard.rule import Product, Rule, only
from lumpyard.rule.kinds import FileKind, find_kind, read_kind
from lumpyard_rules.image import dds, jpeg, ktx2, png, tga

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lumpyard.rule import Source
    from lumpyard_rules.image.picture import Picture

Format = Literal["png", "jpeg", "tga", "dds", "ktx2"]


_KINDS = (
    FileKind("png", (".png",), png.SIGNATURE, png.check_png),
    FileKind("jpeg", (".jpg", ".jpeg"), jpeg.SIGNATURE, jpeg.check_jpeg),
    FileKind("dds", (".dds",), dds.SIGNATURE, dds.check_dds),
    FileKind("ktx2", (".ktx2",), ktx2.SIGNATURE, ktx2.check_ktx2),
    FileKind("tga", (".tga",), b"", tga.check_tga),
)
_NOTHING = "the bytes are no PNG, JPEG, DDS or KTX2, and a TGA must be named .tga"


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
    kind = find_kind(source, _KINDS, _NOTHING, "if it is no picture, say `rule: raw`")
    picture = None if kind is None else read_kind(source, kind, options.formats)
    for wrong in () if picture is None else _misfits(picture, options):
        source.problem(wrong)
    return [Product(source.data)]


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
