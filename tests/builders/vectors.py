"""The archives in tests/vectors, and what tests/vectors/expect.json says of them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "vectors"


@cache
def expectations() -> dict[str, dict[str, Any]]:
    """What is expected of each, by name without suffix."""
    found: dict[str, dict[str, Any]] = json.loads((FOLDER / "expect.json").read_text("utf-8"))
    return found


def names(prefix: str) -> list[str]:
    """All vectors of a kind: ewad, iwad, pwad, pack, wad2, wad3."""
    return [name for name in sorted(expectations()) if name.startswith(prefix + "-")]


def read(name: str) -> bytes:
    """The bytes of one."""
    return (FOLDER / f"{name}.bin").read_bytes()


def verdicts(expected: dict[str, Any], call: str) -> set[str]:
    """The verdicts that are right for `view` or `load`; those of `load` where nothing is said of `view`."""
    verdict = expected.get(call, expected["load"])
    return {"ok", "malformed"} if verdict == "either" else {verdict}
