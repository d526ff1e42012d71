"""The manifest: YAML to values with places; every mistake is a problem, and all of a run are told at once.

Files are read with the function that the caller hands in; nothing here opens any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lumpyard.manifest.load import load_manifest as load_manifest
    from lumpyard.manifest.options import options_text as options_text
    from lumpyard.manifest.options import read_options as read_options
    from lumpyard.manifest.trees import ParseCache as ParseCache

_HOMES = {
    "load_manifest": "load",
    "options_text": "options",
    "read_options": "options",
    "ParseCache": "trees",
}


def __getattr__(name: str) -> object:
    """A public function, imported when it is first wanted: most importers need only `model` (8 ms less)."""
    from importlib import import_module  # noqa: PLC0415

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
