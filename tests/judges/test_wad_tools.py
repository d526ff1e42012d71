"""Tools that take WADs apart and build nodes accept what we write, and find in it what was in the originals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.builders import judges, plain, wad
from tests.builders.rewriting import rewritten_file

if TYPE_CHECKING:
    from pathlib import Path

GAMES = sorted(judges.WADS)


@pytest.mark.parametrize("game", GAMES)
def test_deutex_makes_the_same_files_of_a_rewritten_game(game: str, tmp_path: Path) -> None:
    """Every lump that it knows as one, by its name, and the list of all in their order."""
    ours = tmp_path / "ours.wad"
    ours.write_bytes(rewritten_file(judges.game(game)))
    before = judges.dissected(judges.WADS[game][0], tmp_path / "before")
    after = judges.dissected(ours, tmp_path / "after")
    assert len(before) > 2500
    assert sorted(after) == sorted(before)
    assert [path for path in before if after[path] != before[path]] == []
    lumps = dict(wad.lumps(judges.game(game)))
    raw = {
        path[6:-4]: data
        for path, data in after.items()
        if path.startswith("lumps/") and path.endswith(".lmp")
    }
    assert len(raw) > 5
    for name, data in raw.items():  # what it writes as it is
        assert data == lumps[name.upper().encode()], name


def test_deutex_shows_one_changed_byte(tmp_path: Path) -> None:
    """So that the tests above would fail if one were wrong."""
    lumps = [(b"GENMIDI", bytes(4000)), (b"DEHACKED", b"Patch File for DeHackEd v3.0\n")]
    one, other = tmp_path / "one.wad", tmp_path / "other.wad"
    one.write_bytes(rewritten_file(plain.wad(lumps)))
    other.write_bytes(rewritten_file(plain.wad([(b"GENMIDI", bytes(3999) + b"\1"), lumps[1]])))
    before, after = judges.dissected(one, tmp_path / "before"), judges.dissected(other, tmp_path / "after")
    assert before.keys() == after.keys()
    assert [path for path in before if before[path] != after[path]] == ["lumps/genmidi.lmp"]


def test_deutex_and_zdbsp_refuse_what_is_broken(tmp_path: Path) -> None:
    """An archive whose count of entries is too big: both judges can say no."""
    sound = plain.wad([(b"MAP01", b""), (b"THINGS", bytes(10))])
    broken = tmp_path / "broken.wad"
    broken.write_bytes(sound[:4] + (1002).to_bytes(4, "little") + sound[8:])
    assert judges.dissected(broken, tmp_path / "deutex") == {}
    assert judges.rebuilt(broken, tmp_path)[0] != 0


@pytest.mark.parametrize("name", [b"MAP01", b"MAP15", b"MAP32"])
def test_zdbsp_builds_the_same_from_a_map_in_a_pwad_of_ours(name: bytes, tmp_path: Path) -> None:
    lumps = wad.lumps(judges.game("freedoom2"))
    at = [name for name, _ in lumps].index(name)
    theirs, ours = tmp_path / "theirs.wad", tmp_path / "ours.wad"
    theirs.write_bytes(plain.wad(lumps[at : at + 11]))
    ours.write_bytes(rewritten_file(theirs.read_bytes()))

    (tmp_path / "before").mkdir()
    (tmp_path / "after").mkdir()
    status, before = judges.rebuilt(theirs, tmp_path / "before")
    assert status == 0
    assert wad.lumps(before)
    assert judges.rebuilt(ours, tmp_path / "after") == (0, before)
    assert rewritten_file(before)  # and what zdbsp writes, we read
