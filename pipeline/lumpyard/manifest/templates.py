"""What can be wrong with a `name` template, whatever the files."""

from __future__ import annotations

import re

from lumpyard.manifest.closest import did_you_mean

FIELDS = ("path", "dir", "stem", "suffix", "lump")
CAPITALS = tuple(map(str.upper, FIELDS))  # the same in capitals, as names of old formats are
_FIELD = re.compile(r"\{([^{}]*)\}")
_LONGEST_NAME = 255  # bytes of a lump name


def template_fault(text: str) -> tuple[str, str]:
    """A message and a hint, both empty where the template is good."""
    fixed = _FIELD.sub("", text)
    if "{" in fixed or "}" in fixed:
        return "a brace without its partner", "a lump name can't hold braces of its own"
    for field in _FIELD.findall(text):
        if field not in FIELDS and field not in CAPITALS:
            listed = ", ".join(f"{{{name}}}" for name in FIELDS)
            near = did_you_mean(field, FIELDS)
            hint = f"{near} fields are {listed}" if near else f"fields are {listed}"
            if not near and field.isidentifier():
                hint += "; fields of a variant's axes come with variants"
            return f"unknown field {{{field}}}", hint
    if "\\" in fixed:
        return "a backslash", "lump names are written with `/`"
    if "\0" in fixed:
        return "a NUL", "lump names can't hold one"
    if len(fixed.encode("utf-8", "surrogateescape")) > _LONGEST_NAME:
        return f"more than {_LONGEST_NAME} bytes", "no lump name can be longer"
    return "", ""
