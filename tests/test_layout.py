"""The code is laid out as docs/design.md, section 2, says; what lint-imports does not see is held here."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOTS = {"lumpyard": ROOT / "pipeline", "lumpyard_rules": ROOT / "rules"}
MODULES = sorted(path for name, root in ROOTS.items() for path in (root / name).rglob("*.py"))
LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def calls(path: Path) -> set[str]:
    """What a module calls, as it is written: `open`, `os.rename`."""
    return {ast.unparse(node.func) for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call)}


def test_the_layers_hold() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LINT], cwd=ROOT, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_part_has_its_layer() -> None:
    """ "A module imports only from lines below its own": so each must stand on one."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(contract for contract in contracts if contract["type"] == "layers")
    named = {name.strip() for line in layers["layers"] for name in line.split("|")}
    package = ROOTS["lumpyard"] / "lumpyard"
    parts = {
        path.stem for path in package.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert parts - {"__init__"} == named
    assert layers["exhaustive"] is True


def test_no_module_has_a_name_that_says_nothing() -> None:
    nothing = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}
    assert [path for path in MODULES if path.stem in nothing] == []


def test_no_folder_with_tests_is_passed_over(pytestconfig: pytest.Config) -> None:
    """By itself pytest goes into no folder of the name `build`, and does not say so."""
    folders = {path.parent for path in (ROOT / "tests").rglob("test_*.py")}
    names = {name for folder in folders for name in folder.relative_to(ROOT).parts}
    assert "build" in names
    skipped = pytestconfig.getini("norecursedirs")
    assert [name for name in names for pattern in skipped if fnmatch(name, pattern)] == []


def test_a_module_answers_one_question() -> None:
    """ "In 100 to 250 lines; at 400 it is two"."""
    assert [path.name for path in MODULES if len(path.read_text("utf-8").splitlines()) >= 400] == []


def test_every_module_says_what_it_is_for() -> None:
    silent = [path for path in MODULES if path.stat().st_size and not ast.get_docstring(tree_of(path))]
    assert silent == []


@pytest.mark.parametrize("package", ["build", "archives", "console"])
def test_the_map_of_a_large_package_has_each_of_its_modules_once(package: str) -> None:
    """By groups, in lines that are indented: the group, two spaces or more, its modules, with words in brackets."""
    folder = ROOTS["lumpyard"] / "lumpyard" / package
    text = ast.get_docstring(tree_of(folder / "__init__.py")) or ""
    lines = re.sub(r"\([^)]*\)", "", "\n".join(re.findall(r"^    .*", text, re.MULTILINE)))
    named = re.findall(r"\w+", re.sub(r"^    \S.*?  +", "", lines, flags=re.MULTILINE))
    assert sorted(named) == sorted(path.stem for path in folder.glob("*.py") if path.stem != "__init__")


def test_only_disk_opens_files() -> None:
    """ "The only door to files"; what a process has open already is no file of a project's."""
    doors = {
        "open",
        "os.open",
        "io.open",
        "Path.open",
        "os.replace",
        "os.rename",
        "os.unlink",
        "os.remove",
        "os.mkdir",
    }
    doors |= {
        "os.makedirs",
        "os.scandir",
        "os.listdir",
        "os.stat",
        "os.lstat",
        "os.link",
        "os.symlink",
        "os.walk",
    }
    found = {
        (path.relative_to(ROOT).as_posix(), call)
        for path in MODULES
        if path.parent != ROOTS["lumpyard"] / "lumpyard" / "disk"
        for call in calls(path) & doors
    }
    assert found == {("pipeline/lumpyard/console/terminal.py", "os.open")}  # /dev/null, after a broken pipe


def test_formats_do_not_import_each_other() -> None:
    """What knows of several, such as `opening`, stands beside them."""
    archives = ROOTS["lumpyard"] / "lumpyard" / "archives"
    formats = {path.name for path in archives.iterdir() if (path / "__init__.py").exists()}
    assert "ewad" in formats
    for name in formats:
        for path in (archives / name).glob("*.py"):
            imported = {node.module for node in ast.walk(tree_of(path)) if isinstance(node, ast.ImportFrom)}
            others = tuple(f"lumpyard.archives.{other}." for other in formats - {name})
            assert not any(module and f"{module}.".startswith(others) for module in imported), path


def test_nothing_the_bytes_hang_on_asks_for_the_time_or_for_luck() -> None:
    """Same inputs, same bytes: clocks and random numbers are where they cannot get into an output."""
    words = ("time.", "random.", "datetime.", "secrets.", "uuid.", "os.urandom", "locale.")
    found = {
        (path.relative_to(ROOT).as_posix().partition("lumpyard/")[2], call)
        for path in MODULES
        for call in calls(path)
        if call.startswith(words)
    }
    assert {path.partition("/")[0] for path, _ in found} <= {
        "build",
        "console",
        "disk",
        "doit_plugin",
        "store",
        "cli",
    }
    assert {call for path, call in found if path.startswith("build/")} <= {
        *("os.urandom", "os.urandom(8).hex"),  # the name of a run
        "secrets.token_hex",  # the stamp that says whether doit's record is ours
        "time.monotonic",  # how long to wait for workers
        "time.sleep",
    }


@pytest.mark.parametrize("package", ROOTS)
def test_type_checkers_see_the_packages(package: str) -> None:
    assert (ROOTS[package] / package / "py.typed").exists()
    assert (ROOTS[package] / package / "__init__.py").exists()


def test_both_source_roots_are_in_the_wheel() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    packages = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert packages == [f"{root.name}/{name}" for name, root in ROOTS.items()]
    assert {
        path.name for root in ROOTS.values() for path in root.iterdir() if path.name != "__pycache__"
    } == set(ROOTS)
