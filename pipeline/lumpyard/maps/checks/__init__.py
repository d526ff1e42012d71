"""Checks of a map: everything that is wrong or odd in it, as values; nothing raises on any map (docs/maps.md)."""

from __future__ import annotations

from lumpyard.maps.checks.catalogue import CHECKS, IDS, Check
from lumpyard.maps.checks.checking import all_findings, check_map, check_names
from lumpyard.maps.checks.context import CheckContext, Ignore
from lumpyard.maps.problems import MapFinding

__all__ = [
    "CHECKS",
    "IDS",
    "Check",
    "CheckContext",
    "Ignore",
    "MapFinding",
    "all_findings",
    "check_map",
    "check_names",
]
