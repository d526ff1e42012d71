"""Rule `doom-map`: Doom's, Hexen's and UDMF's maps, checked, with their nodes, BLOCKMAP and REJECT kept or made.

The source is a WAD with any number of maps, or the text of one map in UDMF. Lumps of `layout: lumps` are those of the
maps, each under `FOLDER/MAP/`; of `layout: map` each is a PWAD of one map, `FOLDER/MAP`; of `layout: wad` they have the
names of a WAD, each map's behind its marker, for archives that are WADs. All have the type DMAP and as schema the map's
format: 1 Doom, 2 Hexen, 3 UDMF.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from lumpyard.rule import Product, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lumpyard.rule import Source

LONGEST_TIMEOUT = 86400.0  # seconds


@dataclass(frozen=True, slots=True)
class Ignored:
    """A finding that is known and wanted."""

    id: str  # of the check
    why: str
    x: float | None = None  # map units, of the finding; without x and y wherever it is
    y: float | None = None
    map: str = ""  # name; any, where empty


@dataclass(frozen=True, slots=True)
class MapOptions:
    """What is taken, what it is checked against, and what is made."""

    maps: tuple[str, ...] = field(default=(), metadata={"doc": "names of the maps to take; all, where empty"})
    layout: Literal["lumps", "map", "wad"] = field(
        default="lumps",
        metadata={
            "doc": "a lump for each lump of a map; one for each map, a PWAD; or marker and lumps as in a WAD"
        },
    )
    folder: str = field(default="maps", metadata={"doc": "what names of lumps start with; may be empty"})
    target: Literal["vanilla", "boom", "mbf21", "zdoom"] = field(
        default="vanilla", metadata={"doc": "the engines that the maps are for"}
    )
    game: Literal["doom", "doom2", "heretic", "hexen"] | None = field(
        default=None, metadata={"doc": "whose things and specials they are; guessed, where null"}
    )
    base: tuple[str, ...] = field(
        default=(), metadata={"doc": "archives whose textures the maps use, the game's first"}
    )
    things: tuple[int, ...] = field(
        default=(), metadata={"doc": "numbers of things that the project adds to the game's"}
    )
    fail: Literal["error", "warning", "info", "never"] = field(
        default="error", metadata={"doc": "the least of the findings' levels that fails the build"}
    )
    ignore: tuple[Ignored, ...] = field(
        default=(), metadata={"doc": "findings that are known and wanted, each with a reason"}
    )
    nodes: Literal["keep", "build", "zdbsp", "none"] = field(
        default="keep", metadata={"doc": "keep: built where there are none or the map was changed"}
    )
    extended: Literal["never", "auto", "always"] = field(
        default="never", metadata={"doc": "XNOD nodes: auto where the first engines' numbers do not suffice"}
    )
    blockmap: Literal["keep", "build", "none"] = field(
        default="keep", metadata={"doc": "keep: built where there is none or it is wrong"}
    )
    reject: Literal["keep", "islands", "sight", "none"] = field(
        default="keep", metadata={"doc": "keep: islands where there is none or the map was changed"}
    )
    tool: str = field(default="zdbsp", metadata={"doc": "the manifest's tool that `nodes: zdbsp` runs"})
    args: tuple[str, ...] = field(default=(), metadata={"doc": "more arguments for it"})
    timeout: float = field(default=120.0, metadata={"doc": "seconds after which it is ended"})

    def check(self) -> str:
        """What is wrong with the options, or ""."""
        from lumpyard.maps.checks.catalogue import IDS  # noqa: PLC0415 - a no-op need not load it

        if self.folder and {"", ".", ".."} & {*self.folder.split("/")}:
            return f"`folder` {self.folder!r} is no plain relative path"
        if not 0 < self.timeout <= LONGEST_TIMEOUT:
            return f"`timeout` is more than 0 and at most {LONGEST_TIMEOUT:.0f} seconds"
        if self.args and self.nodes != "zdbsp":
            return "`args` are for `nodes: zdbsp`"
        for ignored in self.ignore:
            if ignored.id not in IDS:
                return f"`ignore` names {ignored.id!r}, which is no check's id; docs/maps.md lists them"
            if (ignored.x is None) != (ignored.y is None):
                return f"`ignore` of {ignored.id} needs both x and y, or neither"
            if not ignored.why.strip():
                return f"`ignore` of {ignored.id} says no reason in `why`"
        return ""


def cook(sources: Sequence[Source], options: MapOptions) -> Iterable[Product]:
    """The lumps of the maps."""
    from lumpyard_rules.doom_map.cooking import cook_maps  # noqa: PLC0415 - a no-op need not load it

    return cook_maps(sources, options)


def announce(name: str, options: MapOptions) -> Sequence[str] | None:  # noqa: ARG001 - the signature
    """The maps by name where options say which; of lumps only the maps themselves tell."""
    if options.layout != "map" or not options.maps:
        return None
    return tuple(path_of(options, each) for each in options.maps)


def path_of(options: MapOptions, *parts: str) -> str:
    """A lump's name below the folder."""
    return "/".join(filter(None, (options.folder, *parts)))


RULE = Rule(
    kind="doom-map",
    version=6,
    cook=cook,
    fourcc="DMAP",
    options=MapOptions,
    products=announce,
    tools=lambda options: (options.tool,) if options.nodes == "zdbsp" else (),
    summary="Doom, Hexen and UDMF maps, checked; nodes, BLOCKMAP and REJECT kept or made",
)
