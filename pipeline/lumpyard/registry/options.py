"""The options of a rule: name, type, default and one line on each, read from its options dataclass.

An option's type is bool, int, float, str, a Literal of texts, a tuple of any number of one of these
(`tuple[str, ...]`) or of a frozen dataclass of them, or one of all these `| None`. Its line for people is the field's
metadata: `field(default=..., metadata={"doc": "..."})`.
"""

from __future__ import annotations

from dataclasses import MISSING, Field, fields, is_dataclass
from math import isfinite
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from lumpyard.rule import Rule

_SCALARS = (bool, int, float, str)


class Option(NamedTuple):
    """One key that a manifest may set under `options`."""

    name: str
    hint: Any  # the type as Python has it, names resolved
    type: str  # the type for people: "int", "lf|crlf|keep", "list[str]", "int|null"
    required: bool
    default: object  # None where it is required
    doc: str


def options_of(rule: Rule) -> tuple[Option, ...]:
    """The options of a rule in their order; TypeError names a field that no manifest could set."""
    try:
        hints = get_type_hints(rule.options)
    except Exception as error:
        raise TypeError(
            f"rule {rule.kind!r}: types of {rule.options.__name__} do not resolve: {error}"
        ) from error
    return tuple(_option(rule, item, hints[item.name]) for item in fields(rule.options) if item.init)


def _option(rule: Rule, item: Field[Any], hint: Any) -> Option:
    """A field as an option."""
    text = _type_text(hint)
    if not text:
        raise TypeError(
            f"rule {rule.kind!r}: option {item.name} has type {hint!r}; an option is a bool, int, float, "
            "str, Literal of texts, tuple[T, ...] of one of these or of a frozen dataclass of them, or T | None"
        )
    default = _default(rule, item)
    required = default is MISSING
    if not required and not _fits(hint, default):
        raise TypeError(
            f"rule {rule.kind!r}: option {item.name} is of type {text}, its default is {default!r}"
        )
    return Option(
        item.name, hint, text, required, None if required else default, str(item.metadata.get("doc", ""))
    )


def _default(rule: Rule, item: Field[Any]) -> Any:
    """The default of a field, MISSING where it has none."""
    if item.default_factory is MISSING:
        return item.default
    try:
        return item.default_factory()
    except Exception as error:
        raise TypeError(f"rule {rule.kind!r}: the default of option {item.name} fails: {error}") from error


def _fits(hint: Any, value: object) -> bool:
    """Whether a default is what a manifest could say, too: the rule takes it for that, and so do digests."""
    if get_origin(hint) in (Union, UnionType):
        return any(_fits(arm, value) for arm in get_args(hint))
    if get_origin(hint) is tuple:
        return isinstance(value, tuple) and all(_fits(get_args(hint)[0], item) for item in value)
    if get_origin(hint) is Literal:
        return value in get_args(hint)
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, hint)


def _type_text(hint: Any) -> str:
    """A type for people, or "" for one that options cannot have."""
    if get_origin(hint) in (Union, UnionType):
        inner = [arm for arm in get_args(hint) if arm is not NoneType]
        text = _type_text(inner[0]) if len(inner) == 1 else ""
        return f"{text}|null" if text else ""
    if get_origin(hint) is tuple:
        args = get_args(hint)
        many = len(args) == 2 and args[1] is Ellipsis
        text = (_scalar_text(args[0]) or _entry_text(args[0])) if many else ""
        return f"list[{text}]" if text else ""
    return _scalar_text(hint)


def _entry_text(hint: Any) -> str:
    """A frozen dataclass of scalars for people, "{id, why, x?}" with those that may be left out marked; or ""."""
    if not is_dataclass(hint) or not getattr(hint, "__dataclass_params__").frozen:  # noqa: B009 - not in its type
        return ""
    hints = get_type_hints(hint)
    names = []
    for item in fields(hint):
        if not _type_text(hints[item.name]) or get_origin(hints[item.name]) is tuple:
            return ""
        required = item.default is MISSING and item.default_factory is MISSING
        names.append(item.name if required else f"{item.name}?")
    return "{" + ", ".join(names) + "}"


def _scalar_text(hint: Any) -> str:
    """A scalar type for people, or ""."""
    if get_origin(hint) is Literal:
        return "|".join(get_args(hint)) if all(isinstance(arm, str) for arm in get_args(hint)) else ""
    return str(hint.__name__) if hint in _SCALARS else ""
