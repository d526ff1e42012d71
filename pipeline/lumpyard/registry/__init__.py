"""Which rules there are: from installed packages through entry points, and from rule files of the project."""

from __future__ import annotations

from lumpyard.registry.describe import describe
from lumpyard.registry.load import CODES, load_rules
from lumpyard.registry.options import Option, options_of
from lumpyard.registry.plugins import GROUP, environment_versions, installed_plugins
from lumpyard.registry.table import Registered, RuleTable

__all__ = [
    "CODES",
    "GROUP",
    "Option",
    "Registered",
    "RuleTable",
    "describe",
    "environment_versions",
    "installed_plugins",
    "load_rules",
    "options_of",
]
