"""Budgets: a release that is over one is not made, nothing of the last one is replaced, and the causes are named."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.builders.projects import Game

from lumpyard.errors import BudgetError

if TYPE_CHECKING:
    from pathlib import Path

SETS = {
    "pictures": {"files": "pictures/**", "type": "PICT", "compress": "none"},
    "texts": {"files": "texts/**", "rule": "raw", "compress": "none"},
}
FILES = {"pictures/a.bin": bytes(1000), "pictures/ui/b.bin": bytes(500), "texts/c.txt": b"c" * 300}


def game(folder: Path, *budgets: dict[str, Any], **archive: Any) -> Game:
    return Game(folder, manifest(*budgets, **archive), **FILES)


def manifest(*budgets: dict[str, Any], **archive: Any) -> dict[str, Any]:
    return {
        "sets": SETS,
        "archives": {"base": {"sets": ["pictures", "texts"], **archive}},
        "budgets": list(budgets),
    }


def refused(made: Game, **environ: str) -> list[str]:
    """The messages of a ship that is over budget."""
    with pytest.raises(BudgetError) as caught:
        made.ship(**environ)
    assert caught.value.exit_status == 1
    return [problem.message for problem in caught.value.problems]


def test_what_keeps_to_its_budgets_ships(tmp_path: Path) -> None:
    made = game(
        tmp_path, {"size": "3 kB"}, {"set": "pictures", "size": 1500}, {"type": 0, "size": 300}, {"growth": 0}
    )
    assert made.ship().warnings == ()


@pytest.mark.parametrize(
    ("budget", "message"),
    [
        ({"set": "pictures", "size": 1499}, "set pictures in archive base has 1,500 bytes, 1 over the budget of 1,499"),
        ({"type": "PICT", "size": "1 KiB"}, "type PICT in archive base has 1,500 bytes, 476 over the budget of 1,024"),
        ({"lumps": "**/*.bin", "size": "1.2 kB"},
         "**/*.bin in archive base has 1,500 bytes, 300 over the budget of 1,200"),
        ({"lumps": "pictures/ui/*", "set": "pictures", "size": 0},
         "set pictures, pictures/ui/* in archive base has 500 bytes, 500 over the budget of 0"),
        ({"type": 0, "size": 299}, "type 0 in archive base has 300 bytes, 1 over the budget of 299"),
    ],
)  # fmt: skip
def test_a_budget_counts_the_bytes_of_what_it_names(
    tmp_path: Path, budget: dict[str, Any], message: str
) -> None:
    assert [text.partition("\n")[0] for text in refused(game(tmp_path, budget))] == [message]


def test_the_whole_file_counts_with_all_that_is_no_lump(tmp_path: Path) -> None:
    size = len(_shipped(tmp_path))
    made = game(tmp_path, {"size": size - 1})
    assert refused(made)[0].splitlines() == [
        f"archive base has {size:,} bytes, 1 over the budget of {size - 1:,}",
        "largest: pictures/a.bin (1,000), pictures/ui/b.bin (500), texts/c.txt (300)",
    ]


def _shipped(folder: Path) -> bytes:
    made = game(folder)
    made.ship()
    return made.read("dist/base.ewad")


def test_lumps_that_share_a_place_count_once(tmp_path: Path) -> None:
    made = game(tmp_path, {"set": "pictures", "size": 1000}, dedupe=True)
    made.write({"pictures/ui/b.bin": bytes(1000)})
    made.ship()


def test_a_release_over_budget_leaves_the_last_one_as_it_was(tmp_path: Path) -> None:
    """Nothing below dist/ or symbols/ is replaced, nor the lock; build/ship.json says why."""
    made = game(tmp_path, {"set": "pictures", "size": 1600})
    made.ship()
    before = made.outputs()
    made.write({"pictures/new.bin": bytes(200)})
    assert refused(made)[0].splitlines()[1] == (
        "largest: pictures/a.bin (1,000), pictures/ui/b.bin (500), pictures/new.bin (200)"
    )
    assert made.outputs() == before
    told = json.loads(made.read("build/ship.json"))
    assert (told["result"], told["exit_status"], told["problems"][0]["code"]) == ("failed", 1, "E0801")
    made.pack()  # development builds may be large


def test_other_archives_of_the_same_ship_are_made(tmp_path: Path) -> None:
    told = manifest({"archive": "base", "size": "1.9 kB"})
    told["archives"] = {"base": {"sets": ["pictures"]}, "more": {"sets": ["texts"]}}
    made = Game(tmp_path, told, **FILES)
    made.run("ship:base", "ship:more")
    before = made.outputs()
    made.write({"pictures/new.bin": bytes(2000), "texts/c.txt": b"d" * 400})
    refused(made)
    made.ship("more")
    after = made.outputs()
    changed = {path for path in {*before, *after} if before.get(path) != after.get(path)}
    assert changed == {"dist/more.ewad", "symbols/more.ewsym", "archives.lock"}
    old, new = (json.loads(found["archives.lock"])["archives"] for found in (before, after))
    assert old["base"] == new["base"]
    assert old["more"] != new["more"]


def test_growth_is_held_against_the_lock_and_what_grew_is_named(tmp_path: Path) -> None:
    made = game(
        tmp_path,
        {"set": "pictures", "growth": "+10%"},
        {"growth": "+10 kB"},
        {"set": "texts", "growth": "+0"},
    )
    made.ship()
    made.write({"pictures/ui/b.bin": bytes(600), "pictures/ui/n.bin": bytes(90)})
    (message,) = refused(made)
    assert message.splitlines() == [
        "set pictures in archive base grew by 190 bytes to 1,690; the budget is 150 more than 1,500",
        "grew most: pictures/ui/b.bin (+100), pictures/ui/n.bin (+90, new)",
    ]
    made.write({"pictures/ui/b.bin": bytes(550)})
    made.ship()
    made.write({"pictures/ui/b.bin": bytes(700)})  # from 1,640 on, 164 are free
    made.ship()


def test_the_growth_of_the_file_needs_no_ledger(tmp_path: Path) -> None:
    made = game(tmp_path, {"growth": "+1%"})
    made.ship()
    (tmp_path / "symbols/base.ewsym").unlink()
    made.write({"pictures/a.bin": bytes(1200)})
    assert refused(made)[0].splitlines()[1].startswith("largest: pictures/a.bin (1,200)")


def test_growth_that_cannot_be_known_is_told(tmp_path: Path) -> None:
    made = game(tmp_path, {"set": "pictures", "growth": "+0"})
    made.ship()
    (tmp_path / "symbols/base.ewsym").write_bytes(b"EWSYM 1\n")
    made.write({"pictures/a.bin": bytes(1200)})
    assert "W0803" in made.ship().warnings[0]


def test_a_budget_that_only_warns_ships_all_the_same(tmp_path: Path) -> None:
    made = game(tmp_path, {"size": 5, "level": "warning"})
    warnings = made.ship().warnings
    assert len(warnings) == 1
    assert "warning[W0801]: archive base has" in warnings[0]


def test_a_budget_is_for_the_archives_that_it_names(tmp_path: Path) -> None:
    both = manifest({"archive": "other", "size": 5})
    both["archives"]["other"] = {"sets": "texts"}
    made = Game(tmp_path, both, **FILES)
    made.ship("base")
    with pytest.raises(BudgetError, match="archive other has"):
        made.ship("other")


def test_a_tighter_budget_is_seen_though_nothing_else_changed(tmp_path: Path) -> None:
    made = game(tmp_path, {"size": 5000})
    made.ship()
    made.set_manifest(manifest({"size": 500}))
    before = made.outputs()
    refused(made)
    refused(made)
    assert made.outputs() == before
    made.set_manifest(manifest({"size": 5000}))
    assert not made.ship().changed
    assert made.outputs() == before


def test_budgets_of_other_formats_count_their_bytes(tmp_path: Path) -> None:
    asked = manifest({"size": 100}, {"set": "texts", "size": 299}, format="PAK")
    asked["sets"] = {set_id: {"files": lump_set["files"]} for set_id, lump_set in SETS.items()}
    made = Game(tmp_path, asked, **FILES)
    size = 12 + 1800 + 3 * 64
    assert [text.partition("\n")[0] for text in refused(made)] == [
        f"archive base has {size:,} bytes, {size - 100:,} over the budget of 100",
        "set texts in archive base has 300 bytes, 1 over the budget of 299",
    ]


IDLE = [
    ({"lumps": "nothing/**", "size": 1}, "nothing/**"),
    ({"type": "MUSC", "growth": "+5%"}, "type MUSC"),
    ({"set": "pictures", "lumps": "texts/*", "size": 1}, "set pictures, texts/*"),
    (
        {"archive": "base", "type": [0, "MUSC"], "lumps": "pictures/**", "size": 1},
        "type 0 and MUSC, pictures/**",
    ),
]


@pytest.mark.parametrize(("budget", "counted"), IDLE)
def test_a_budget_that_counts_nothing_is_a_warning_at_its_place(
    tmp_path: Path, budget: dict[str, Any], counted: str
) -> None:
    made = game(tmp_path, {"size": "3 kB"}, budget)
    (warning,) = made.ship().warnings
    assert f"warning[W0804]: no lump of archive base counts for this budget ({counted})" in warning
    place, _, _ = warning.partition(": ")
    line = int(place.split(":")[1])
    assert set(budget).intersection(made.read("assets.yaml").decode().splitlines()[line].split('"'))


def test_a_budget_that_counts_something_in_one_archive_is_none(tmp_path: Path) -> None:
    """And where an archive was never shipped nobody knows yet."""
    told = manifest({"set": "texts", "lumps": "texts/*", "size": "9 kB"}, {"lumps": "nothing", "size": 1})
    told["archives"] = {"base": {"sets": ["pictures"]}, "more": {"sets": ["texts"]}}
    made = Game(tmp_path, told, **FILES)
    assert made.ship("base").warnings == ()
    (warning,) = made.ship("more").warnings
    assert "no lump of archives base, more counts for this budget (nothing)" in warning
    made.write({"pictures/a.bin": b"a", "texts/c.txt": b"c"})
    ran = made.run("ship:base", "ship:more")
    assert [len(ran[task].warnings) for task in ran] == [1, 0]
