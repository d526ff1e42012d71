"""Broken archives and ledgers, names that mean something elsewhere: a documented error, or a diff that adds up."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

from tests.builders import ewad
from tests.builders.small_archives import small_archives
from tests.report.archives import inventory, written
from tests.report.test_diff_laws import check_sums

from lumpyard.archives.opening import open_archive
from lumpyard.console.diff_markdown import diff_markdown
from lumpyard.console.diff_page import diff_page
from lumpyard.console.diff_text import diff_text
from lumpyard.console.terminal import Terminal
from lumpyard.errors import ArchiveError
from lumpyard.ledger import parse_ledger, render_ledger
from lumpyard.ledger.columns import LedgerLump
from lumpyard.report.diff import compare_archives
from lumpyard.report.diff_data import diff_data
from lumpyard.report.duplicates import Duplicate
from lumpyard.report.inventory import Inventory, of_archive, of_ledger
from lumpyard.report.map_changes import find_map_changes
from lumpyard.report.measure import SizeReport
from lumpyard.report.size_data import size_data
from lumpyard.report.sizes import measure_inventory

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("\x1b[31m", "a\nb", "\u202ex", "|`<b>&", "\udcff", "x" * 250, "~1", "..", "0" * 16, "C:/x", " ")


def broken(data: bytes, dice: random.Random) -> bytes:
    """Some bytes changed, more of them in front where headers are."""
    found = bytearray(data)
    for _ in range(dice.randint(1, 3)):
        at = dice.randrange(min(len(found), dice.choice([64, 256, 1 << 20])))
        found[at] = dice.choice([0, 1, 0x7F, 0xFF, found[at] ^ 1, dice.randrange(256)])
    return bytes(found[: dice.choice([len(found), dice.randrange(len(found)) + 1])])


def tell(old: Inventory, new: Inventory) -> None:
    """All that a diff can be told as; every line is one line, and safe."""
    diff = compare_archives(old, new)
    check_sums(diff)
    maps = find_map_changes(diff)
    terminal = Terminal(width=80)
    for line in [*diff_text(diff, maps, terminal, None), *diff_markdown(diff, maps, None)]:
        assert line.isprintable(), line
    json.dumps(diff_data(diff, maps, lambda _: {}))
    diff_page(diff, maps).encode()


def test_names_that_are_not_utf_8_are_told_as_bytes_too() -> None:
    old = inventory(ewad.build([written("caf\udce9", b"one"), written("gone", b"gone")]))
    new = inventory(ewad.build([written("caf\udce9", b"two"), written("\udcff", b"gone")]))
    renamed, changed = sorted(
        diff_data(compare_archives(old, new), [], lambda _: {})["lumps"], key=lambda lump: str(lump["name"])
    )[::-1]
    assert (changed["name"], changed["name_hex"]) == ("caf\udce9", b"caf\xe9".hex())
    assert (renamed["name"], renamed["name_hex"], renamed["old_name"]) == ("\udcff", "ff", "gone")
    assert "old_name_hex" not in renamed
    sizes = measure_inventory("a", old, largest=9, before=new)
    told = size_data(SizeReport((sizes,), (Duplicate((("a", "\udcff"), ("b", "gone")), 4, 8, 4),)))
    largest = {lump["name"]: lump.get("name_hex") for lump in told["archives"][0]["largest"]}
    assert largest == {"caf\udce9": "636166e9", "gone": None}
    grown = {lump["name"]: lump.get("name_hex") for lump in told["archives"][0]["grown"]}
    assert grown == {"\udcff": "ff", "gone": None}
    assert [lump.get("name_hex") for lump in told["duplicates"][0]["lumps"]] == ["ff", None]


def test_archives_with_broken_bytes_are_compared_or_refused(tmp_path: Path) -> None:
    dice = random.Random(5)
    for archives in small_archives(tmp_path).values():
        for data in archives:
            whole = of_archive("a", open_archive(data, lenient=True))
            for _ in range(25):
                try:
                    other = of_archive("b", open_archive(broken(data, dice), lenient=True))
                except ArchiveError:
                    continue
                tell(whole, other)
                tell(other, whole)
                measure_inventory("a", other, largest=5, before=whole)


def test_ledgers_with_broken_bytes_are_compared_or_refused() -> None:
    dice = random.Random(6)
    lumps = [
        LedgerLump(key, name, 0x41424344, 1, 0, 16 * key, key, key, key, bytes([key]) * 32, b"", "s", "x")
        for key, name in enumerate(NAMES, 1)
    ]
    header = {"archive-hash": "0" * 16, "alignment": "16", "seed": "0", "format": "EWAD"}
    data = render_ledger(header, lumps)
    whole = of_ledger("a", parse_ledger(data))
    for _ in range(200):
        try:
            other = of_ledger("b", parse_ledger(broken(data, dice)))
        except ArchiveError:
            continue
        tell(whole, other)


def test_names_of_any_bytes_are_told_safely() -> None:
    old = inventory(ewad.build([written(name, name.encode("utf-8", "surrogateescape")) for name in NAMES]))
    new = inventory(ewad.build([written(name + "!", b"x", fourcc=0x3E7C603C) for name in NAMES]))
    tell(old, new)
    tell(new, old)


def test_stand_ins_for_lost_names_are_never_taken_for_names() -> None:
    """A lump that is called like the key of another, which is stripped: two lumps, not one that was renamed."""
    stripped = inventory(ewad.build([written("secret", b"1")], named=False))
    (stand_in,) = stripped.names
    named = inventory(ewad.build([written(stand_in, b"2")]))
    diff = compare_archives(stripped, named)
    assert sorted(change.status for change in diff.changes) == ["added", "removed"]


def test_stripped_archives_of_two_seeds_are_paired_by_content() -> None:
    lumps = [written("a", b"content one"), written("b", b"content two")]
    old, new = (inventory(ewad.build(lumps, seed=seed, named=False)) for seed in (1, 2))
    diff = compare_archives(old, new)
    check_sums(diff)
    assert {change.status for change in diff.changes} == {"renamed"}


def test_names_come_from_the_side_that_has_them() -> None:
    lumps = [written("maps/one", b"1"), written("maps/two", b"2")]
    changed = [lumps[0]._replace(stored=b"!"), lumps[1]]
    diff = compare_archives(inventory(ewad.build(lumps, seed=9, named=False)), inventory(ewad.build(changed)))
    assert [(change.status, change.name) for change in diff.changes if change.status != "moved"] == [
        ("changed", "maps/one")
    ]
