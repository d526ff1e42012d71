"""The JSON Schema (draft 7 and later) of a manifest, for editors; `lumpyard schema` prints it.

It knows the keys, their types and their words. What needs more than that (globs that mean something, sets
that exist) the parser alone finds. `version` is required by it in no file, since included ones may leave it out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lumpyard.manifest import budgets, compress, formats, keys, outside, settings
from lumpyard.manifest.gather import MOST_SEED
from lumpyard.manifest.model import DEFAULT_IGNORE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lumpyard.manifest.keys import Key

_ID = "^[A-Za-z0-9_][A-Za-z0-9_.-]*$"
_FLAG = {"type": "boolean"}
_TEXT = {"type": "string", "minLength": 1}
# Editors type scalars by YAML's rules before they ask the schema, so 1e3 or 12 is a number to them.
_SCALAR = {"anyOf": [_TEXT, {"type": ["number", "boolean"]}]}
_TEXTS = {"anyOf": [_SCALAR, {"type": "array", "items": _SCALAR}]}
_PATTERN = {"type": "string", "minLength": 1}
_PATTERNS = {"anyOf": [_PATTERN, {"type": "array", "items": _PATTERN}]}
_TAKING = {"anyOf": [_PATTERN, {"type": "array", "items": _PATTERN, "minItems": 1}]}
_ALIGNMENT = {"enum": [1 << power for power in range(settings.MOST_ALIGNMENT.bit_length())]}
_LEVEL = {"type": "integer", "minimum": compress.LEVELS[0], "maximum": compress.LEVELS[1]}
_CODEC = {"enum": list(compress.CODECS)}
_COMPRESS = {
    "codec": _CODEC,
    "level": _LEVEL,
    "min_saving": {"type": "string", "pattern": "^[0-9]{1,2}%$"},
}
_TYPE = {"anyOf": [{"type": "string", "pattern": "^[ -~]{4}$"}, {"type": ["number", "boolean"]}]}


def json_schema() -> dict[str, Any]:
    """The schema as a value."""
    return {
        "title": "Lumpyard manifest",
        **_object(
            keys.MANIFEST | {"version": keys.MANIFEST["version"]._replace(required=False)}, _manifest()
        ),
    }


def _manifest() -> dict[str, Any]:
    setting = _settings()
    shared = {"root": _SCALAR, "optional": _FLAG, "after": _TEXTS}
    override = _object(keys.OVERRIDE, {"match": _PATTERN, **setting})
    a_set = {
        "files": _TAKING,
        "extends": _SCALAR,
        "gather": _FLAG,
        "overrides": {"type": "array", "items": override},
        **setting,
        **shared,
    }
    words = list(compress.WORDS)
    return {
        "budgets": {"type": "array", "items": _object(keys.BUDGET, _budget())},
        "version": {"const": 1},
        "include": _TEXTS,
        "seed": {"type": "integer", "minimum": 0, "maximum": MOST_SEED, "default": 0},
        "ignore": {**_PATTERNS, "default": list(DEFAULT_IGNORE)},
        "claim": _PATTERNS,
        "rules": _TEXTS,
        "mounts": _mounts(),
        "tools": _by_name(_object(keys.TOOL, _tool())),
        "defaults": _object(keys.DEFAULTS, {**setting, **shared}),
        "sets": _by_name(_object(keys.SET, a_set)),
        "archives": _by_name(_object(keys.ARCHIVE, _archive())),
        "ship": _object(
            keys.SHIP,
            {"compress": {"anyOf": [{"enum": words}, _object(keys.SHIP_COMPRESS, _COMPRESS)]}},
        ),
    }


def _settings() -> dict[str, Any]:
    return {
        "type": _TYPE,
        "schema": {"type": "integer", "minimum": 0, "maximum": settings.MOST_SCHEMA},
        "kind": {"type": "integer", "minimum": 0, "maximum": settings.MOST_KIND},
        "rule": _SCALAR,
        "compress": {"anyOf": [{"enum": list(compress.WORDS)}, _object(keys.COMPRESS, _COMPRESS)]},
        "alignment": _ALIGNMENT,
        "name": {**_SCALAR, "default": "{path}"},
        "options": {"type": "object"},
    }


def _archive() -> dict[str, Any]:
    return {
        "sets": _TEXTS,
        "only": _PATTERNS,
        "exclude": _PATTERNS,
        "path": _SCALAR,
        "alignment": {**_ALIGNMENT, "default": 16},
        "dedupe": {**_FLAG, "default": False},
        "format": {"enum": list(formats.FORMATS), "default": "EWAD"},
        "strip": _FLAG,
    }


def _budget() -> dict[str, Any]:
    types = {"anyOf": [_TYPE, {"type": "array", "items": _TYPE}]}
    return {
        "archive": _TEXTS,
        "set": _TEXTS,
        "type": types,
        "lumps": _PATTERNS,
        "size": {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": budgets.SIZE}]},
        "growth": {
            "anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": budgets.GROWTH}]
        },
        "level": {"enum": list(budgets.LEVELS), "default": "error"},
    }


def _tool() -> dict[str, Any]:
    files = _object(keys.IDENTITY, {"files": _PATTERNS})
    return {
        "program": _SCALAR,
        "version": _TEXTS,
        "identity": {"anyOf": [{"enum": list(outside.IDENTITIES)}, files], "default": "program"},
        "expect": _SCALAR,
    }


def _mounts() -> dict[str, Any]:
    values = {
        "path": _SCALAR,
        "at": _SCALAR,
        "format": {"enum": list(outside.MOUNT_FORMATS), "default": "auto"},
        "lenient": {**_FLAG, "default": False},
    }
    mount = {"anyOf": [_SCALAR, _object(keys.MOUNT, values)]}
    return {"anyOf": [_SCALAR, {"type": "array", "items": mount}]}


def _object(known: Mapping[str, Key], values: Mapping[str, Any]) -> dict[str, Any]:
    """A map with exactly the keys that the parser knows; a KeyError where the two have come apart."""
    properties = {name: {"description": key.doc, **values[name]} for name, key in known.items()}
    required = [name for name, key in known.items() if key.required]
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**schema, "required": required} if required else schema


def _by_name(values: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "propertyNames": {"pattern": _ID}, "additionalProperties": values}
