"""What decides an archive beside its sources, in words that people know it by, so that a reason can name it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.hashing import digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lumpyard.build.tools.resolving import ResolvedTool
    from lumpyard.plan.model import ArchivePlan, Recipe


def settings_of(plan: ArchivePlan, tools: Mapping[str, ResolvedTool], encoder: str) -> dict[str, str]:
    """A short text for each setting, by its name: `rule text`, `options of set maps`, `alignment`."""
    recipes = plan.recipes
    found = {
        "format": plan.format,
        "alignment": str(plan.alignment),
        "dedupe": str(plan.dedupe),
        "strip": str(plan.strip),
        "seed": str(plan.seed),
        "compression library": encoder,
    }
    found |= {f"rule {recipe.rule.kind}": recipe.rule_digest for recipe in recipes}
    found |= {f"tool {tool_id}": _short(tool.identity) for tool_id, tool in tools.items()}
    by_set: dict[str, list[Recipe]] = {}
    for recipe in recipes:
        by_set.setdefault(recipe.set_id, []).append(recipe)
    for set_id, own in sorted(by_set.items()):
        found[f"options of set {set_id}"] = _all(recipe.options_text for recipe in own)
        found[f"compression of set {set_id}"] = _all(repr(recipe.encoding) for recipe in own)
        found[f"alignment of set {set_id}"] = _all(str(recipe.alignment) for recipe in own)
    return found


def changed_settings(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Names of the settings that both know, with another text."""
    return [name for name, text in now.items() if before.get(name, text) != text]


def _all(texts: Iterable[str]) -> str:
    return _short("\n".join(sorted(set(texts))))


def _short(text: str) -> str:
    return digest(text.encode("utf-8", "surrogateescape")).hex()[:16]
