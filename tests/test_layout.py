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


def groups_of(package: str) -> dict[str, list[str]]:
    """The modules of a large package by groups, as its docstring maps them.

    In lines that are indented: the group, two spaces or more, its modules, with words in brackets.
    """
    text = ast.get_docstring(tree_of(ROOTS["lumpyard"] / "lumpyard" / package / "__init__.py")) or ""
    lines = re.sub(r"\([^)]*\)", "", "\n".join(re.findall(r"^    .*", text, re.MULTILINE)))
    found: dict[str, list[str]] = {}
    group = ""
    for line in lines.splitlines():
        start = re.match(r"    (\S.*?)  +", line)
        group = start[1] if start else group
        found.setdefault(group, []).extend(re.findall(r"\w+", line[start.end() if start else 0 :]))
    return found


@pytest.mark.parametrize("package", ["build", "archives", "console"])
def test_the_map_of_a_large_package_has_each_of_its_modules_once(package: str) -> None:
    folder = ROOTS["lumpyard"] / "lumpyard" / package
    named = [module for modules in groups_of(package).values() for module in modules]
    parts = [folder, *(folder / group for group in groups_of(package))]  # a group may be a package of its own
    there = [path.stem for part in parts for path in part.glob("*.py") if path.stem != "__init__"]
    assert sorted(named) == sorted(there)


def imports_at_work(path: Path) -> set[str]:
    """Modules that a module imports, but those that only type checkers look at."""
    types = {
        node
        for branch in ast.walk(tree_of(path))
        if isinstance(branch, ast.If) and ast.unparse(branch.test) == "TYPE_CHECKING"
        for node in ast.walk(branch)
    }
    imports = [
        node for node in ast.walk(tree_of(path)) if isinstance(node, ast.ImportFrom) and node not in types
    ]
    return {f"{node.module}.{alias.name}" for node in imports for alias in node.names}


def test_the_groups_of_build_rest_on_those_below_them() -> None:
    """What only type checkers see may point upwards: a lump is made by a maker that a task has set up."""
    order = list(groups_of("build").items())
    folder = ROOTS["lumpyard"] / "lumpyard" / "build"
    for index, (group, modules) in enumerate(order):
        above = [
            f"lumpyard.build.{name}." if (folder / name).is_dir() else f"lumpyard.build.{module}."
            for name, others in order[:index]
            for module in others
        ]
        for module in modules:
            path = folder / group / f"{module}.py"
            used = imports_at_work(path if path.exists() else folder / f"{module}.py")
            upwards = [name for name in used if f"{name}.".startswith(tuple(above))]
            assert upwards == [], f"{group}/{module} rests on what is above it"


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
