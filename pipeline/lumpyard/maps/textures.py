"""The wall textures and flats of archives, by name, and how wall textures are put together.

    TEXTURE1, TEXTURE2   i32 count, i32 offset of each texture; a texture: name 8s, i32 unused, i16 width, i16 height,
                         i32 unused, i16 patch count; a patch: i16 x, i16 y, i16 number in PNAMES, i16 and i16 unused
    PNAMES               i32 count, 8s name of each patch
    a patch              i16 width first, or a PNG

Of two textures of one name in a list the first counts; of two lists the last, where the target is not ZDoom, which
takes all. Between F_START and F_END all lumps are flats; ZDoom has textures between TX_START and TX_END, in TEXTURES,
and takes one kind for the other.

Source: the unofficial Doom specification, "TEXTURE1 and TEXTURE2", "PNAMES"; the ZDoom wiki, "Texture definitions".
"""

from __future__ import annotations

import re
import struct
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.naming import entry_paths
from lumpyard.archives.wad.namespaces import namespaces
from lumpyard.errors import ArchiveError
from lumpyard.maps.tables.games import VANILLA, ZDOOM

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lumpyard.archives.model import Archive

_TEXTURE = struct.Struct("<8s4xhh4xH")
_PATCH = struct.Struct("<hhH4x")
_LISTS = (b"TEXTURE1", b"TEXTURE2")
_DEFINITION = re.compile(
    rb'^\s*(?:(wall)?texture|flat|graphic)\s+(?:optional\s+)?"?([^\s",{]+)', re.IGNORECASE | re.MULTILINE
)
_WADS = frozenset({"IWAD", "PWAD"})
_PNG = b"\x89PNG\r\n\x1a\n"


class Texture(NamedTuple):
    """A wall texture; sizes in pixels, which are map units unless scaled."""

    width: int
    height: int  # 0 where it is not known
    overlapping: bool  # has a column that two patches share


class Textures(NamedTuple):
    """All that walls and planes may be drawn with; names in upper case."""

    walls: Mapping[bytes, Texture]
    flats: frozenset[bytes]


class _Source(NamedTuple):
    """The entries of one archive by what they are for."""

    archive: Archive
    spaces: Mapping[str, Mapping[bytes, int]]  # the last of each name

    def read(self, space: str, name: bytes) -> bytes | None:
        entry = self.spaces.get(space, {}).get(name)
        if entry is None:
            return None
        try:
            return bytes(self.archive.read(entry))
        except ArchiveError:
            return None


def read_textures(archives: Sequence[Archive], target: str = VANILLA) -> Textures:
    """The textures of archives, the base first; a lump that does not decode is as if it were not there."""
    sources = [_Source(archive, _spaces(archive)) for archive in archives]
    walls: dict[bytes, Texture] = {}
    flats = {name for source in sources for name in source.spaces.get("flats", {})}
    pairs: dict[bytes, tuple[bytes, bytes]] = {}
    for at, source in enumerate(sources):
        names = source.read("", b"PNAMES") or _last(sources, "", b"PNAMES") or b""
        for name in _LISTS:
            lump = source.read("", name)
            if lump is not None:
                pairs[name + b"%d" % at if target == ZDOOM else name] = (lump, names)
    if target != ZDOOM:
        names = _last(sources, "", b"PNAMES") or b""
        pairs = {name: (lump, names) for name, (lump, _) in pairs.items()}
    widths = _Widths(sources)
    for lump, names in pairs.values():
        for name, texture in parse_list(lump, patch_names(names), widths):
            walls.setdefault(name, texture)
    if target == ZDOOM:
        _add_zdoom(sources, walls, flats)
    return Textures(walls, frozenset(flats))


def _add_zdoom(sources: Sequence[_Source], walls: dict[bytes, Texture], flats: set[bytes]) -> None:
    unknown = Texture(0, 0, overlapping=False)
    for source in sources:
        for name in source.spaces.get("textures", {}):
            walls.setdefault(name, unknown)
        text = source.read("", b"TEXTURES") or b""
        for found in _DEFINITION.finditer(text):
            walls.setdefault(found[2].upper(), unknown)
    patches = {name for source in sources for name in source.spaces.get("patches", {})}
    flats |= walls.keys() | patches
    for name in flats:
        walls.setdefault(name, unknown)


class _Widths:
    """Widths of patches in pixels, each looked up once."""

    def __init__(self, sources: Sequence[_Source]) -> None:
        self._sources = sources
        self._known: dict[bytes, int] = {}

    def of(self, name: bytes) -> int:
        """0 where there is no such patch."""
        if name not in self._known:
            data = _last(self._sources, "patches", name) or _last(self._sources, "", name) or b""
            self._known[name] = patch_width(data)
        return self._known[name]


def patch_width(data: bytes) -> int:
    """The width of a picture; 0 of what is none."""
    if data.startswith(_PNG):
        return int.from_bytes(data[16:20], "big") if len(data) >= 24 else 0
    return int.from_bytes(data[:2], "little") if len(data) >= 8 else 0


def patch_names(lump: bytes) -> list[bytes]:
    """The names of PNAMES in upper case, as many as there are."""
    many = int.from_bytes(lump[:4], "little")
    end = 4 + 8 * min(many, max(len(lump) - 4, 0) // 8)
    return [_name(lump[at : at + 8]) for at in range(4, end, 8)]


def parse_list(lump: bytes, patches: Sequence[bytes], widths: _Widths) -> Iterator[tuple[bytes, Texture]]:
    """Name and texture of each row of a TEXTURE1 that is inside the lump."""
    many = min(int.from_bytes(lump[:4], "little"), max(len(lump) - 4, 0) // 4)
    left = len(lump)  # patches to be looked at: more than a list without tricks has
    for (offset,) in struct.iter_unpack("<I", lump[4 : 4 + 4 * many]):
        if offset + _TEXTURE.size > len(lump):
            continue
        raw_name, width, height, count = _TEXTURE.unpack_from(lump, offset)
        start = offset + _TEXTURE.size
        count = min(count, (len(lump) - start) // _PATCH.size, left)
        left -= count
        spans = []
        for x, _, number in _PATCH.iter_unpack(lump[start : start + count * _PATCH.size]):
            if number < len(patches):
                first, last = max(x, 0), min(x + widths.of(patches[number]), width)
                if first < last:
                    spans.append((first, last))
        yield _name(raw_name), Texture(width, height, _overlap(spans))


def _overlap(spans: list[tuple[int, int]]) -> bool:
    spans.sort()
    return any(after < end for (_, end), (after, _) in pairwise(spans))


def _last(sources: Sequence[_Source], space: str, name: bytes) -> bytes | None:
    """The lump of the last archive that has it."""
    return next((data for source in reversed(sources) if (data := source.read(space, name))), None)


def _spaces(archive: Archive) -> Mapping[str, Mapping[bytes, int]]:
    found: dict[str, dict[bytes, int]] = {}
    if archive.format in _WADS:
        for entry, (lump, space) in enumerate(
            zip(archive.lumps, namespaces(archive.lumps).spaces, strict=True)
        ):
            found.setdefault(space, {})[_name(lump.name or b"")] = entry
        return found
    for entry, path in enumerate(entry_paths(archive)):
        if path:
            folder, _, file = path.rpartition("/")
            name = file.partition(".")[0].encode("utf-8", "surrogateescape")
            found.setdefault(folder.partition("/")[0].lower(), {})[_name(name)] = entry
    return found


def _name(raw: bytes) -> bytes:
    return raw.partition(b"\0")[0].upper()
