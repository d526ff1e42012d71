"""Every module can be imported first, without a warning, and what must be quick to start brings nothing heavy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOTS = {"lumpyard": ROOT / "pipeline", "lumpyard_rules": ROOT / "rules"}
HEAVY = (
    "yaml",
    "lz4",
    "rich",
    "blake3",
    "ctypes",
    "concurrent.futures",
    "importlib.metadata",
    "subprocess",
    "doit",
)

# Each module in a process forked from one that has only Python's own modules.
IMPORT_ALL = """
import importlib, os, sys, traceback
failed = []
for name in sys.argv[1:]:
    process = os.fork()
    if process == 0:
        try:
            importlib.import_module(name)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    if os.waitpid(process, 0)[1]:
        failed.append(name)
raise SystemExit(len(failed))
"""


def module_names() -> list[str]:
    names = []
    for package, root in ROOTS.items():
        for path in (root / package).rglob("*.py"):
            parts = path.relative_to(root).with_suffix("").parts
            names.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return sorted(names)


@pytest.mark.skipif(not hasattr(sys, "platlibdir") or sys.platform == "win32", reason="it forks")
def test_every_module_can_be_imported_first() -> None:
    """No circle of imports, whoever begins; warnings are errors."""
    names = module_names()
    assert len(names) > 150
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", IMPORT_ALL, *names],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("statement", "allowed"),
    [
        ("import lumpyard", ()),
        ("import lumpyard.errors, lumpyard.records, lumpyard.globs", ()),
        ("import lumpyard.rule", ()),
        ("import lumpyard.manifest.model, lumpyard.plan.model", ()),
        ("import lumpyard.disk", ()),
        ("import lumpyard.archives.ewad.reader", ("blake3",)),
        ("import lumpyard.registry", ()),
        ("import lumpyard.cli.main", ()),
        ("import lumpyard.console.progress", ()),
        ("import lumpyard.build.task", ("blake3",)),  # digests of folders are what a no-op compares
    ],
)
def test_what_must_start_quickly_imports_nothing_heavy(statement: str, allowed: tuple[str, ...]) -> None:
    code = f"import sys\n{statement}\nprint(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-S", "-c", _PATHS + code], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert {name for name in HEAVY if name in loaded} <= set(allowed)


# Without `site`, whose path files may import anything.
_PATHS = f"import sys; sys.path += {[path for path in sys.path if path] + [str(root) for root in ROOTS.values()]!r}\n"


def test_a_command_imports_only_itself() -> None:
    code = "import sys\nfrom lumpyard.cli.main import main\nmain(['--help'])\nprint('MODULES', *sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.rpartition("MODULES")[2].split())
    assert not {
        name for name in loaded if name.startswith(("lumpyard.build", "lumpyard.store", "lumpyard.plan"))
    }
    assert "argparse" not in loaded
