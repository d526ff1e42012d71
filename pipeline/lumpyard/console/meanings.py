"""What the codes of problems and the ids of findings mean, gathered from where they are given.

docs/manifest.md has the codes in the same words, docs/maps.md the ids.
"""

from __future__ import annotations

from typing import NamedTuple

_STOPS, _WARNS = "It stops the build.", "It is a warning: the build goes on."


class Meaning(NamedTuple):
    """What a code, or the id of a map's check, stands for."""

    short: str  # one sentence
    help: str  # the same, with what else there is to say


def code_meanings() -> dict[str, str]:
    """One line for each code of a problem of manifests, plans, rules and builds."""
    from lumpyard.build import codes as build_codes  # noqa: PLC0415 - much is loaded for it; one format needs it
    from lumpyard.lock.text import CODES as LOCK_CODES  # noqa: PLC0415
    from lumpyard.manifest import codes as manifest_codes  # noqa: PLC0415
    from lumpyard.plan import codes as plan_codes  # noqa: PLC0415
    from lumpyard.registry import CODES as RULE_CODES  # noqa: PLC0415

    every = {
        **manifest_codes.MEANINGS,
        **plan_codes.MEANINGS,
        **RULE_CODES,
        **LOCK_CODES,
        **build_codes.CODES,
    }
    return dict(sorted(every.items()))


def meanings() -> dict[str, Meaning]:
    """Every code and every id with its meaning."""
    from lumpyard.maps.checks.catalogue import CHECKS  # noqa: PLC0415 - see above

    found = {
        code: _meaning(text, _STOPS if code.startswith("E") else _WARNS, "manifest")
        for code, text in code_meanings().items()
    }
    for check in CHECKS:
        found[check.id] = _meaning(check.what, f"It matters for {_listed(check.targets)}.", "maps")
    return found


def _meaning(text: str, more: str, page: str) -> Meaning:
    plain = text.removesuffix(" (alone)").rstrip(".").replace("`", "'")
    short = f"{plain[:1].upper()}{plain[1:]}."
    return Meaning(short, f"{short} {more} See docs/{page}.md of Lumpyard.")


def _listed(words: tuple[str, ...]) -> str:
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last
