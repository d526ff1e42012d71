"""Law: a tool's identity is the same for the same tool anywhere, and changes whenever the tool does."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from tests.builders.programs import a_tool, processes_with, shell

from lumpyard.build.asks import files_answer
from lumpyard.build.tools.resolving import resolve_tool, stamp_tool
from lumpyard.errors import CookError, Place
from lumpyard.hashing import digest
from lumpyard.manifest.model import Pattern

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from lumpyard.manifest.model import Tool


pytestmark = pytest.mark.skipif(os.name != "posix", reason="the programs are scripts")


def problem_of(tool: Tool, root: Path) -> tuple[str, str]:
    """The one problem of a tool, at its place, on one line."""
    with pytest.raises(CookError) as caught:
        resolve_tool(tool, str(root))
    assert caught.value.exit_status == 6
    [problem] = caught.value.problems
    assert problem.place == tool.place
    assert "\n" not in problem.message
    return problem.code, problem.message


def hint_of(tool: Tool, root: Path) -> str:
    """The hint of the one problem of a tool."""
    with pytest.raises(CookError) as caught:
        resolve_tool(tool, str(root))
    return caught.value.problems[0].hint


def pattern(text: str, *, takes_away: bool = False) -> Pattern:
    return Pattern(text, Place("assets.yaml", 6, 20), takes_away)


# --- finding -------------------------------------------------------------------------------------


def test_a_program_with_a_slash_is_looked_for_in_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    path = shell(tmp_path / "build/bin/cooker", "")
    assert resolve_tool(a_tool("build/bin/cooker"), str(tmp_path)).path == path


def test_a_plain_name_is_looked_for_along_path_and_not_in_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell(tmp_path / "project/cooker", "")
    second = shell(tmp_path / "two/cooker", "")
    (tmp_path / "one").mkdir()
    (tmp_path / "one/cooker").write_text("not executable")
    monkeypatch.setenv("PATH", f"{tmp_path}/one:{tmp_path}/two")
    assert resolve_tool(a_tool("cooker"), str(tmp_path / "project")).path == second


def test_a_program_is_absolute_also_where_path_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It runs in a scratch folder, where `bin` would be another place."""
    path = shell(tmp_path / "bin/cooker", "")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "bin")
    assert resolve_tool(a_tool("cooker"), str(tmp_path)).path == path


def test_a_link_is_run_under_its_own_name(tmp_path: Path) -> None:
    """Programs like busybox and clang go by the name that they are called by."""
    shell(tmp_path / "many", "")
    os.symlink("many", tmp_path / "cooker")
    tool = resolve_tool(a_tool("./cooker"), str(tmp_path))
    assert tool.path == str(tmp_path / "cooker")
    assert tool.identity == resolve_tool(a_tool("./many"), str(tmp_path)).identity


