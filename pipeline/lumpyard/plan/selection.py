"""Which lumps of its sets an archive takes: `only` and `exclude`, over lump names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.globs import any_match, parse_glob
from lumpyard.manifest.closest import did_you_mean
from lumpyard.plan.clashes import known_names
from lumpyard.plan.codes import SELECTS_NOTHING
from lumpyard.plan.folders import is_literal
from lumpyard.plan.search import matching

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lumpyard.manifest.model import Pattern
    from lumpyard.plan.findings import Findings
    from lumpyard.plan.model import PlannedLump


def name_selector(only: Sequence[Pattern], exclude: Sequence[Pattern]) -> Callable[[str], bool]:
    """Whether an archive takes a lump of a name; the build asks it for names that are known after cooking."""
    wanted, unwanted = _matcher(only), _matcher(exclude)
    return lambda name: (not only or wanted(name)) and not unwanted(name)


def select(
    lumps: list[PlannedLump], only: Sequence[Pattern], exclude: Sequence[Pattern], findings: Findings
) -> list[PlannedLump]:
    """The lumps that an archive takes, some of them perhaps without some of their products."""
    if not (only or exclude):
        return lumps
    names = dict.fromkeys(known_names(lumps))
    if all(lump.products is not None for lump in lumps):
        _report_idle(only, names, "only", findings)
        _report_idle(exclude, names, "exclude", findings)
    takes = name_selector(only, exclude)
    taken = frozenset(filter(takes, names))
    selected = []
    for lump in lumps:
        if lump.products is None or taken.issuperset(lump.products):
            selected.append(lump)
        elif not taken.isdisjoint(lump.products):
            kept = tuple(name for name in lump.products if name in taken)
            selected.append(lump._replace(products=kept, announced=lump.products))
    return selected


def _matcher(patterns: Sequence[Pattern]) -> Callable[[str], bool]:
    """Whether the patterns of `only` or `exclude` match a name; `!` takes away, wherever it stands."""
    gives = any_match(parse_glob(pattern.text) for pattern in patterns if not pattern.takes_away)
    takes = any_match(parse_glob(pattern.text) for pattern in patterns if pattern.takes_away)
    return lambda name: gives(name) and not takes(name)


def _report_idle(patterns: Sequence[Pattern], names: dict[str, None], key: str, findings: Findings) -> None:
    for pattern in patterns:
        if not matching(pattern.text, names):
            hint = (
                did_you_mean(pattern.text, names)
                if is_literal(pattern.text)
                else "it is matched against lump names"
            )
            findings.add(
                pattern.place, SELECTS_NOTHING, f"{key}: no lump name matches '{pattern.text}'", hint
            )
