"""The commands that work on a project: from `init` to what `check`, `plan` and `why` say of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

NAMES = [
    "scripts/main.lua",
    "sounds/blip.wav",
    "text/en.json",
    "textures/brick.png",
    "textures/ui/cursor.png",
]


@pytest.fixture
def project(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    assert run("init", "game").status == 0
    monkeypatch.chdir(tmp_path / "game")
    return tmp_path / "game"


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_init_makes_a_project_without_problems(run: Run, project: Path) -> None:
    assert (project / "dodo.py").is_file()
    ran = run("check")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == "5 lumps of 1 archive checked: nothing wrong\n"


def test_check_tells_the_lints_of_the_manifest_too(run: Run, project: Path) -> None:
    (project / "assets.yaml").write_text(
        "version: 1\n"
        "sets: {used: {root: assets, files: 'scripts/*'}, idle: {root: assets, files: 'text/*'}}\n"
        "archives: {base: {sets: used}}\n"
        "budgets: [{set: idle, size: 1 MB}]\n"
    )
    ran = run("check", "--json")
    assert ran.status == 1
    assert [problem["code"] for problem in ran.json] == ["W0101", "W0102"]
    assert run("check", "base").status == 0  # what is asked of one archive is not about all


def test_check_tells_of_a_lock_that_a_ship_would_stop_at(run: Run, project: Path) -> None:
    (project / "archives.lock").write_text("{\n<<<<<<< HEAD\n")
    ran = run("check", "--json")
    assert ran.status == 2
    assert [(problem["path"], problem["line"], problem["code"]) for problem in ran.json] == [
        ("archives.lock", 2, "E0501")
    ]


def test_init_writes_the_same_bytes_anywhere(run: Run, project: Path, tmp_path: Path) -> None:
    assert run("init", tmp_path / "other").status == 0
    assert tree(tmp_path / "other") == tree(project)


def test_init_overwrites_nothing_and_names_what_is_in_the_way(run: Run, project: Path) -> None:
    (project / "dodo.py").unlink()
    (project / "assets.yaml").write_text("mine")
    before = tree(project)
    ran = run("init")
    assert (ran.status, ran.stdout) == (2, b"")
    assert "assets.yaml" in ran.err
    assert "dodo.py" not in ran.err
    assert tree(project) == before


def test_init_leaves_a_gitignore_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*.o\n")
    ran = run("init", tmp_path)
    assert ran.status == 0
    assert (tmp_path / ".gitignore").read_text() == "*.o\n"
    assert "/.lumpyard/ /build/ /dist/ /symbols/" in ran.out


def test_plan_shows_sets_and_lumps(run: Run, project: Path) -> None:
    ran = run("plan", "--long")
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "base: build/base.ewad (EWAD, 5 lumps, alignment 16)"
    assert lines[1] == "  to build: never built"
    assert lines[2].split() == ["set", "lumps", "rule", "type", "schema", "alignment", "compression"]
    assert "  scripts/main.lua        assets/scripts/main.lua" in lines
    assert run("plan", "--ship").out.startswith(
        "base: dist/base.ewad (EWAD, 5 lumps, alignment 16, without names)"
    )


def test_plan_as_json_has_every_lump(run: Run, project: Path) -> None:
    (archive,) = run("plan", "--json").json
    assert list(archive) == [
        "id",
        "path",
        "format",
        "alignment",
        "dedupe",
        "strip",
        "seed",
        "lumps",
        "reasons",
    ]
    assert [lump["name"] for lump in archive["lumps"]] == NAMES
    assert archive["lumps"][3] == {
        "name": "textures/brick.png",
        "products": ["textures/brick.png"],
        "sources": ["assets/textures/brick.png"],
        "set": "textures",
        "rule": "image",
        "type": "TEXR",
        "schema": 1,
        "codec": "lz4",
        "level": 0,
        "min_saving": 5,
        "alignment": 64,
    }


@pytest.mark.parametrize("command", ["plan", "check", "ship"])
def test_an_archive_that_is_not_there_is_a_usage_mistake(run: Run, project: Path, command: str) -> None:
    (project / "dodo.py").unlink()
    ran = run(command, "bas")
    assert ran.status == 2
    assert ran.err == "lumpyard: error: assets.yaml has no archive 'bas'; did you mean 'base'?\n"


@pytest.mark.parametrize("command", ["plan", "check", "store info", "why x"])
def test_outside_a_project_people_are_told_where_one_is(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(project / "assets" / "text")
    ran = run(*command.split())
    assert ran.status == 2
    assert ran.err == (
        f"lumpyard: error: there is no assets.yaml in this folder; work in {project}, or say -m ../../assets.yaml\n"
    )


def test_a_project_may_be_elsewhere(
    run: Run, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("plan", "-m", "game/assets.yaml").status == 0
    ran = run("plan", "-m", "nowhere/assets.yaml")
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "lumpyard init" in ran.err


def test_problems_of_a_manifest_stand_alone_with_their_lines(run: Run, project: Path) -> None:
    (project / "assets.yaml").write_text(
        "version: 1\nsets:\n  a: {fils: x}\narchives:\n  base: {sets: [b]}\n"
    )
    for command in (["check"], ["plan"], ["why", "x"]):
        ran = run(*command)
        assert (ran.status, ran.stdout) == (2, b"")
        assert "lumpyard: error:" not in ran.err
        assert "assets.yaml:3:7: error[" in ran.err
        assert "  3 |   a: {fils: x}\n    |       ^\n" in ran.err
        assert "did you mean 'files'?" in ran.err
        assert "assets.yaml:5:17: error[" in ran.err


def test_problems_show_their_lines_from_another_folder(
    run: Run, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "assets.yaml").write_text("version: 2\n")
    monkeypatch.chdir(tmp_path)
    ran = run("check", "-m", "game/assets.yaml")
    assert ran.status == 2
    assert ran.err.startswith("assets.yaml:1:10: error[")
    assert "  1 | version: 2\n" in ran.err
    github = run("check", "-m", "game/assets.yaml", "--format", "github").out
    assert github.startswith("::error file=game/assets.yaml,line=1,col=10,title=")


def test_a_lint_alone_is_1(run: Run, project: Path) -> None:
    (project / "assets" / "notes.txt").write_text("")
    ran = run("check")
    assert ran.status == 1
    assert "warning[W0210]: assets/notes.txt is in no set" in ran.err
    assert run("plan").status == 0


def test_a_source_that_does_not_cook_is_6(run: Run, project: Path) -> None:
    (project / "assets" / "text" / "en.json").write_text('{\n  "a": 1,\n}\n')
    (project / "assets" / "textures" / "brick.png").write_bytes(b"no picture")
    ran = run("check")
    assert ran.status == 6
    assert "assets/text/en.json:2:9: error[" in ran.err
    assert "assets/textures/brick.png" in ran.err  # all failures of a run, not the first alone
    assert ran.err.rstrip().endswith("2 errors")


def test_a_source_that_is_a_git_lfs_pointer_is_5(run: Run, project: Path) -> None:
    (project / "assets" / "sounds" / "blip.wav").write_text("version https://git-lfs.github.com/spec/v1\n")
    ran = run("check")
    assert ran.status == 5
    assert "git lfs pull" in ran.err


def test_check_writes_nothing(run: Run, project: Path) -> None:
    before = tree(project)
    for options in ([], ["--cook"], ["--format", "sarif"]):
        run("check", *options)
    run("plan")
    run("rules")
    assert tree(project) == before


def test_check_runs_tools_only_when_asked(run: Run, project: Path) -> None:
    ran_it = project / "ran"
    (project / "assets" / "a.up").write_text("text")
    with (project / "assets.yaml").open("a") as manifest:
        manifest.write(
            """\
  tools: {sets: [up]}
