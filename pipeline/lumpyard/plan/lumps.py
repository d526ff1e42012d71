"""Batches of files as planned lumps: named, announced by their rules, gathered where the set says so."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat
from typing import TYPE_CHECKING

from lumpyard.plan.codes import BAD_PRODUCTS, LONE_FILE_RULE, MIXED_GATHER, ONE_TYPE
from lumpyard.plan.findings import one_line
from lumpyard.plan.model import PlannedLump
from lumpyard.plan.names import expand, iter_faults, own_part, shown, sorted_by_bytes
from lumpyard.rule import own_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lumpyard.manifest.model import LumpSet
    from lumpyard.plan.findings import Findings
    from lumpyard.plan.recipes import Batch

    NameOf = Callable[[str], str]

_new = tuple.__new__  # with map and zip a quarter of the cost of PlannedLump(...), which is a Python function


def make_lumps(
    lump_set: LumpSet,
    batches: Sequence[Batch],
    findings: Findings,
    lump_of: NameOf = own_part,
    *,
    law: bool = True,
) -> list[PlannedLump]:
    """The lumps of one set, in no particular order.

    `lump_of` says what `{lump}` is for a source. Without `law` names may be anything: those of some formats are
    no paths.
    """
    if lump_set.gather:
        return _gather(lump_set, batches, findings, lump_of, law=law)
    lumps: list[PlannedLump] = []
    for batch in batches:
        names, sources = _named(lump_set.root, batch, findings, lump_of, law=law)
        lumps += _plan(batch, names, list(zip(sources)), findings)
    return lumps


def _gather(
    lump_set: LumpSet, batches: Sequence[Batch], findings: Findings, lump_of: NameOf, *, law: bool
) -> list[PlannedLump]:
    """The lumps of a set that makes one lump of all files whose names expand alike."""
    owners: dict[str, Batch] = {}
    gathered: dict[str, list[str]] = {}
    for batch in batches:
        for name, source in zip(*_named(lump_set.root, batch, findings, lump_of, law=law), strict=True):
            owner = owners.setdefault(name, batch)
            together = gathered.setdefault(name, [])
            if owner.recipe != batch.recipe:
                _report_mixed(owner, batch, f"'{name}' is gathered from {together[0]} and {source}", findings)
            together.append(source)
    lumps: list[PlannedLump] = []
    for batch in batches:
        names = [name for name, owner in owners.items() if owner is batch]
        if batch.recipe.rule.verbatim:
            _report_lone(batch, [(name, gathered[name]) for name in names], findings)
        lumps += _plan(batch, names, [tuple(sorted_by_bytes(gathered[name])) for name in names], findings)
    return lumps


def _report_mixed(owner: Batch, batch: Batch, start: str, findings: Findings) -> None:
    message = f"{start}, which have different settings"
    hint = "gathered files need one rule, type, compression and so on"
    if owner.recipe.rule is not batch.recipe.rule:
        message = f"{message}: rule '{owner.recipe.rule.kind}' and rule '{batch.recipe.rule.kind}'"
        hint = "name one `rule` for the set"
    findings.add(owner.recipe.place, MIXED_GATHER, message, hint)


def _report_lone(batch: Batch, lumps: Sequence[tuple[str, list[str]]], findings: Findings) -> None:
    place = batch.settings.places.get("rule", batch.recipe.place)
    for name, sources in lumps:
        if len(sources) > 1:
            kind = f"rule '{batch.recipe.rule.kind}' takes one file as it is"
            message = f"{kind}, but '{name}' is gathered from {len(sources)}: {sources[0]}, {sources[1]} …"
            findings.add(place, LONE_FILE_RULE, message, "name a `rule` that makes one lump of several files")


def _named(
    root: str, batch: Batch, findings: Findings, lump_of: NameOf, *, law: bool
) -> tuple[Sequence[str], Sequence[str]]:
    """The lump names of a batch that keep the law, and the path of the source of each."""
    sources = batch.sources or ([f"{root}/{path}" for path in batch.paths] if root else batch.paths)
    lumps = list(map(lump_of, sources)) if batch.template.has_lump else ()
    names = expand(batch.template, batch.paths, lumps)
    bad = {fault.name: fault for fault in iter_faults(names)} if law else {}
    if not bad:
        return names, sources
    place = batch.settings.places.get("name", batch.recipe.place)
    hint = "" if "name" in batch.settings.places else "`name` can give the set's lumps other names"
    for name, source in zip(names, sources, strict=True):
        if name in bad:
            message = f"lump name {shown(name)} of {source} {bad[name].message}"
            findings.add(place, bad[name].code, message, hint)
    good = [(name, source) for name, source in zip(names, sources, strict=True) if name not in bad]
    return [name for name, _ in good], [source for _, source in good]


def _plan(
    batch: Batch, names: Sequence[str], sources: Sequence[tuple[str, ...]], findings: Findings
) -> list[PlannedLump]:
    """One planned lump a name; rules that make one lump under its own name need not be asked."""
    recipe = batch.recipe
    if recipe.rule.products is own_name:
        fields = zip(names, sources, repeat(recipe), zip(names), repeat(None), repeat(0))
        return list(map(_new, repeat(PlannedLump), fields))
    lumps = []
    for name, paths in zip(names, sources, strict=True):
        lump = _announce(batch, name, paths, findings)
        if lump is not None:
            lumps.append(lump)
    several = next((lump for lump in lumps if lump.products is not None and len(lump.products) > 1), None)
    if several is not None:
        _report_types(batch, several, findings)
    return lumps


def _announce(batch: Batch, name: str, sources: tuple[str, ...], findings: Findings) -> PlannedLump | None:
    """A planned lump with what its rule announces; None where that is no list of good names."""
    recipe = batch.recipe
    place = batch.settings.places.get("rule", recipe.place)
    start = f"rule '{recipe.rule.kind}', asked which lumps it makes of {sources[0]},"
    try:
        answer: object = recipe.rule.products(name, recipe.options)
        names = tuple(answer) if isinstance(answer, Iterable) and not isinstance(answer, str) else None
    except Exception as error:  # noqa: BLE001 - a rule is somebody's code; whatever it raises is its problem
        findings.add(place, BAD_PRODUCTS, f"{start} failed: {one_line(error)}")
        return None
    if names is None and answer is not None:
        findings.add(place, BAD_PRODUCTS, f"{start} answered {answer!r}, not a list of names")
        return None
    fault = _products_fault(names or ())
    if fault:
        findings.add(place, BAD_PRODUCTS, f"{start} {fault}")
        return None
    return PlannedLump(name, sources, recipe, names)


def _products_fault(names: tuple[object, ...]) -> str:
    """What is wrong with announced names, as the rest of a sentence."""
    texts = [name for name in names if isinstance(name, str)]
    if len(texts) < len(names):
        other = next(name for name in names if not isinstance(name, str))
        return f"answered {other!r} among the names; names are text"
    fault = next(iter_faults(texts), None)
    if fault is not None:
        return f"answered {shown(fault.name)}, which {fault.message}"
    twice = next((name for at, name in enumerate(texts) if name in texts[:at]), None)
    return "" if twice is None else f"answered {shown(twice)} twice"


def _report_types(batch: Batch, lump: PlannedLump, findings: Findings) -> None:
    """Note `type` and `schema` where they would be those of several lumps."""
    recipe = batch.recipe
    made = f"rule '{recipe.rule.kind}' makes {len(lump.products or ())} of {lump.sources[0]}"
    for key, value in (("type", recipe.fourcc), ("schema", recipe.schema)):
        if value is not None:
            place = batch.settings.places.get(key, recipe.place)
            hint = "leave it to the rule, which gives each lump its own"
            findings.add(place, ONE_TYPE, f"`{key}` is for one lump, but {made}", hint)
