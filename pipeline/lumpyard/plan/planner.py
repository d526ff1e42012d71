"""Plans: what a manifest, the rules and the folders come to, before any data is read."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from lumpyard.errors import Problem, ProblemsError, UsageError
from lumpyard.manifest.closest import did_you_mean
from lumpyard.manifest.formats import FORMATS
from lumpyard.plan.clashes import report_clashes
from lumpyard.plan.codes import LEFT_OUT, NO_MOUNT
from lumpyard.plan.findings import Findings
from lumpyard.plan.folders import Folders
from lumpyard.plan.listing import list_files
from lumpyard.plan.lumps import make_lumps
from lumpyard.plan.model import ArchivePlan, recipes_of
from lumpyard.plan.names import name_bytes, own_part
from lumpyard.plan.recipes import Terms, make_batches
from lumpyard.plan.selection import select
from lumpyard.rule import own_name

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from lumpyard.manifest.model import ArchiveSpec, LumpSet, Manifest
    from lumpyard.plan.model import PlannedLump, Recipe
    from lumpyard.plan.tree import Tree
    from lumpyard.registry import RuleTable


def plan_archive(
    manifest: Manifest, archive_id: str, profile: str, rules: RuleTable, tree: Tree
) -> ArchivePlan:
    """The plan of one archive in a profile, "pack" or "ship"; ProblemsError with all of its problems."""
    return plan_all(manifest, profile, rules, tree, [archive_id])[0]


def plan_all(
    manifest: Manifest, profile: str, rules: RuleTable, tree: Tree, archives: Collection[str] | None = None
) -> list[ArchivePlan]:
    """The plans of some archives, in their order there, or of all in the manifest's order.

    ProblemsError with the problems of all of them. Reads no file; of a folder it asks for one listing.
    """
    planner = _Planner(manifest, profile, rules, tree)
    wanted = manifest.archives if archives is None else archives
    plans = [planner.plan(_get_spec(manifest, archive)) for archive in wanted]
    problems = {problem for _, found in plans for problem in found}
    of_mounts = tuple(_mount_problems(manifest, tree))
    problems.update(of_mounts)
    if any(problem.is_error for problem in problems):
        raise ProblemsError(problems)
    return [plan._replace(warnings=(*of_mounts, *plan.warnings)) for plan, _ in plans]


def _mount_problems(manifest: Manifest, tree: Tree) -> Iterator[Problem]:
    """The mounts of which nothing, or not all, is to be seen."""
    for number, mount in enumerate(manifest.mounts):
        fault = tree.mount_fault(number)
        if fault:
            yield Problem(mount.place, NO_MOUNT, f"'{mount.path}' can't be mounted: {fault}")
        for warning in () if fault else tree.mount_warnings(number):
            yield Problem(mount.place, LEFT_OUT, warning)


def _get_spec(manifest: Manifest, archive: str) -> ArchiveSpec:
    """An archive of the manifest; UsageError where there is none of that name."""
    spec = manifest.archives.get(archive)
    if spec is None:
        hint = did_you_mean(archive, manifest.archives) or f"it has {', '.join(manifest.archives) or 'none'}"
        raise UsageError(f"{manifest.path} has no archive '{archive}'; {hint}")
    return spec


class _Planner:
    """One look at the folders, for any number of archives."""

    def __init__(self, manifest: Manifest, profile: str, rules: RuleTable, tree: Tree) -> None:
        self._manifest = manifest
        self._profile = profile
        self._rules = rules
        self._folders = Folders(manifest, tree)
        self._files: dict[str, tuple[Sequence[str], Sequence[Problem]]] = {}

    def plan(self, spec: ArchiveSpec) -> tuple[ArchivePlan, tuple[Problem, ...]]:
        """The plan of an archive, and all that was found; with an error among it the plan is void."""
        findings = Findings()
        ship = self._profile == "ship"
        compress = self._manifest.ship_compress if ship else None
        terms = Terms(spec, self._rules, self._manifest.tools, compress, findings, self._folders)
        lumps: list[PlannedLump] = []
        for named in dict.fromkeys(named.text for named in spec.sets):
            lump_set = self._manifest.sets[named]
            files = self._list(lump_set, findings)
            batches = make_batches(lump_set, files, terms)
            law = FORMATS[spec.format].has_paths
            made = make_lumps(lump_set, batches, findings, self._lump_of, law=law)
            lumps += self._in_order(spec, lump_set, files, made)
        lumps = select(lumps, spec.only, spec.exclude, findings)
        if not FORMATS[spec.format].holds_all:
            from lumpyard.plan.formats import report_misfits, with_kinds  # noqa: PLC0415 - most are EWADs

            report_misfits(lumps, spec, self._manifest.sets, findings)
            lumps = with_kinds(lumps, self._folders) if FORMATS[spec.format].holds_kinds else lumps
        elif self._folders.has_archives:
            from lumpyard.plan.formats import with_types  # noqa: PLC0415 - as above

            lumps = with_types(lumps, self._folders)
        report_clashes(lumps, findings, spec.format)
        problems = findings.sorted()
        return self._finish(spec, lumps, problems), problems

    def _finish(
        self, spec: ArchiveSpec, lumps: list[PlannedLump], problems: Sequence[Problem]
    ) -> ArchivePlan:
        recipes = recipes_of(lumps)
        if FORMATS[spec.format].holds_all:
            _sort(lumps, recipes)
        return ArchivePlan(
            spec.id,
            self._profile,
            spec.path,
            spec.format,
            spec.alignment,
            spec.dedupe,
            spec.strip and self._profile == "ship",
            self._manifest.seed,
            tuple(lumps),
            recipes,
            tuple(problem for problem in problems if not problem.is_error),
            spec.only,
            spec.exclude,
        )

    def _in_order(
        self, spec: ArchiveSpec, lump_set: LumpSet, files: Sequence[str], lumps: list[PlannedLump]
    ) -> list[PlannedLump]:
        if FORMATS[spec.format].holds_all:
            return lumps
        from lumpyard.plan.formats import in_order  # noqa: PLC0415 - most are EWADs

        return in_order(lumps, lump_set, files, self._folders)

    def _lump_of(self, source: str) -> str:
        """The name of a lump in its archive, or of a file in its folder."""
        entry = self._folders.entry(source)
        return own_part(source) if entry is None else entry.name

    def _list(self, lump_set: LumpSet, findings: Findings) -> Sequence[str]:
        """The files of a set; archives that share it look once."""
        if lump_set.id not in self._files:
            own = Findings()
            self._files[lump_set.id] = list_files(lump_set, self._folders, own), own.sorted()
        paths, problems = self._files[lump_set.id]
        findings.extend(problems)
        return paths


def _sort(lumps: list[PlannedLump], recipes: Iterable[Recipe]) -> None:
    """Put lumps in the order of their names' bytes; one that makes several goes by the name it was given."""
    if all(recipe.rule.products is own_name for recipe in recipes):
        names = [lump.name for lump in lumps]
        lumps.sort(key=itemgetter(0) if "".join(names).isascii() else lambda lump: name_bytes(lump.name))
    else:
        lumps.sort(key=_order)


def _order(lump: PlannedLump) -> tuple[bytes, list[bytes]]:
    products = lump.products
    name = products[0] if products is not None and len(products) == 1 else lump.name
    return name_bytes(name), list(map(name_bytes, lump.sources))
