"""Budgets: what archives, sets, types and lumps may come to, in bytes of the file, and how much they may grow."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lumpyard.manifest import keys
from lumpyard.manifest.closest import did_you_mean
from lumpyard.manifest.codes import BAD_BUDGET, IDLE_BUDGET, MISSING_KEY, UNKNOWN_ARCHIVE, UNKNOWN_SET
from lumpyard.manifest.model import Budget, Growth
from lumpyard.manifest.nodes import items_of, shorten, shown, text_of
from lumpyard.manifest.settings import read_type

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from lumpyard.errors import Problem
    from lumpyard.manifest.model import ArchiveSpec, LumpSet, Node
    from lumpyard.manifest.reader import Reader

LEVELS = ("error", "warning")
UNITS = {"": 1, "B": 1}
UNITS |= {f"{unit}B": 1000**power for power, unit in enumerate("kMGT", 1)}
UNITS |= {f"{unit}iB": 1024**power for power, unit in enumerate("KMGT", 1)}
_NUMBER = r"[0-9]{1,15}(?:\.[0-9]{1,6})?"
SIZE = rf"^{_NUMBER} ?(?:B|kB|MB|GB|TB|KiB|MiB|GiB|TiB)?$"  # also for editors
GROWTH = rf"^\+?{_NUMBER} ?(?:B|kB|MB|GB|TB|KiB|MiB|GiB|TiB|%)?$"
_PARTS = re.compile(rf"\+?({_NUMBER}) ?(\S*)")
_UNITS = "kB, MB, GB and TB count by 1,000, KiB, MiB, GiB and TiB by 1,024"
_SLIP = re.compile(rf"\+?{_NUMBER} ?([kKmMgGtT])(?:i?[bB]?)")


def read_budgets(reader: Reader, node: Node) -> tuple[Budget, ...]:
    """A list of them."""
    if node.kind != "list":
        reader.wrong_type(node, "a list of budgets", "each starts with `- `" if node.kind == "map" else "")
        return ()
    found = (_budget(reader, item) for item in items_of(node))
    return tuple(budget for budget in found if budget is not None)


def _budget(reader: Reader, node: Node) -> Budget | None:
    place = reader.place(node)
    entries = reader.entries(node, keys.BUDGET, "a budget", place)
    if entries is None:
        return None
    value = {name: entry.value for name, entry in entries.items()}
    if not {"size", "growth"} & value.keys():
        reader.report(MISSING_KEY, place, "a budget needs the key 'size' or 'growth'")
    level = reader.choice(value["level"], LEVELS) if "level" in value else "error"
    size = _size(reader, value["size"]) if "size" in value else None
    growth = _growth(reader, value["growth"]) if "growth" in value else None
    return Budget(
        place,
        reader.named(value["archive"], "the name of an archive") if "archive" in value else (),
        reader.named(value["set"], "the name of a set") if "set" in value else (),
        _types(reader, value["type"]) if "type" in value else (),
        reader.patterns(value["lumps"]) if "lumps" in value else (),
        size,
        reader.place(value["size"]) if "size" in value else None,
        growth,
        reader.place(value["growth"]) if "growth" in value else None,
        level != "warning",
    )


def iter_budget_problems(
    budgets: Iterable[Budget], archives: Mapping[str, ArchiveSpec], sets: Mapping[str, LumpSet]
) -> Iterator[Problem]:
    """Archives and sets that are not there, and sets that no archive of the budget holds."""
    from lumpyard.errors import Problem  # noqa: PLC0415 - few manifests have budgets

    for budget in budgets:
        for named in budget.archives:
            if named.text not in archives:
                message = f"there is no archive '{shorten(named.text)}'"
                yield Problem(named.place, UNKNOWN_ARCHIVE, message, did_you_mean(named.text, archives))
        wanted = [named.text for named in budget.archives if named.text in archives] or list(archives)
        held = {name.text for archive in wanted for name in archives[archive].sets}
        for named in budget.sets:
            if named.text not in sets:
                hint = did_you_mean(named.text, sets)
                yield Problem(named.place, UNKNOWN_SET, f"there is no set '{shorten(named.text)}'", hint)
            elif named.text not in held:
                message = f"set '{named.text}' is in none of the budget's archives"
                yield Problem(named.place, IDLE_BUDGET, message, "the budget holds whatever happens")


def _types(reader: Reader, node: Node) -> tuple[str, ...]:
    found = (read_type(reader, item) for item in reader.items(node, "a type"))
    return tuple(fourcc for fourcc in found if fourcc is not None)


def _size(reader: Reader, node: Node) -> int | None:
    text = text_of(node) if node.kind == "scalar" else ""
    if not re.fullmatch(SIZE, text):
        _refuse(reader, node, "a size such as 12 MB, or a number of bytes")
        return None
    return _bytes(text)


def _growth(reader: Reader, node: Node) -> Growth | None:
    text = text_of(node) if node.kind == "scalar" else ""
    if not re.fullmatch(GROWTH, text):
        _refuse(reader, node, "a growth such as +5% or +2 MB")
        return None
    number, unit = _split(text)
    return Growth(share=_scaled(number, 100)) if unit == "%" else Growth(_bytes(text))


def _refuse(reader: Reader, node: Node, wanted: str) -> None:
    if node.kind == "bad":
        return
    text = text_of(node) if node.kind == "scalar" else ""
    slip = _SLIP.fullmatch(text)
    hint = _UNITS
    if slip:
        number, _ = _split(text)
        unit = slip[1].upper()
        hint = f"write {number} {unit.replace('K', 'k')}B, or {number} {unit}iB for units of 1,024"
    reader.report(BAD_BUDGET, node, f"expected {wanted}, found {shown(node)}", hint)


def _split(text: str) -> tuple[str, str]:
    parts = _PARTS.fullmatch(text)
    if parts is None:
        number = re.match(rf"\+?({_NUMBER})", text)
        return (number[1] if number else text), ""
    return parts[1], parts[2]


def _bytes(text: str) -> int:
    number, unit = _split(text)
    return _scaled(number, UNITS[unit])


def _scaled(number: str, scale: int) -> int:
    """A decimal number times a scale, rounded down."""
    whole, _, fraction = number.partition(".")
    return int(whole + fraction) * scale // int("1" + "0" * len(fraction))
