"""Rule `doom-map` in a project: check, ship, names known after cooking, WADs from WADs, and the tool's identity."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.builders import doom_map, judges, plain, wad
from tests.builders.map_wads import BARRED, SMALL, map_wad

from lumpyard.archives.opening import open_archive
from lumpyard.maps.compare import compare
from lumpyard.maps.finding import find_maps
from lumpyard.maps.opening import open_maps
from lumpyard.maps.reading import read_map

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels/one.wad").write_bytes(map_wad(MAP01=SMALL))
    (tmp_path / "levels/two.wad").write_bytes(map_wad(MAP02=doom_map.EDITED))
    manifest(tmp_path)
    return tmp_path


def manifest(folder: Path, options: str = "{}", archive: str = "{sets: levels}", more: str = "") -> None:
    text = f'version: 1\n{more}sets:\n  levels: {{files: "levels/*", rule: doom-map, options: {options}}}\n'
    (folder / "assets.yaml").write_text(f"{text}archives:\n  base: {archive}\n")


def lumpyard(folder: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "lumpyard.cli.main", *argv]
    path = os.pathsep.join([os.environ.get("PATH", ""), judges.GAMES])
    return subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "PATH": path},
    )


def names_of(path: Path) -> list[str]:
    return [(lump.name or b"").decode() for lump in open_archive(path.read_bytes()).lumps]


def test_lumps_of_maps_are_shipped_under_their_maps(project: Path) -> None:
    manifest(project, archive="{sets: levels, strip: false}")
    ran = lumpyard(project, "ship")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    data = (project / "dist/base.ewad").read_bytes()
    found = open_maps(data, "x")
    assert [each.path for each in found.maps] == ["maps/MAP01", "maps/MAP02"]
    assert not compare(found.maps[1].level, open_maps(map_wad(MAP02=SMALL), "x").maps[0].level)
    ran = lumpyard(project, "map", "dist/base.ewad", "MAP02", "--compare", "levels/two.wad")
    assert (ran.returncode, ran.stdout) == (0, "nothing changed\n")
    archive = found.archive
    assert archive is not None
    assert {(lump.fourcc, lump.schema) for lump in archive.lumps} == {(int.from_bytes(b"DMAP", "little"), 1)}


def test_a_lump_for_each_map_is_found_again(project: Path) -> None:
    (project / "levels/one.wad").write_bytes(map_wad(MAP01=SMALL, MAP03={**SMALL, "BLOCKMAP": bytes(4000)}))
    manifest(project, "{layout: map, fail: never, blockmap: none}", "{sets: levels, strip: false}")
    ran = lumpyard(project, "ship")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert sorted(names_of(project / "dist/base.ewad")) == ["maps/MAP01", "maps/MAP02", "maps/MAP03"]
    found = open_maps((project / "dist/base.ewad").read_bytes(), "x").maps
    assert [(each.path, each.level.name) for each in found] == [
        ("maps/MAP01", "MAP01"),
        ("maps/MAP02", "MAP02"),
        ("maps/MAP03", "MAP03"),
    ]


def test_a_wad_is_built_of_wads(project: Path) -> None:
    """Lumps of different maps share their names in a WAD; each map's stand behind its marker."""
    manifest(project, "{layout: wad}", "{sets: levels, format: PWAD, path: base.wad}")
    ran = lumpyard(project, "ship")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    archive = open_archive((project / "dist/base.wad").read_bytes())
    places = find_maps(archive)
    assert [place.name for place in places] == ["MAP01", "MAP02"]
    assert [len(place.lumps) for place in places] == [10, 10]
    assert not read_map(places[1], archive.read).damage


def test_names_of_a_wad_are_too_many_for_other_archives(project: Path) -> None:
    (project / "levels/two.wad").write_bytes(map_wad(MAP02=SMALL, MAP03=SMALL))
    manifest(project, "{layout: wad}")
    ran = lumpyard(project, "ship")
    assert ran.returncode == 6
    assert "lump 'THINGS' of archive base is made from levels/one.wad and from levels/two.wad" in ran.stderr


def test_a_map_with_an_error_fails_check_and_ship_with_its_place(project: Path) -> None:
    (project / "levels/two.wad").write_bytes(map_wad(MAP02=BARRED))
    ran = lumpyard(project, "check", "--format", "github")
    assert ran.returncode == 6
    assert "::error file=levels/two.wad,title=E0601::MAP02: line 7 " in ran.stdout
    assert ", at (0, 256) [line-zero-length]" in ran.stdout
    assert lumpyard(project, "ship").returncode == 6


def test_zdbsp_runs_as_the_manifests_tool_and_check_runs_it_only_when_asked(project: Path) -> None:
    judges.program("zdbsp", "zdbsp")
    tools = 'tools:\n  zdbsp: {program: zdbsp, version: ["--version"], identity: version}\n'
    manifest(project, "{nodes: zdbsp, extended: always}", "{sets: levels}", tools)
    ran = lumpyard(project, "check")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "2 not cooked because their rules run tools" in ran.stdout
    ran = lumpyard(project, "ship")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    ran = lumpyard(project, "map", "dist/base.ewad", "--symbols", "symbols/base.ewsym", "--json")
    assert [each["nodes"] for each in json.loads(ran.stdout)] == ["xnod", "xnod"]
    manifest(project, "{nodes: zdbsp}", "{sets: levels, strip: false}")
    assert "E0218" in lumpyard(project, "ship").stderr


def test_the_base_archive_is_part_of_the_cook(project: Path) -> None:
    """Another base archive: the maps are checked anew."""
    flats = [(name, b"x") for name in (b"FLOOR4_8", b"CEIL3_5", b"NUKAGE1", b"F_SKY1")]
    textures = plain.wad(
        [
            (b"TX_START", b""),
            *((n, b"x") for n in (b"STONE2", b"BROWN1", b"STEP1", b"STEP2")),
            (b"TX_END", b""),
        ]
    )
    base = plain.wad([(b"F_START", b""), *flats, (b"F_END", b""), *wad.lumps(textures)])
    (project / "iwad").mkdir()
    (project / "iwad/base.wad").write_bytes(base)
    manifest(project, "{base: [iwad/base.wad], target: zdoom}")
    ran = lumpyard(project, "ship")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    (project / "iwad/base.wad").write_bytes(plain.wad([(b"F_START", b""), (b"F_END", b"")]))
    ran = lumpyard(project, "ship")
    assert ran.returncode == 6
    assert "[flat-unknown]" in ran.stderr
