"""Law: a run ends in time, says how it ended, and leaves neither a process nor a file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.builders.programs import processes_with, python, shell

from lumpyard.disk import processes
from lumpyard.disk.processes import TAIL, clean_variables, run_program
from lumpyard.disk.scratch import scratch_folder

if TYPE_CHECKING:
    from collections.abc import Callable

    from lumpyard.disk.processes import Finished


pytestmark = pytest.mark.skipif(os.name != "posix", reason="the programs are scripts")


def run(program: str, *args: str, folder: str = "/", timeout: float = 20.0, **variables: str) -> Finished:
    return run_program((program, *args), folder, {"PATH": os.environ["PATH"], **variables}, timeout)


def test_a_program_that_ends_with_0_has_no_fault_and_its_output_is_kept(tmp_path: Path) -> None:
    done = run(shell(tmp_path / "p", "echo out; echo err >&2"))
    assert done == ("", b"out\n", b"err\n")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("exit 3", "ended with status 3"),
        ("kill -9 $$", "was ended by signal 9 (SIGKILL)"),
        ("kill -SEGV $$", "was ended by signal 11 (SIGSEGV)"),
    ],
)
def test_how_a_program_ended_is_said(tmp_path: Path, text: str, fault: str) -> None:
    assert run(shell(tmp_path / "p", text)).fault == fault


def test_a_signal_without_a_name_is_said_by_its_number() -> None:
    assert processes._status_fault(-99) == "was ended by signal 99"


def missing(path: Path) -> None:
    assert not path.exists()


def with_a_missing_interpreter(path: Path) -> None:
    shell(path, "")
    path.write_text("#!/no/such/sh\n")


def of_garbage(path: Path) -> None:
    shell(path, "")
    path.write_bytes(b"\0\1\2")


NOT_THERE = "it, or the interpreter that its first line names, is not there"


@pytest.mark.parametrize(
    ("program", "fault"),
    [
        (missing, NOT_THERE),
        (with_a_missing_interpreter, NOT_THERE),
        (of_garbage, "Exec format error"),
        (Path.mkdir, "Permission denied"),
    ],
)
def test_what_cannot_be_started_is_a_fault_and_no_exception(
    tmp_path: Path, program: Callable[[Path], object], fault: str
) -> None:
    program(tmp_path / "p")
    assert run(str(tmp_path / "p")).fault == f"cannot be started: {fault}"
    assert run(f"{tmp_path}\0").fault == "cannot be started: embedded null byte"


def test_arguments_too_long_for_the_system_are_a_fault(tmp_path: Path) -> None:
    assert (
        run(shell(tmp_path / "p", ""), "x" * (1 << 23)).fault == "cannot be started: Argument list too long"
    )


def test_of_much_output_the_end_is_kept(tmp_path: Path) -> None:
    text = "import sys\nfor n in range(300000): print(n)\nprint('e' * 300000, file=sys.stderr)"
    done = run(python(tmp_path / "p", text))
    assert done.fault == ""
    assert len(done.out) == len(done.err) == TAIL
    assert done.out.endswith(b"299998\n299999\n")


def test_a_program_sees_just_the_variables_it_is_given_and_an_empty_input(tmp_path: Path) -> None:
    done = run(
        python(
            tmp_path / "p", "import os, sys; print(sorted({*os.environ} - {'LC_CTYPE'}), sys.stdin.read())"
        ),
        NAME="\udcff",
    )
    assert done.out == b"['NAME', 'PATH'] \n"  # LC_CTYPE is Python's own, who coerces the C locale


def test_arguments_and_variables_are_bytes_whatever_the_locale(tmp_path: Path) -> None:
    done = run(shell(tmp_path / "p", 'printf "%s|%s" "$1" "$NAME"'), "é\udcff", NAME="ü\udcfe")
    assert done.out == "é".encode() + b"\xff|" + "ü".encode() + b"\xfe"


HANGING = {
    "alone": "exec sleep 600",
    "with children": "sleep 600 & sleep 600 & wait",
    "with closed output": "exec >&- 2>&-; exec sleep 600",
    "that ignores signals": "trap '' TERM INT HUP; while :; do sleep 600; done",
    "that never stops talking": "while :; do echo on and on; done",
}


@pytest.mark.parametrize("case", HANGING)
def test_a_program_that_hangs_is_ended_with_its_children(tmp_path: Path, case: str) -> None:
    done = run(shell(tmp_path / "p", HANGING[case]), timeout=0.3, MARK=str(tmp_path))
    assert done.fault == "did not end within 0.3 s"
    assert processes_with(str(tmp_path)) == []


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="strays are found in /proc")
def test_what_a_hung_program_started_in_another_session_is_ended_too(tmp_path: Path) -> None:
    text = "import os, time\nif os.fork() == 0:\n    os.setsid()\n    os.fork()\ntime.sleep(600)"
    done = run(python(tmp_path / "p", text), timeout=0.5, TMPDIR=str(tmp_path))
    assert done.fault
    assert processes_with(str(tmp_path)) == []


def test_a_child_left_behind_neither_holds_up_the_run_nor_outlives_it(tmp_path: Path) -> None:
    done = run(shell(tmp_path / "p", "sleep 600 & echo done"), MARK=str(tmp_path))
    assert (done.fault, done.out) == ("", b"done\n")
    assert processes_with(str(tmp_path)) == []


def test_an_interrupt_ends_the_program_and_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(processes, "_read_until", interrupt)
    with pytest.raises(KeyboardInterrupt):
        run(shell(tmp_path / "p", HANGING["with children"]), MARK=str(tmp_path))
    assert processes_with(str(tmp_path)) == []


def test_it_works_from_any_thread(tmp_path: Path) -> None:
    found = []
    thread = threading.Thread(target=lambda: found.append(run(shell(tmp_path / "p", "echo hi"))))
    thread.start()
    thread.join()
    assert found == [("", b"hi\n", b"")]


def test_it_works_where_dead_children_are_reaped_unasked(tmp_path: Path) -> None:
    """A process that ignores SIGCHLD has no zombies, so nothing can be asked about them."""
    code = (
        "import signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "from lumpyard.disk.processes import run_program\n"
        f"print(run_program(({shell(tmp_path / 'p', 'echo hi')!r},), '/', {{}}, 20.0))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout == b"Finished(fault='', out=b'hi\\n', err=b'')\n"


@pytest.mark.parametrize(
    ("text", "timeout", "expected"),
    [
        ("echo out; echo err >&2; exit 3", 20.0, ("ended with status 3", b"out\n", b"err\n")),
        ("exec sleep 600", 0.2, ("did not end within 0.2 s", b"", b"")),
    ],
)
def test_the_way_without_process_groups_gives_the_same(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    timeout: float,
    expected: tuple[str, bytes, bytes],
) -> None:
    monkeypatch.setattr(processes, "_watch", processes._watch_alone)
    assert run(shell(tmp_path / "p", text), timeout=timeout) == expected


# --- scratch folders -----------------------------------------------------------------------------


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The system's folder for temporary files, for this test alone."""
    folder = tmp_path / "system"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_a_scratch_folder_is_gone_afterwards_also_after_an_error(place: Path) -> None:
    with scratch_folder() as scratch:
        scratch.put("a/b/c.txt", b"data")
        assert scratch.take("a/b/c.txt") == b"data"
    with pytest.raises(KeyboardInterrupt), scratch_folder():
        raise KeyboardInterrupt
    assert list(place.iterdir()) == []