@pytest.mark.parametrize(
    ("program", "says"),
    [
        ("cooker", "tool 'cooker': there is no program 'cooker' along PATH"),
        ("bin/cooker", "tool 'cooker': there is no program 'bin/cooker' in the project"),
        ("a\0b", "tool 'cooker': there is no program 'a\\x00b' along PATH"),
    ],
)
def test_a_program_that_is_not_there_is_an_error_at_the_tool(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, says: str
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert problem_of(a_tool(program), tmp_path) == ("E0620", says)


def test_an_absolute_path_is_taken_as_it_is(tmp_path: Path) -> None:
    path = shell(tmp_path / "bin/cooker", "")
    assert resolve_tool(a_tool(path), str(tmp_path / "project")).path == path
    says = f"tool 'cooker': there is no program '{path}r'"
    assert problem_of(a_tool(f"{path}r"), tmp_path) == ("E0620", says)


def test_a_folder_or_a_file_that_may_not_run_is_no_program(tmp_path: Path) -> None:
    (tmp_path / "bin/cooker").mkdir(parents=True)
    (tmp_path / "bin/plain").write_text("")
    says = "tool 'cooker': there is no program 'bin/cooker' in the project"
    assert problem_of(a_tool("bin/cooker"), tmp_path) == ("E0620", says)
    assert problem_of(a_tool("bin/plain"), tmp_path) == ("E0620", "tool 'cooker': 'bin/plain' may not be run")
    assert hint_of(a_tool("bin/plain"), tmp_path) == "make it a program: chmod +x bin/plain"


def test_a_plain_name_that_is_a_file_of_the_project_gets_the_hint_to_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    shell(tmp_path / "cooker", "")
    assert hint_of(a_tool("cooker"), tmp_path) == "the file of the project is ./cooker"


# --- identity ------------------------------------------------------------------------------------


def test_the_identity_of_a_program_is_the_digest_of_its_file_wherever_it_lies(tmp_path: Path) -> None:
    path = shell(tmp_path / "here/cooker", "echo 1")
    shell(tmp_path / "there/tool", "echo 1")
    tool = resolve_tool(a_tool("here/cooker"), str(tmp_path))
    with open(path, "rb") as file:
        assert tool.identity == "program " + digest(file.read()).hex()
    assert resolve_tool(a_tool("there/tool"), str(tmp_path)).identity == tool.identity
    shell(tmp_path / "here/cooker", "echo 2")
    assert resolve_tool(a_tool("here/cooker"), str(tmp_path)).identity != tool.identity


def test_the_identity_program_runs_nothing(tmp_path: Path) -> None:
    shell(tmp_path / "cooker", f"touch {tmp_path}/ran")
    assert resolve_tool(a_tool("./cooker", version=("-v",)), str(tmp_path)).version_text == ""
    assert not (tmp_path / "ran").exists()


def test_the_identity_version_is_what_the_version_command_prints(tmp_path: Path) -> None:
    shell(tmp_path / "cooker", '# one build\nprintf "cooker %s\\r\\nbuilt\\n\\n" "$1"')
    tool = a_tool("./cooker", identity="version", version=("4.3",))
    found = resolve_tool(tool, str(tmp_path))
    assert found.version_text == "cooker 4.3\nbuilt"
    assert found.identity == "version " + digest(b"cooker 4.3\nbuilt").hex()
    shell(tmp_path / "cooker", '# another build\necho "cooker $1"; echo built')
    assert resolve_tool(tool, str(tmp_path)).identity == found.identity


def test_a_version_on_standard_error_is_one_too(tmp_path: Path) -> None:
    shell(tmp_path / "cooker", "echo v1 >&2")
    assert resolve_tool(a_tool("./cooker", identity="version"), str(tmp_path)).version_text == "v1"


def test_a_version_that_is_not_utf8_is_text_all_the_same(tmp_path: Path) -> None:
    shell(tmp_path / "cooker", r"printf 'v\377\n'")
    assert resolve_tool(a_tool("./cooker", identity="version"), str(tmp_path)).version_text == r"v\xff"


def test_a_version_does_not_hang_on_the_surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell(tmp_path / "cooker", 'echo "$LANG $TZ ${MOOD-none}"')
    monkeypatch.setenv("LANG", "de_DE")
    monkeypatch.setenv("MOOD", "bad")
    assert (
        resolve_tool(a_tool("./cooker", identity="version"), str(tmp_path)).version_text == "C.UTF-8 UTC none"
    )


def test_the_identity_files_is_the_names_and_bytes_of_files_in_the_project(tmp_path: Path) -> None:
    shell(tmp_path / "cooker", "")
    for path in ("src/a.cpp", "src/lib/b.cpp", "src/lib/b.txt", "src/gen/c.cpp"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(path)
    tool = a_tool(
        "./cooker", identity="files", files=(pattern("src/**/*.cpp"), pattern("src/gen/**", takes_away=True))
    )
    found = resolve_tool(tool, str(tmp_path)).identity
    digests = {path: digest(path.encode()).hex() for path in ("src/a.cpp", "src/lib/b.cpp")}
    assert found == "files " + files_answer(digests)
    (tmp_path / "src/gen/c.cpp").write_text("other")
    shell(tmp_path / "cooker", "rebuilt")
    assert resolve_tool(tool, str(tmp_path)).identity == found
    (tmp_path / "src/lib/b.cpp").rename(tmp_path / "src/lib/c.cpp")
    assert resolve_tool(tool, str(tmp_path)).identity != found


def test_a_pattern_that_matches_nothing_is_an_error_at_the_pattern(tmp_path: Path) -> None:
    shell(tmp_path / "cooker", "")
    with pytest.raises(CookError) as caught:
        resolve_tool(a_tool("./cooker", identity="files", files=(pattern("src/*.cpp"),)), str(tmp_path))
    assert (
        str(caught.value)
        == "assets.yaml:6:20: error[E0623]: pattern 'src/*.cpp' of tool 'cooker' matches no file"
    )


def test_a_tool_known_by_its_files_need_not_be_built_until_it_must_run(tmp_path: Path) -> None:
    """design.md, section 7: "`.lumpyard/` alone is enough to ship without running a tool"."""
    (tmp_path / "a.cpp").write_text("a")
    tool = a_tool("build/cooker", identity="files", files=(pattern("*.cpp"),))
    assert resolve_tool(tool, str(tmp_path)).path == ""
    assert (
        problem_of(a_tool("build/cooker", identity="files", files=tool.files, expect="v1"), tmp_path)[0]
        == "E0620"
    )


# --- expectations --------------------------------------------------------------------------------


def test_a_tool_of_the_expected_version_is_taken(tmp_path: Path) -> None:
    shell(tmp_path / "cooker", "echo cooker v4.3.2")
    found = resolve_tool(a_tool("./cooker", expect="v4.3", version=("--version",)), str(tmp_path))
    assert found.version_text == "cooker v4.3.2"
    assert found.identity.startswith("program ")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("echo cooker v4.2; echo more", ("E0622", "tool 'cooker' is 'cooker v4.2', and 'v4.3' is expected")),
        ("exit 2", ("E0621", "tool 'cooker': its version command ended with status 2")),
        (
            "echo no such option >&2; echo usage >&2; exit 1",
            ("E0621", "tool 'cooker': its version command ended with status 1: no such option"),
        ),
        ("kill -9 $$", ("E0621", "tool 'cooker': its version command was ended by signal 9 (SIGKILL)")),
        (":", ("E0621", "tool 'cooker': its version command prints nothing")),
    ],
)
def test_another_version_or_none_is_an_error_at_the_tool(
    tmp_path: Path, text: str, expected: tuple[str, str]
) -> None:
    shell(tmp_path / "cooker", text)
    assert problem_of(a_tool("./cooker", expect="v4.3"), tmp_path) == expected


