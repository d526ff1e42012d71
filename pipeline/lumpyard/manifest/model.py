"""What a manifest says, typed and with places (design.md, section 5).

Values that only a later step can check (a rule's name, its options, a pattern that may match nothing) keep
the place where they stand. Paths are seen from the project folder, with forward slashes, whichever manifest
they came from. All are NamedTuples: a frozen slotted dataclass takes 0.6 ms of every start to define.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lumpyard.errors import Place, Problem


class Node(NamedTuple):
    """A piece of YAML as it was written; the tree of them is what the parse cache keeps."""

    kind: str  # "scalar", "list", "map", or "bad": what YAML allows and a manifest does not; reported already
    value: str | tuple[Node, ...] | tuple[tuple[Node, Node], ...]
    line: int  # from 1
    column: int  # from 1, in characters
    quoted: bool = False  # a scalar in quotes or a block scalar
    path: str = ""  # of its file, where that is not plain from what holds it: in options, which layers mix


class Pattern(NamedTuple):
    """A glob from the manifest, seen from `root` of its set (source patterns) or over lump names."""

    text: str  # without the "!"
    place: Place
    takes_away: bool = False


class Named(NamedTuple):
    """A name of something else in the manifest, and where it is used."""

    text: str
    place: Place


class Compression(NamedTuple):
    """How lumps are compressed; `auto` is where ship builds may put `ship.compress`."""

    codec: str  # "none", "lz4" or "lz4hc"
    level: int = 0  # 3 to 12 for lz4hc, else 0
    min_saving: int = 0  # percent, 0 to 99
    limit: int = 0  # raw bytes above which a lump is stored raw; 0 is the codec's own limit
    auto: bool = False


AUTO = Compression("lz4", 0, 5, 64 << 20, auto=True)
DEFAULT_IGNORE = (".*", "Thumbs.db", "*~")


class Settings(NamedTuple):
    """What a set, an override or `defaults` says of a lump; None is silence."""

    rule: str | None = None
    fourcc: str | None = None  # four characters, or "" for `type: 0`
    schema: int | None = None
    compress: Compression | None = None
    alignment: int | None = None
    name: str | None = None  # template
    options: Node | None = None
    kind: int | None = None  # lump type byte of WAD2 and WAD3
    # Manifest key ("type", "root" ...) -> place of its value; of "options" that of the key, where what is
    # missing in it is reported.
    places: dict[str, Place] = {}  # noqa: RUF012 - nobody changes values


class Override(NamedTuple):
    """Settings for the files of a set that a pattern matches; later ones win, key by key."""

    match: Pattern
    settings: Settings


class LumpSet(NamedTuple):
    """A lump set, with `extends` and `defaults` already merged in."""

    id: str
    place: Place  # of its key
    files: tuple[Pattern, ...]
    settings: Settings
    root: str = ""  # "" is the project folder; where mounted folders are seen, their `at`
    overrides: tuple[Override, ...] = ()
    optional: bool = False
    gather: bool = False
    after: tuple[Named, ...] = ()  # doit tasks


class ArchiveSpec(NamedTuple):
    """An archive that the manifest asks for."""

    id: str
    place: Place
    sets: tuple[Named, ...]
    path: str  # below build/ and dist/
    path_place: Place
    only: tuple[Pattern, ...] = ()
    exclude: tuple[Pattern, ...] = ()
    alignment: int = 16
    dedupe: bool = False
    format: str = "EWAD"
    strip: bool = True


class Mount(NamedTuple):
    """A source beside the project folder: an archive or a loose folder, at a prefix ("" is the top)."""

    path: str
    at: str
    place: Place
    format: str = "auto"  # of an archive
    lenient: bool = False  # whether an archive may have what real ones get wrong


class Growth(NamedTuple):
    """How much may be added: bytes, or a share of what there was."""

    size: int = 0
    share: int | None = None  # in hundredths of a percent; None: `size` counts


class Budget(NamedTuple):
    """What some bytes of an archive may come to; nothing named is the whole file."""

    place: Place
    archives: tuple[Named, ...] = ()  # none: all; each by itself
    sets: tuple[Named, ...] = ()
    types: tuple[str, ...] = ()  # four characters, or "" for lumps without one
    lumps: tuple[Pattern, ...] = ()
    size: int | None = None  # bytes
    size_place: Place | None = None
    growth: Growth | None = None  # since archives.lock
    growth_place: Place | None = None
    is_error: bool = True


class Tool(NamedTuple):
    """An outside program that `command` rules run."""

    id: str
    place: Place
    program: str  # a name to look for along PATH, or a path, which has a slash: from the project folder, or absolute
    version: tuple[str, ...] = ()  # arguments that make it print its version
    identity: str = "program"  # "program" (digest of its file), "version" (what it prints) or "files"
    files: tuple[Pattern, ...] = ()  # for identity "files"
    expect: str = ""  # must be in what the version command prints


class Manifest(NamedTuple):
    """A whole manifest with its includes."""

    path: str
    files: tuple[str, ...]  # every manifest that was read, the root first
    digest: str  # BLAKE3 of the parsed trees: comments, blank lines and quoting style do not change it
    sets: dict[str, LumpSet]
    archives: dict[str, ArchiveSpec]
    seed: int = 0
    ignore: tuple[str, ...] = DEFAULT_IGNORE  # patterns of file names, without folders
    claim: tuple[Pattern, ...] = ()
    rules: tuple[Named, ...] = ()
    mounts: tuple[Mount, ...] = ()
    tools: dict[str, Tool] = {}  # noqa: RUF012 - nobody changes values
    ship_compress: Compression | None = None
    budgets: tuple[Budget, ...] = ()
    warnings: tuple[Problem, ...] = ()  # lints that stop nothing
