"""The options of a rule as a set gives them, and whether the manifest has the tools that the rule runs with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.errors import Place, ProblemsError
from lumpyard.manifest.closest import did_you_mean
from lumpyard.plan.codes import BAD_CHECK, UNKNOWN_TOOL
from lumpyard.plan.findings import one_line

if TYPE_CHECKING:
    from collections.abc import Collection

    from lumpyard.manifest.model import LumpSet, Node, Settings
    from lumpyard.plan.findings import Findings
    from lumpyard.rule import Rule


def find_options(
    settings: Settings, rule: Rule, lump_set: LumpSet, tools: Collection[str], findings: Findings
) -> object:
    """The rule's options, or None where they have problems, or a tool is missing."""
    from lumpyard.manifest.options import read_options  # noqa: PLC0415 - 5 ms, not before there is a plan to make

    place, kind = settings.places.get("options", lump_set.place), rule.kind
    try:
        options = read_options(settings.options, rule.options, place.path, place)
        runs = tuple(rule.tools(options))
    except ProblemsError as error:
        findings.extend([item._replace(message=f"{item.message} (rule '{kind}')") for item in error.problems])
        return None
    except Exception as error:  # noqa: BLE001 - a rule checks its options with code of its own
        findings.add(place, BAD_CHECK, f"rule '{kind}' failed to check its options: {one_line(error)}")
        return None
    missing = [tool for tool in runs if tool not in tools]
    for tool in missing:
        hint = did_you_mean(tool, tools) or "add it to `tools` in the manifest"
        message = f"rule '{kind}' runs '{tool}', which is not among the tools"
        findings.add(_place_of(tool, settings.options, place), UNKNOWN_TOOL, message, hint)
    return None if missing else options


def _place_of(text: str, node: Node | None, place: Place) -> Place:
    """Where a text stands among the options; the place of all of them, where it is none that was written."""
    from lumpyard.manifest.nodes import pairs  # noqa: PLC0415 - after a slip

    for _, value in pairs(node) if node is not None and node.kind == "map" else ():
        if value.kind == "scalar" and value.value == text:
            return Place(value.path or place.path, value.line, value.column)
    return place