def test_a_version_command_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell(tmp_path / "cooker", f": {tmp_path}; sleep 600 & sleep 600")
    monkeypatch.setattr("lumpyard.build.tools.resolving._VERSION_TIMEOUT", 0.2)
    code, message = problem_of(a_tool("./cooker", expect="v4.3"), tmp_path)
    assert (code, message) == ("E0621", "tool 'cooker': its version command did not end within 0.2 s")
    assert processes_with(str(tmp_path)) == []


# --- stamps --------------------------------------------------------------------------------------


def test_a_stamp_reads_and_runs_nothing_and_holds_while_the_tool_is_the_same(tmp_path: Path) -> None:
    shell(tmp_path / "cooker", f"touch {tmp_path}/ran; echo v1")
    tool = a_tool("./cooker", identity="version")
    stamp = resolve_tool(tool, str(tmp_path)).stamp
    (tmp_path / "ran").unlink()
    assert stamp_tool(tool, str(tmp_path)) == stamp
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "change",
    [
        lambda root: shell(root / "two/cooker", "echo 22"),
        lambda root: shell(root / "one/cooker", ""),
        lambda root: (root / "two/cooker").unlink(),
        lambda root: (root / "two/cooker").chmod(0o644),
        lambda root: (root / "src/a.cpp").write_text("22"),
        lambda root: (root / "src/b.cpp").write_text(""),
        lambda root: (root / "src/a.cpp").rename(root / "src/c.cpp"),
    ],
    ids=[
        "edited",
        "another ahead on PATH",
        "gone",
        "not to be run",
        "source edited",
        "source added",
        "source renamed",
    ],
)
def test_a_stamp_differs_after_a_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], object]
) -> None:
    shell(tmp_path / "two/cooker", "echo 1")
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.cpp").write_text("1")
    monkeypatch.setenv("PATH", f"{tmp_path}/one:{tmp_path}/two")
    tool = a_tool("cooker", identity="files", files=(pattern("src/*"),))
    stamp = stamp_tool(tool, str(tmp_path))
    assert stamp_tool(tool, str(tmp_path)) == stamp
    change(tmp_path)
    assert stamp_tool(tool, str(tmp_path)) != stamp
