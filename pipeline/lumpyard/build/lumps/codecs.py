"""The codecs of stored bytes: LZ4 in EWADs, Daikatana's own in its PAK."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard import lz4
from lumpyard.manifest.formats import FORMATS
from lumpyard.plan.model import Encoding

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from lumpyard.plan.model import PlannedLump, Recipe

DAIKATANA = "daikatana"
_RAW_RECIPES: dict[int, tuple[Recipe, Recipe]] = {}  # id of a recipe -> it and the other
COSTLY = frozenset({"lz4hc", DAIKATANA})  # what they make is kept in the store


def encoder_of(format_name: str) -> str:
    """What decides the bytes that compression makes in an archive of a format; "none" where there is none."""
    target = FORMATS[format_name]
    if target.holds_all:
        return lz4.encoder_id()
    if target.codec != DAIKATANA:
        return "none"
    from lumpyard.archives.daikatana.encoder import VERSION  # noqa: PLC0415 - few archives are of that format

    return f"{DAIKATANA} {VERSION}"


def compress(raw: Buffer, codec: str, level: int) -> bytes:
    """What a codec makes of some bytes."""
    if codec != DAIKATANA:
        return lz4.compress(raw, codec, level)
    from lumpyard.archives.daikatana.encoder import encode  # noqa: PLC0415 - as above

    return encode(raw)


def decompress(stored: Buffer, raw_size: int, label: str) -> bytes:
    """The raw bytes, exactly so many, of what the codec of a `codec_label` made; MalformedError for anything else."""
    if label.partition(" ")[0] != DAIKATANA:
        return lz4.decompress(stored, raw_size)
    from lumpyard.archives.daikatana.decoder import decode  # noqa: PLC0415 - as in compress

    return decode(stored, raw_size, lenient=False)[0]


def as_stored(lump: PlannedLump, name: str) -> PlannedLump:
    """A lump of a DAIKATANA as it is stored under a name: the game reads only some files that are compressed."""
    if lump.recipe.encoding.codec != DAIKATANA:
        return lump
    from lumpyard.archives.daikatana.writer import is_compressible  # noqa: PLC0415 - as in compress

    if is_compressible(name.encode("utf-8", "surrogateescape")):
        return lump
    return lump._replace(recipe=_raw(lump.recipe))


def _raw(recipe: Recipe) -> Recipe:
    """The same recipe without compression, one value for all lumps: they are told apart by identity."""
    found = _RAW_RECIPES.get(id(recipe))
    if found is None or found[0] is not recipe:
        found = _RAW_RECIPES[id(recipe)] = recipe, recipe._replace(encoding=Encoding("none"))
    return found[1]
