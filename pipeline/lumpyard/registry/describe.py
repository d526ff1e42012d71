"""The rules as plain data, for `lumpyard rules` and the table in docs/rules.md."""

from __future__ import annotations

from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING, Any

from lumpyard.registry.options import Option, options_of

if TYPE_CHECKING:
    from lumpyard.registry.table import Registered, RuleTable


def describe(table: RuleTable) -> list[dict[str, Any]]:
    """What people want to know of each rule, sorted by kind; plain values that JSON can hold."""
    return [_describe(entry) for _, entry in sorted(table.by_kind.items())]


def _describe(entry: Registered) -> dict[str, Any]:
    """One rule as plain data."""
    rule = entry.rule
    return {
        "kind": rule.kind,
        "version": rule.version,
        "summary": rule.summary,
        "suffixes": sorted(rule.suffixes),
        "fourcc": rule.fourcc or None,
        "schema": rule.schema,
        "costly": rule.costly,
        "verbatim": rule.verbatim,
        "libraries": list(rule.libraries),
        "origin": entry.origin,
        "options": [_describe_option(option) for option in options_of(rule)],
    }


def _describe_option(option: Option) -> dict[str, Any]:
    """One option as plain data; a tuple is a list."""
    default = list(map(_plain, option.default)) if isinstance(option.default, tuple) else option.default
    return {
        "name": option.name,
        "type": option.type,
        "required": option.required,
        "default": default,
        "doc": option.doc,
    }


def _plain(value: object) -> object:
    """An item of a list, a frozen dataclass as an object."""
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value
