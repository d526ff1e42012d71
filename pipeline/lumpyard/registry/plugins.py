"""Rules of installed packages: entry points `kind = "package.module:RULE"` of the group `lumpyard.rules`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.errors import RuleError
from lumpyard.registry.digest import rule_digest
from lumpyard.registry.options import options_of
from lumpyard.registry.table import Registered
from lumpyard.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterable
    from importlib.metadata import EntryPoint

GROUP = "lumpyard.rules"


def load_plugins() -> dict[str, Registered]:
    """The rules of all installed packages by kind; RuleError names a bad one's package and entry point."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - 40 ms, unless doit has imported it

    found: dict[str, Registered] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, _origin(point))):
        if point.name in found:
            raise RuleError(
                f"rule {point.name!r} is in two distributions, {found[point.name].origin} and "
                f"{_origin(point)}; uninstall one of them"
            )
        found[point.name] = _registered(point, _load(point))
    return found


def installed_plugins() -> str:
    """The entry points of installed rules, as one text; none of them is loaded (about 5 ms)."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - as in load_plugins

    return " ".join(sorted({f"{point.name}={point.value}" for point in entry_points(group=GROUP)}))


def environment_versions(distributions: Iterable[str]) -> dict[str, str]:
    """The installed version of each distribution, "" for one that is not installed; none of them is imported.

    About 0.2 ms each once importlib.metadata is imported, which doit does anyway.
    """
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - as in load_plugins

    versions = {}
    for name in distributions:
        try:
            versions[name] = version(name)
        except (PackageNotFoundError, ValueError):
            versions[name] = ""
    return versions


def check_rule(rule: Rule) -> dict[str, str]:
    """Versions of a rule's libraries; TypeError says what makes the rule unusable."""
    options_of(rule)
    versions = environment_versions(rule.libraries)
    absent = [name for name, version in versions.items() if not version]
    if absent:
        raise TypeError(f"rule {rule.kind!r} needs {', '.join(absent)}, not installed here")
    return versions


def _load(point: EntryPoint) -> Rule:
    """The rule that an entry point names."""
    try:
        rule = point.load()
    except (Exception, SystemExit) as error:
        raise _error(point, f"does not load: {type(error).__name__}: {error}") from error
    if not isinstance(rule, Rule):
        raise _error(point, f"is of type {type(rule).__name__}, not a lumpyard.rule.Rule")
    if rule.kind != point.name:
        raise _error(
            point, f"is named {point.name!r}, but its rule has kind {rule.kind!r}; both must be the same"
        )
    return rule


def _registered(point: EntryPoint, rule: Rule) -> Registered:
    """A plugin's rule, checked, with its origin."""
    try:
        versions = check_rule(rule)
    except TypeError as error:
        raise _error(point, f"is not usable: {error}") from error
    return Registered(
        rule, _origin(point), rule_digest(rule, versions, {}), point.dist.name if point.dist else ""
    )


def _origin(point: EntryPoint) -> str:
    """Name and version of the distribution that an entry point is from."""
    return f"{point.dist.name} {point.dist.version}" if point.dist else "an unknown distribution"


def _error(point: EntryPoint, what: str) -> RuleError:
    """An error about one entry point, on one line."""
    text = f"entry point {point.name!r} ({point.value}) of {_origin(point)} {what}"
    return RuleError(" ".join(text.split()))
