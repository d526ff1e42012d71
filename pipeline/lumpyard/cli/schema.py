"""`lumpyard schema`: the JSON Schema of manifests, for editors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.manifest.schema import json_schema

if TYPE_CHECKING:
    import argparse

    from lumpyard.cli.output import Streams

EXAMPLES = """
lumpyard schema > assets.schema.json
# and as the first line of assets.yaml, for editors with the YAML language server:
#   # yaml-language-server: $schema=assets.schema.json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `schema`."""
    parser.add_argument("--json", action="store_true", help="the same: the schema is JSON")


def run(_args: argparse.Namespace, io: Streams) -> int:
    """Print the schema."""
    io.out.json(json_schema())
    return 0
