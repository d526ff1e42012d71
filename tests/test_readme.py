"""README.md, CHANGELOG.md and docs/ say what is true: commands, manifest, messages, dependencies, variables, links."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from lumpyard import __version__
from lumpyard.archives.ewad.reader import view
from lumpyard.cli.commands import COMMANDS, render_help

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGES += [ROOT / "example-project" / "README.md"]
FILES = {  # what the README's manifest is about
    "assets/textures/ui/hand.png": (ROOT / "example-project/assets/ui/panel.png").read_bytes(),
    "assets/scripts/main.lua": b"-- starts\r\nprint 'hello'\r\n",
    "assets/scripts/draft-boss.lua": b"-- not yet\n",
}


def blocks(language: str) -> list[str]:
    """The README's code blocks of a language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def rows(*columns: str) -> list[list[str]]:
    """The cells of each row of the README's tables with this heading."""
    found: list[list[str]] = []
    reading = False
    for line in README.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if cells == list(columns):
            reading = True
        elif not cells:
            reading = False
        elif reading and set(cells) != {"---"}:
            found.append(cells)
    return found


def write(folder: Path, manifest: str) -> None:
    """A project with the manifest and its files."""
    for path, data in {"assets.yaml": manifest.encode(), **FILES}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)


def lumpyard(folder: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "lumpyard.cli.main", *argv]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, encoding="utf-8", timeout=120, check=False
    )


def test_the_table_of_commands_is_the_one_of_the_help() -> None:
    in_readme = [cells[0] for cells in rows("command", "does")]
    assert in_readme == [
        f"`lumpyard {command.name} {command.usage}".rstrip() + "`" for command in COMMANDS.values()
    ]
    helped = re.findall(r"^  (\S.*?)  +\S", render_help(), re.MULTILINE)
    assert [f"`lumpyard {heading}`" for heading in helped] == in_readme


def test_commands_named_anywhere_exist() -> None:
    known = {name.partition(" ")[0] for name in COMMANDS} | {
        "content"
    }  # `lumpyard content id 1`, a digest's label
    for page in PAGES:
        text = page.read_text("utf-8")
        named = set(re.findall(r"(?:^(?:- run:)? *|`|&& )lumpyard ([a-z]+)", text, re.MULTILINE))
        assert named <= known, page


def test_the_first_manifest_ships(tmp_path: Path) -> None:
    write(tmp_path, blocks("yaml")[0])
    ran = lumpyard(tmp_path, "ship")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert (tmp_path / "symbols" / "base.ewsym").is_file()
    assert (tmp_path / "archives.lock").is_file()

    archive = view((tmp_path / "dist" / "base.ewad").read_bytes())

    assert (len(archive.lumps), archive.stripped) == (2, True)
    at = archive.find(b"textures/ui/hand.png")
    assert at is not None
    hand = archive.entry(at)
    assert (hand.fourcc.to_bytes(4, "little"), hand.schema) == (b"TEXR", 3)
    assert hand.offset % 64 == 0
    assert archive.read(at) == FILES["assets/textures/ui/hand.png"]
    at = archive.find(b"scripts/main.lua")
    assert at is not None
    main = archive.entry(at)
    assert (main.fourcc.to_bytes(4, "little"), main.schema) == (b"LUA_", 1)
    assert archive.read(at) == b"-- starts\nprint 'hello'\n"


def test_the_mistake_is_told_as_it_is_shown(tmp_path: Path) -> None:
    write(tmp_path, blocks("yaml")[0].replace('"textures/', '"texture/'))
    ran = lumpyard(tmp_path, "check")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == blocks("text")[0] + "\n1 error\n"


def test_the_set_up_lines_ship_and_test_what_is_here() -> None:
    first, second = blocks("sh")[0].strip().splitlines()
    assert first == "python3 -m venv .venv && .venv/bin/pip install -e . && .venv/bin/doit ship"
    assert second == '.venv/bin/pip install -e ".[dev]" && .venv/bin/pytest'
    assert (ROOT / "dodo.py").is_file()


def test_each_dependency_is_in_a_table_and_the_other_way_round() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    said = [name for cells in rows("package", "is for") for name in cells[0].split(", ")]
    assert sorted(said, key=str.lower) == sorted(
        (re.split(r"[^\w-]", text)[0] for text in wanted), key=str.lower
    )


def test_every_variable_is_documented_and_none_that_does_not_exist() -> None:
    code = "".join(path.read_text("utf-8") for path in (ROOT / "pipeline").rglob("*.py"))
    docs = "".join(page.read_text("utf-8") for page in PAGES)
    pattern = re.compile(r"(?<!_)LUMPYARD_[A-Z]+")  # one with a line in front is between our own processes
    assert set(pattern.findall(docs)) == set(pattern.findall(code))


def test_the_changelog_has_this_version() -> None:
    assert f"\n## {__version__}" in (ROOT / "CHANGELOG.md").read_text("utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(page.read_text("utf-8"))):
        path, _, anchor = target.partition("#")
        linked = (page.parent / path).resolve() if path else page
        assert linked.exists(), target
        assert linked.is_relative_to(ROOT), target
        if anchor:
            assert anchor in anchors(linked.read_text("utf-8")), target


def without_code(text: str) -> str:
    return re.sub(r"^```.*?^```|`[^`\n]*`", "", text, flags=re.DOTALL | re.MULTILINE)


def anchors(text: str) -> set[str]:
    """What a page's headings are linked by."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
