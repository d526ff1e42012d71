"""What all files of a manifest say, taken file by file, then checked against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.errors import Place, Problem
from lumpyard.globs import GlobError, parse_glob
from lumpyard.manifest import keys
from lumpyard.manifest.archives import iter_archive_problems, iter_output_problems, read_archive
from lumpyard.manifest.codes import BAD_GLOB, FORMAT_HOLDS, SAID_TWICE, UNUSED_SET
from lumpyard.manifest.compress import read_ship_compression
from lumpyard.manifest.formats import FORMATS
from lumpyard.manifest.model import DEFAULT_IGNORE, Manifest
from lumpyard.manifest.outside import read_mounts, read_rules, read_tool
from lumpyard.manifest.sets import merge_sets, read_set

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lumpyard.manifest.archives import RawArchive
    from lumpyard.manifest.model import Budget, Compression, Mount, Named, Node, Pattern, Tool
    from lumpyard.manifest.reader import Entry, Reader
    from lumpyard.manifest.sets import RawSet, Said

MOST_SEED = (1 << 64) - 1


class Gathered:
    """What the files read so far say."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        self.places: dict[tuple[str, str], Place] = {}  # ("set", id) or ("seed", "") -> place of its key
        self.sets: dict[str, RawSet] = {}
        self.archives: dict[str, RawArchive] = {}
        self.tools: dict[str, Tool] = {}
        self.claim: tuple[Pattern, ...] = ()
        self.rules: tuple[Named, ...] = ()
        self.mounts: tuple[Mount, ...] = ()
        self.seed = 0
        self.ignore: tuple[str, ...] = DEFAULT_IGNORE
        self.ship_compress: Compression | None = None
        self.budgets: tuple[Budget, ...] = ()

    def take(self, reader: Reader, entries: Mapping[str, Entry], defaults: Said) -> None:
        """Take what one file says; `defaults` are those for its sets."""
        value = {name: entry.value for name, entry in entries.items()}
        if "seed" in value and self.is_first(reader, "seed", entries["seed"]):
            self.seed = reader.integer(value["seed"], 0, MOST_SEED) or 0
        if "ignore" in value and self.is_first(reader, "ignore", entries["ignore"]):
            self.ignore = _ignore(reader, value["ignore"])
        if "ship" in value and self.is_first(reader, "ship", entries["ship"]):
            self.ship_compress = _ship(reader, entries["ship"])
        if "claim" in value:
            self.claim += reader.patterns(value["claim"], below=reader.below, takes_away=True)
        if "budgets" in value:
            from lumpyard.manifest.budgets import read_budgets  # noqa: PLC0415 - few manifests have any

            self.budgets += read_budgets(reader, value["budgets"])
        if "rules" in value:
            self.rules += read_rules(reader, value["rules"])
        if "mounts" in value:
            self.mounts += read_mounts(reader, value["mounts"])
        for tool_id, entry in self.iter_new(reader, value.get("tools"), "tool"):
            tool = read_tool(reader, tool_id, entry)
            if tool is not None:
                self.tools[tool_id] = tool
        for set_id, entry in self.iter_new(reader, value.get("sets"), "set"):
            self.sets[set_id] = read_set(reader, set_id, entry, defaults)
        for archive_id, entry in self.iter_new(reader, value.get("archives"), "archive"):
            self.archives[archive_id] = read_archive(reader, archive_id, entry)

    def iter_new(self, reader: Reader, node: Node | None, what: str) -> Iterator[tuple[str, Entry]]:
        """The sets, archives or tools of one file, but for those that another file has too."""
        if node is not None:
            for name, entry in reader.ids(node, what).items():
                if self.is_first(reader, what, entry, name):
                    yield name, entry

    def is_first(self, reader: Reader, what: str, entry: Entry, name: str = "") -> bool:
        """Whether no other file says this."""
        place = reader.place(entry.key)
        other = self.places.setdefault((what, name), place)
        if other is place:
            return True
        thing = f"{what} '{name}'" if name else f"`{what}`"
        reader.report(SAID_TWICE, place, f"{thing} stands in two manifests", f"the other is at {other}")
        return False

    def manifest(self, path: str, files: tuple[str, ...], digest: str) -> Manifest:
        """All as one value; what is wrong between its parts is added to the problems."""
        sets = merge_sets(self.sets, self.problems)
        specs = {name: raw.spec for name, raw in self.archives.items()}
        for raw in self.archives.values():
            self.problems += iter_archive_problems(raw, sets)
        self.problems += iter_output_problems(specs.values())
        self.problems += self.iter_seed_problems()
        idle: list[Problem] = []
        if self.budgets:
            from lumpyard.manifest.budgets import iter_budget_problems  # noqa: PLC0415 - as above

            found = list(iter_budget_problems(self.budgets, specs, sets))
            self.problems += [problem for problem in found if problem.is_error]
            idle = [problem for problem in found if not problem.is_error]
        return Manifest(
            path=path,
            files=files,
            digest=digest,
            sets=sets,
            archives=specs,
            seed=self.seed,
            ignore=self.ignore,
            claim=self.claim,
            rules=self.rules,
            mounts=self.mounts,
            tools=self.tools,
            ship_compress=self.ship_compress,
            budgets=self.budgets,
            warnings=tuple(sorted([*self.iter_unused(), *idle])),
        )

    def iter_seed_problems(self) -> Iterator[Problem]:
        """A seed that no archive could have."""
        formats = {raw.spec.format for raw in self.archives.values()}
        if self.seed and formats and not any(FORMATS[name].holds_all for name in formats):
            message = f"no archive can hold this `seed`: {', '.join(sorted(formats))} has none"
            yield Problem(self.places["seed", ""], FORMAT_HOLDS, message, "EWAD can hold it")

    def iter_unused(self) -> Iterator[Problem]:
        """A warning for each set that nothing comes of."""
        used = {named.text for raw in self.archives.values() for named in raw.spec.sets}
        used |= {raw.extends.text for raw in self.sets.values() if raw.extends is not None}
        for raw in self.sets.values():
            if raw.id not in used:
                yield Problem(
                    raw.place,
                    UNUSED_SET,
                    f"set '{raw.id}' is in no archive",
                    "list it under an archive's `sets`",
                )


def _ignore(reader: Reader, node: Node) -> tuple[str, ...]:
    if node.kind == "list" and not node.value:
        return ()
    found: list[str] = []
    for name in reader.named(node, "a pattern"):
        try:
            glob = parse_glob(name.text)
            if glob.max_depth != 1:
                raise GlobError(name.text, "it has a `/` or is `**`", "these patterns are for file names")  # noqa: TRY301
        except GlobError as error:
            reader.report(BAD_GLOB, name.place, f"pattern '{name.text}': {error.rule}", error.hint)
        else:
            found.append(name.text)
    return tuple(found)


def _ship(reader: Reader, entry: Entry) -> Compression | None:
    entries = reader.entries(entry.value, keys.SHIP, "ship", reader.place(entry.key)) or {}
    if "compress" not in entries:
        return None
    compress = entries["compress"]
    return read_ship_compression(reader, compress.value, reader.place(compress.key))