tools:
  upper:
    program: /bin/sh
"""
        )
    text = (project / "assets.yaml").read_text()
    rule = f"""\
  up:
    root: assets
    files: "*.up"
    rule: command
    options:
      tool: upper
      args: ["-c", "tr a-z A-Z < $0 > $1; touch {ran_it}", "{{in}}", "{{out}}"]
      outputs: ["{{stem}}.txt"]
"""
    (project / "assets.yaml").write_text(text.replace("archives:\n", f"{rule}archives:\n", 1))
    ran = run("check", "tools")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == (
        "1 lump of 1 archive checked, 1 not cooked because their rules run tools (--cook runs them): nothing wrong\n"
    )
    assert not ran_it.exists()
    ran = run("check", "--cook", "tools")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == "1 lump of 1 archive checked: nothing wrong\n"
    assert ran_it.exists()


def test_check_tells_of_a_tool_that_the_manifest_does_not_have_without_running_any(
    run: Run, project: Path
) -> None:
    text = (project / "assets.yaml").read_text()
    rule = """\
  up:
    root: assets
    files: "scripts/*.lua"
    rule: command
    options: {tool: uper, args: ["{in}", "{out}"], outputs: ["{stem}.txt"]}
"""
    (project / "assets.yaml").write_text(
        text.replace("archives:\n", f"{rule}archives:\n  up: {{sets: [up]}}\n", 1)
    )
    ran = run("check", "up")
    assert ran.status == 2
    assert "error[E0218]: rule 'command' runs 'uper', which is not among the tools" in ran.err


def test_each_format_of_check_is_one_document(run: Run, project: Path) -> None:
    (project / "assets" / "text" / "en.json").write_text("{]")
    found = run("check", "--json")
    assert found.status == 6
    assert found.out == run("check", "--format", "json").out
    (problem,) = found.json
    assert (problem["path"], problem["line"], problem["level"]) == ("assets/text/en.json", 1, "error")
    log = run("check", "--format", "sarif")
    assert log.status == 6
    assert log.json["runs"][0]["results"][0]["ruleId"] == problem["code"]
    github = run("check", "--format", "github")
    assert github.out.startswith("::error file=assets/text/en.json,line=1,")
    assert (found.err, log.err, github.err) == ("", "", "")


def test_why_says_where_a_lump_comes_from(run: Run, project: Path) -> None:
    ran = run("why", "textures/brick.png")
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "textures/brick.png in base, build/base.ewad"
    assert "  from         assets/textures/brick.png" in lines
    assert any(line.startswith("  because of   set textures, assets.yaml:") for line in lines)
    assert "  build        not built yet" in lines
    (answer,) = run("why", "--json", "./assets/textures/brick.png").json
    assert run("why", "--json", "assets/textures/brick.png").json == [answer]
    assert (answer["name"], answer["rule"], answer["stored"]) == ("textures/brick.png", "image", None)


def test_why_of_a_lump_that_is_not_there_says_which_is(run: Run, project: Path) -> None:
    ran = run("why", "brick.png")
    assert (ran.status, ran.stdout) == (1, b"")
    assert ran.err.endswith("; did you mean 'textures/brick.png'?\n")


def test_what_rules_print_is_not_among_the_results(run: Run, project: Path) -> None:
    """One JSON document is all that a program reads."""
    (project / "loud.py").write_text(
        "from lumpyard.rule import Product, Rule\n"
        "print('loaded')\n"
        "def cook(sources, options):\n"
        "    print('cooks')\n"
        "    return [Product(b'')]\n"
        "RULE = Rule(kind='loud', version=1, suffixes={'.loud'}, cook=cook)\n"
    )
    manifest = project / "assets.yaml"
    loud = "  loud: {root: assets, files: 'a.loud'}\n\narchives:"
    manifest.write_text(
        manifest.read_text().replace("\narchives:", loud).replace("sets: [", "sets: [loud, ")
        + "rules: [loud.py]\n"
    )
    (project / "assets/a.loud").write_text("x")
    ran = run("check", "--json")
    assert (ran.status, ran.json, ran.err) == (0, [], "loaded\ncooks\n")
    assert run("rules", "--json").json


def test_rules_know_those_of_the_project(
    run: Run, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "up.py").write_text(
        "from lumpyard.rule import Product, Rule\n"
        "RULE = Rule(kind='up', version=3, suffixes=frozenset({'.up'}), summary='louder',\n"
        "            cook=lambda sources, options: [Product(sources[0].data.upper())])\n"
    )
    manifest = project / "assets.yaml"
    manifest.write_text(manifest.read_text() + "rules: [up.py]\n")
    assert run("rules", "up").out.splitlines() == [
        "up: louder",
        "  files    .up",
        "  from     up.py, version 3",
    ]
    kinds = [rule["kind"] for rule in run("rules", "--json").json]
    assert kinds == sorted(kinds)
    assert {"raw", "text", "json", "image", "sound", "command", "up"} <= set(kinds)
    monkeypatch.chdir(tmp_path)
    assert run("rules", "up").status == 1
    assert run("rules", "-m", "game/assets.yaml", "up").status == 0


def test_schema_is_json(run: Run) -> None:
    assert run("schema").json["type"] == "object"
    assert run("schema", "--json").stdout == run("schema").stdout


def test_the_store_of_a_new_project_is_empty_and_well(run: Run, project: Path) -> None:
    assert run("store", "info", "--json").json["size"] == 0
    assert run("store", "verify").status == 0
    assert run("store", "verify", "--json").json["problems"] == []
    assert run("store", "trim", "--max-size", "1M", "--json").json["dropped"] == 0


def test_json_of_every_command_is_one_document(run: Run, project: Path) -> None:
    for command in ("plan", "check", "rules", "schema", "store info", "store verify", "why text/en.json"):
        json.loads(run(*command.split(), "--json").stdout)