def test_a_scratch_folder_is_removed_where_a_tool_took_rights_away(place: Path) -> None:
    with scratch_folder() as scratch:
        scratch.put("a/b.txt", b"")
        os.chmod(f"{scratch.work}/a", 0o500)
        os.chmod(scratch.work, 0o000)
    assert list(place.iterdir()) == []


def test_removing_follows_no_links(place: Path, tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("keep")
    with scratch_folder() as scratch:
        os.symlink(tmp_path, f"{scratch.work}/out")
    assert (tmp_path / "precious").read_text() == "keep"


def test_what_is_at_a_path_is_told(place: Path) -> None:
    with scratch_folder() as scratch:
        scratch.put("folder/file", b"")
        os.symlink("folder", f"{scratch.work}/link")
        os.symlink("folder/file", f"{scratch.work}/link.txt")
        os.symlink("nowhere", f"{scratch.work}/dangling")
        os.mkfifo(f"{scratch.work}/fifo")
        kinds = {
            path: scratch.kind(path)
            for path in (
                "folder/file",
                "folder",
                "link.txt",
                "link/file",
                "dangling",
                "fifo",
                "none",
                "folder/file/x",
            )
        }
    assert kinds == {
        "folder/file": "",
        "folder": "a folder",
        "link.txt": "a link",
        "link/file": "behind a link",
        "dangling": "a link",
        "fifo": "a FIFO",
        "none": None,
        "folder/file/x": None,
    }


def test_the_environment_is_the_same_everywhere_but_for_path_and_the_scratch_folder(
    monkeypatch: pytest.MonkeyPatch, place: Path
) -> None:
    monkeypatch.setenv("PATH", "/some/bin")
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setenv("SECRET", "x")
    with scratch_folder() as scratch:
        top = str(Path(scratch.work).parent)
        variables = {name: value.replace(top, "SCRATCH") for name, value in clean_variables(scratch).items()}
    assert variables == {
        "PATH": "/some/bin",
        "HOME": "SCRATCH/home",
        "TMPDIR": "SCRATCH/temporary",
        "TMP": "SCRATCH/temporary",
        "TEMP": "SCRATCH/temporary",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "SOURCE_DATE_EPOCH": "0",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def test_a_signal_that_kills_lumpyard_softly_ends_the_program(tmp_path: Path) -> None:
    """SIGTERM as the build handles it: an exception in the main thread."""
    program = shell(tmp_path / "p", "echo started > started; sleep 600")
    code = (
        "import signal, sys\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))\n"
        "from lumpyard.disk.processes import run_program\n"
        f"variables = {{'TMPDIR': {str(tmp_path)!r}, 'PATH': '/bin:/usr/bin'}}\n"
        f"run_program(({program!r},), {str(tmp_path)!r}, variables, 600.0)"
    )
    with subprocess.Popen([sys.executable, "-c", code]) as process:
        while not (tmp_path / "started").exists() and process.poll() is None:
            pass
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 143
    assert processes_with(str(tmp_path)) == []
