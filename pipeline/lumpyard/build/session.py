"""One archive in one profile, from "is it up to date?" to the built file: what both go on is gathered here once."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, cast

from lumpyard import disk
from lumpyard.build.cooking.watching import asked, look_for
from lumpyard.build.cooking.world import BuildWorld
from lumpyard.build.earlier.keeping import KeptBytes
from lumpyard.build.earlier.record import Record, load_record
from lumpyard.build.earlier.reuse import Reuse
from lumpyard.build.lumps.codecs import encoder_of
from lumpyard.build.lumps.look import can_be_named, contents_of, inputs_digest, look_at, slots_of
from lumpyard.build.lumps.making import Maker
from lumpyard.build.project import PROFILES
from lumpyard.errors import DiskError, Error
from lumpyard.plan import plan_archive
from lumpyard.store import Ask

if TYPE_CHECKING:
    from lumpyard.build.lumps.slots import Slots
    from lumpyard.build.project import Project
    from lumpyard.build.shapes import CookedLump
    from lumpyard.build.sources.tree import ScannedTree
    from lumpyard.build.tools.resolving import ResolvedTool


class Session:
    """A look at one archive: its plan over a fresh scan of the folders, and what is known of each of its lumps."""

    def __init__(
        self, project: Project, archive_id: str, profile: str, tree: ScannedTree | None = None
    ) -> None:
        self.project = project
        self.id = archive_id
        self.profile = profile
        self.tree = tree or project.tree()
        self.plan = plan_archive(project.manifest, archive_id, profile, project.rules(), self.tree)
        self.tools = self._resolve_tools()
        self._settled_folders: frozenset[str] | None = (
            None  # scanned before the first cook; None: nothing was cooked
        )
        try:
            self.stamp = disk.file_clock(project.own(""))  # before the first read
        except DiskError:  # who can only look may; nothing is taken as unchanged then, nor kept
            self.stamp = 0
        with project.guard:
            known = project.fingerprints.known(self.tree)
        self.world = BuildWorld(
            project.root or ".", project.manifest, self.tree, known, self.tools, project.fingerprints.known_in
        )
        self.record: Record | None = None
        self._stack = ExitStack()
        self.maker = self._maker()
        self._cooked: list[CookedLump | None] | None = None
        self._slots: Slots | None = None
        self._inputs: bytes | None = None
        self._kept = (0, 0, 0)  # how much was known when fingerprints were kept last

    @property
    def path(self) -> str:
        """Where the archive goes, from the project folder."""
        return self.project.output(self.id, self.profile)

    def output_paths(self) -> list[str]:
        """All that the task writes for this archive alone, from the project folder."""
        return [self.path, self.project.symbols(self.id)] if self.profile == "ship" else [self.path]

    def close(self) -> None:
        """Close the archives of earlier builds, and those of sources."""
        self._stack.close()
        self.tree.close()

    def forget_archives(self) -> None:
        """Make everything anew: what earlier archives hold is not to be trusted."""
        encoder = encoder_of(self.plan.format)
        self.maker = Maker(self.world, Reuse([], encoder), KeptBytes([], []), self.project.store, encoder)
        self.go_on_from(look_at(self.plan, self.maker, read=False))

    def look(self, *, read: bool) -> list[CookedLump | None]:
        """What each planned lump cooks to, as far as it is known; `read` reads what is new or changed for it.

        Of lumps whose rule hands the source on only the source's digest is found out, for `world.known`.
        """
        if self._cooked is None or read:
            self.go_on_from(look_at(self.plan, self.maker, read=read))
        assert self._cooked is not None  # set just above
        return self._cooked

    def go_on_from(self, cooked: list[CookedLump | None]) -> None:
        """Take this as what is known; what was made of an earlier look is forgotten."""
        if cooked is not self._cooked:
            self._cooked = cooked
            self._slots = self._inputs = None

    def slots(self) -> Slots:
        """The lumps of the archive in the plan's order; all that must be cooked to know them is."""
        cooked = self.look(read=False)
        if self._slots is None:
            self._slots = slots_of(self.plan, cooked)
        return self._slots

    def inputs(self) -> bytes | None:
        """Digest of all that decides the archive's bytes; None when something must be read or cooked to know it."""
        if self._inputs is None:
            self._inputs = self._find_inputs()
        return self._inputs

    def _find_inputs(self) -> bytes | None:
        if not self.plan.holds_files and not all(map(can_be_named, self.plan.lumps, self.look(read=False))):
            return None
        contents = contents_of(self.slots(), self.world.known)
        if None in contents:
            return None
        known = cast("list[bytes]", contents)
        return inputs_digest(self.plan, encoder_of(self.plan.format), self.slots(), known)

    def look_for_answers(self, record: Record) -> dict[str, str]:
        """See to it that the next no-op looks at all that rules' answers hang on; the variables that they asked for.

        Cooks may have run in other processes, whose trees this one never saw.
        """
        asks = {Ask._make(ask) for lump in record.rows.column("asks") for ask in lump}
        look_for(asks, self.world)
        for tool_id in asked(asks, "tool"):
            with suppress(KeyError, Error):
                self.tools[tool_id] = self.world.tool(tool_id)
        return asked(asks, "env")

    def keep_fingerprints(self) -> None:
        """Keep the digests of what was read for later builds."""
        world = self.world
        kept = (len(world.known), len(world.restless), len(self.tree.scans))
        if kept == self._kept:  # what is known of a file that holds still does not change
            return
        self._kept = kept
        with self.project.guard:
            self.project.fingerprints.save(self.tree, self.stamp, world.known, world.restless)

    def snapshot(self) -> dict[str, bytes]:
        """A digest for each folder that matters; those that were scanned after the first cook count as racy."""
        late = () if self._settled_folders is None else set(self.tree.scans) - self._settled_folders
        return self.tree.snapshot(self.stamp, late)

    def about_to_cook(self) -> None:
        """From here on, folders may be scanned later than their files are read."""
        self._settled_folders = frozenset(self.tree.scans)

    def _maker(self) -> Maker:
        project, profile = self.project, self.profile
        records: list[tuple[str, Record]] = []
        for kind in (profile, *(other for other in PROFILES if other != profile)):
            record = load_record(project.record_path(self.id, kind))
            if record is not None:
                records.append((project.real(record.path), record))
            if kind == profile:
                self.record = record
        kept = KeptBytes([path for path, _ in records], [record for _, record in records])
        self._stack.callback(kept.close)
        numbered = enumerate(record for _, record in records)
        whole_first = sorted(
            numbered, key=lambda item: not kept.is_whole(item[0])
        )  # after `doit clean ship`, say
        encoder = encoder_of(self.plan.format)
        return Maker(self.world, Reuse(whole_first, encoder), kept, project.store, encoder)

    def _resolve_tools(self) -> dict[str, ResolvedTool]:
        """The tools that the plan's recipes name, found and of the expected version before anything is cooked."""
        wanted = {getattr(recipe.options, "tool", None) for recipe in self.plan.recipes}
        tools = [tool for tool_id, tool in self.project.manifest.tools.items() if tool_id in wanted]
        if not tools:
            return {}
        from lumpyard.build.tools.resolving import resolve_tool  # noqa: PLC0415 - most projects have no tools

        return {tool.id: resolve_tool(tool, self.project.root or ".") for tool in tools}
