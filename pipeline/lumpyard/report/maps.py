"""Numbers about the maps of an archive, for a report; an archive that shows no sign of a map costs nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from lumpyard.errors import ArchiveError

if TYPE_CHECKING:
    from lumpyard.manifest.model import Manifest, Node
    from lumpyard.maps.opening import MapFile
    from lumpyard.maps.statistics import Statistics
    from lumpyard.report.inventory import Inventory

MOST_MAPS = 100  # read for one report; a map takes up to a second
_SIGNS = (
    "LINEDEFS",
    "TEXTMAP",
    ".WAD",
)  # how the name of a lump ends that every map has, or of one with maps in it
_DMAP = int.from_bytes(b"DMAP", "little")  # the type that the rule `doom-map` gives


class MapSize(NamedTuple):
    """One map."""

    path: str  # of the folder or the WAD inside of the archive; "" where the archive is a WAD
    numbers: Statistics

    @property
    def title(self) -> str:
        """What it is called beside others; bytes that are not UTF-8 are surrogate escapes."""
        name = self.numbers.name
        is_folder = self.path.rpartition("/")[2] == name
        return self.path if is_folder else f"{self.path}: {name}" if self.path else name


class ArchiveMaps(NamedTuple):
    """The maps of one archive."""

    maps: tuple[MapSize, ...] = ()  # those that were read, in the archive's order
    found: int = 0  # all
    notes: tuple[str, ...] = ()  # what could not be read


NO_MAPS = ArchiveMaps()


class Made(NamedTuple):
    """What the manifest says that maps are made for."""

    target: str = "vanilla"
    game: str | None = None  # guessed from each map, where nothing says it


def made_for(manifest: Manifest, archive_id: str) -> Made:
    """The target and game of the sets of maps in an archive: of several targets the one that knows least."""
    targets: list[str] = []
    games: set[str | None] = set()
    for named in manifest.archives[archive_id].sets:
        settings = manifest.sets[named.text].settings
        if settings.rule == "doom-map":
            said = _scalars(settings.options)
            targets.append(said.get("target", "vanilla"))
            games.add(said.get("game"))
    if not targets:
        return Made()
    from lumpyard.maps.tables.games import GAMES, TARGETS  # noqa: PLC0415 - of archives with maps only

    game = games.pop() if len(games) == 1 else None
    return Made(
        next((target for target in TARGETS if target in targets), "vanilla"), game if game in GAMES else None
    )


def _scalars(options: Node | None) -> dict[str, str]:
    """The options that are one word each, as the manifest has them; the rule has looked at them when it cooked."""
    pairs = options.value if options is not None and options.kind == "map" else ()
    found: dict[str, str] = {}
    for pair in pairs:
        key, value = cast("tuple[Node, Node]", pair)  # as everything in a map is
        if value.kind == "scalar":
            found[str(key.value)] = str(value.value)
    return found


def measure_maps(inventory: Inventory, most: int, made: Made) -> ArchiveMaps:
    """The numbers of the first `most` maps of an archive, which is read from its file; NO_MAPS where it has none.

    Nothing raises that is wrong with the archive or a map: it is a note, or numbers as far as a map can be read.
    """
    if not _may_have_maps(inventory):
        return NO_MAPS
    from lumpyard import disk  # noqa: PLC0415 - as is what follows, of archives with maps only
    from lumpyard.archives.opening import open_archive  # noqa: PLC0415
    from lumpyard.maps.opening import open_maps  # noqa: PLC0415
    from lumpyard.maps.statistics import measure  # noqa: PLC0415

    with disk.open_map(inventory.path) as mapping:
        try:
            archive = open_archive(mapping.data, inventory.format)
            paths = inventory.names if len(inventory.names) == len(archive.lumps) else None
            file: MapFile = open_maps(mapping.data, "", archive, _First(most), paths)
        except ArchiveError as error:
            return ArchiveMaps(notes=(f"its maps were not read: {error}",))
        maps = tuple(MapSize(found.path, measure(found.level, *made)) for found in file.maps)
    if not file.names:
        return NO_MAPS
    notes = [f"{damage.lump}: {damage.message}" for damage in file.damage]
    if len(file.names) > len(maps):
        notes.append(
            f"{len(file.names):,} maps, of which {len(maps):,} were read; a report reads up to {MOST_MAPS}"
        )
    return ArchiveMaps(maps, len(file.names), tuple(notes))


def _may_have_maps(inventory: Inventory) -> bool:
    """Whether a lump is named or typed like a part of a map, a map, or a WAD."""
    return any(name.upper().endswith(_SIGNS) for name in inventory.names) or any(
        lump.fourcc == _DMAP for lump in inventory.lumps
    )


class _First:
    """Says yes so many times."""

    def __init__(self, many: int) -> None:
        self._left = many

    def __call__(self, _name: str) -> bool:
        self._left -= 1
        return self._left >= 0
