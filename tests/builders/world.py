"""A world in memory for cooks: a dict of files that logs what is asked of it, and lumps to cook in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.build.asks import ask_again
from lumpyard.build.tools.resolving import resolve_tool
from lumpyard.errors import Place
from lumpyard.globs import parse_glob
from lumpyard.hashing import digest
from lumpyard.plan.model import Encoding, PlannedLump, Recipe
from lumpyard.rule import NoOptions, Rule

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lumpyard.build.tools.resolving import ResolvedTool
    from lumpyard.manifest.model import Tool
    from lumpyard.store import Ask


class MemoryWorld:
    """The `World` of build/asks.py over a dict. `log` holds every call as (method, subject)."""

    def __init__(
        self,
        files: Mapping[str, bytes] | None = None,
        *,
        tools: Mapping[str, Tool] | None = None,
        root: str = "",
        env: Mapping[str, str] | None = None,
    ) -> None:
        self.files = dict(files or {})
        self.tools = dict(tools or {})
        self.root = root
        self.variables = dict(env or {})
        self.log: list[tuple[str, str]] = []

    def read(self, path: str) -> bytes:
        self.log.append(("read", path))
        if path not in self.files:
            raise FileNotFoundError(path)
        return self.files[path]

    def digest(self, path: str) -> str | None:
        self.log.append(("digest", path))
        return digest(self.files[path]).hex() if path in self.files else None

    def exists(self, path: str) -> bool:
        self.log.append(("exists", path))
        return path in self.files

    def glob(self, pattern: str) -> Sequence[str]:
        self.log.append(("glob", pattern))
        glob = parse_glob(pattern)
        return sorted(
            filter(glob.matches, self.files), key=lambda path: path.encode("utf-8", "surrogateescape")
        )

    def tool(self, tool_id: str) -> ResolvedTool:
        self.log.append(("tool", tool_id))
        return resolve_tool(self.tools[tool_id], self.root)

    def env(self, name: str) -> str | None:
        self.log.append(("env", name))
        return self.variables.get(name)


def still_answers(ask: Ask, world: MemoryWorld, lump: PlannedLump) -> bool:
    """Whether a question that was asked when a lump was cooked would be answered the same now."""
    return ask_again(ask.kind, ask.subject, world, lump) == ask.answer


def a_recipe(
    rule: Rule,
    options: object = None,
    *,
    fourcc: int | None = None,
    schema: int | None = None,
    text: str = "{}",
) -> Recipe:
    """A recipe for a rule, as the plan would make it."""
    return Recipe(
        set_id="things",
        place=Place("assets.yaml", 3, 3),
        rule=rule,
        rule_digest=f"{rule.kind} {rule.version}",
        options=NoOptions() if options is None else options,
        options_text=text,
        fourcc=fourcc,
        schema=schema,
        encoding=Encoding("none"),
        alignment=16,
    )


def a_lump(
    recipe: Recipe, *sources: str, name: str = "", products: tuple[str, ...] | None = ()
) -> PlannedLump:
    """A planned lump that announces its own name, or other products (None: known after cooking)."""
    sources = sources or ("art/a.txt",)
    name = name or sources[0]
    return PlannedLump(name, sources, recipe, (name,) if products == () else products)
