"""doit tasks of this repository: `doit ship` ships the example project, `doit check` runs all checks as CI does."""

import sys

from lumpyard.doit_plugin import asset_tasks

globals().update(asset_tasks("example-project/assets.yaml"))

PYTHON = [sys.executable, "-m"]  # the tools beside this Python, whether its folder is on PATH or not
LINT_IMPORTS = "from importlinter.cli import lint_imports_command; lint_imports_command()"


def _tool(doc, *commands):
    return {"doc": doc, "actions": list(commands), "uptodate": [False], "verbosity": 2}


def task_check():
    return {
        "doc": "run all checks: format, lint, types, imports, test",
        "actions": None,
        "task_dep": ["format", "lint", "types", "imports", "test"],
    }


def task_format():
    return _tool("check how the code is laid out (ruff format)", [*PYTHON, "ruff", "format", "--check", "."])


def task_lint():
    return _tool("look for mistakes and bad habits (ruff check)", [*PYTHON, "ruff", "check", "."])


def task_types():
    return _tool(
        "check the types, twice (mypy, pyright)",
        [*PYTHON, "mypy"],
        [*PYTHON, "pyright", "--pythonpath", sys.executable],
    )


def task_imports():
    return _tool("hold the layers of docs/design.md (lint-imports)", [sys.executable, "-c", LINT_IMPORTS])


def task_test():
    return _tool("run the tests (pytest)", [*PYTHON, "pytest", "-q"])
