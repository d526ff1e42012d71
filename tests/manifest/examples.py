"""The YAML examples of docs/manifest.md."""

from __future__ import annotations

import re
from pathlib import Path

INCLUDED: dict[str, str | bytes | Exception] = {
    "levels/levels.yaml": "{}",
    "sounds/sounds.yaml": "{}",
}  # what one of them includes
DOCS = Path(__file__).parents[2] / "docs/manifest.md"


def read_examples() -> list[str]:
    """Each example as a manifest: those without `version` are parts of one, under the key or keys that they show."""
    blocks = re.findall(r"```yaml\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    return [block if block.startswith("version:") else f"version: 1\n{block}" for block in blocks]
