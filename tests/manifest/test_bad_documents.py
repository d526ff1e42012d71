"""Every mistake in a manifest is told at its exact place, and all of them at once; see bad_documents.txt."""

from __future__ import annotations

import pytest
import yaml
from tests.builders.documents import Files, Told, files_of, load, told_of, unmarked
from tests.manifest.bad_documents import BadDocument, read_bad_documents

from lumpyard.errors import DiskError, ProblemsError
from lumpyard.manifest import codes, load_manifest
from lumpyard.plan import codes as plan_codes

DOCUMENTS = read_bad_documents()
NOT_TEXT = "in double quotes it can be written as an escape"

# What no text file should hold, or is too long to show.
ODD_DOCUMENTS = [
    ("a:\n§\t- b\n", "E0104", "a tab where YAML wants spaces", "indent with spaces"),
    ("# é\na: é§\x07\n", "E0102", "the character U+0007 can't stand in a manifest", NOT_TEXT),
    ("a: b§\x00", "E0102", "the character U+0000 can't stand in a manifest", NOT_TEXT),
    ("# a§\u2028b\n", "E0102", "the character U+2028 can't stand in a manifest", NOT_TEXT),
    ("# a§\x9b31m\n", "E0102", "the character U+009B can't stand in a manifest", NOT_TEXT),
    (
        "§\ufeffversion: 1\n",
        "E0102",
        "the file starts with a byte order mark",
        "save it as UTF-8 without one",
    ),
    (f"version: 1\nseed: §{'9' * 5000}", "E0123", f"{'9' * 57}... is out of range, which is 0 to 2^64-1", ""),
    ("version: 1\r\nsets:\r\n  a: {§x: 1, files: b}\r\n", "E0120", "unknown key 'x' in set 'a'", None),
    ("version: 1\rsets: {a: {files: §a//b}}\r", "E0130", None, None),
]

UNREADABLE = [
    ({}, Told("assets.yaml", "E0101", "there is no such manifest", "`lumpyard init` makes one")),
    (
        {"assets.yaml": PermissionError(13, "Permission denied")},
        Told("assets.yaml", "E0101", "the manifest can't be read: permission denied"),
    ),
    (
        {"assets.yaml": DiskError("cannot read assets.yaml: it is a FIFO")},
        Told("assets.yaml", "E0101", "the manifest can't be read: cannot read assets.yaml: it is a FIFO"),
    ),
    (
        {"assets.yaml": "version: 1\ninclude: [x]", "x": IsADirectoryError(21, "Is a directory")},
        Told("assets.yaml:2:11", "E0143", "manifest 'x' can't be read: is a directory"),
    ),
    (
        {"assets.yaml": b"version: 1\n# caf\xe9"},
        Told("assets.yaml:2:6", "E0102", "byte 0xe9 is not UTF-8", "save the file as UTF-8"),
    ),
    (
        {"assets.yaml": "version: 1".encode("utf-16")},
        Told("assets.yaml:1:1", "E0102", "the file is UTF-16", "save it as UTF-8"),
    ),
    (
        {"assets.yaml": b"#" * (1 << 20) + b"\n"},
        Told(
            "assets.yaml",
            "E0103",
            "the file has 1048577 bytes; 1 MiB is the most",
            "name files by patterns, or split it with `include`",
        ),
    ),
    (
        {"assets.yaml": "# nothing\n"},
        Told("assets.yaml", "E0105", "the manifest is empty", "start with `version: 1`"),
    ),
    ({"assets.yaml": ""}, Told("assets.yaml", "E0105", "the manifest is empty", "start with `version: 1`")),
]


@pytest.fixture(params=["libyaml", "python"], autouse=True)
def yaml_parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each document is told alike whether or not PyYAML was built with libyaml."""
    if request.param == "python":
        monkeypatch.delattr(yaml, "CSafeLoader")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.told[0].code)
def test_each_mistake_is_told_at_its_place(document: BadDocument) -> None:
    assert told_of(dict(document.files)) == document.told


@pytest.mark.parametrize(("document", "code", "message", "hint"), ODD_DOCUMENTS)
def test_what_no_text_should_hold_is_told_at_its_place(
    document: str, code: str, message: str | None, hint: str | None
) -> None:
    text, places = unmarked("assets.yaml", document.replace("\r\n", "\n").replace("\r", "\n"))
    assert text.count("\n") == len(document.replace("\r\n", "\n").replace("\r", "\n").split("\n")) - 1
    (told,) = told_of(files_of(document.replace("§", "")))
    assert told[:2] == (*places, code)
    assert message in (None, told.message)
    assert hint in (None, told.hint)


@pytest.mark.parametrize(("files", "told"), UNREADABLE)
def test_a_manifest_that_cannot_be_read_is_told_alone(
    files: dict[str, str | bytes | Exception], told: Told
) -> None:
    assert told_of(files) == [told]


def test_what_nests_a_thousand_deep_in_one_line_is_told_as_such() -> None:
    """Libyaml refuses it before it gives the line's first event, so at another column than PyYAML's own parser."""
    (told,) = told_of({"assets.yaml": f"version: 1\nsets: {'[' * 5000}{']' * 5000}"})
    assert (told.code, told.message) == ("E0103", "nested deeper than 32 levels")


def test_problems_of_all_files_come_at_once_sorted_by_place() -> None:
    told = told_of(
        files_of(
            "version: 1\ninclude: [1.yaml, gone.yaml]\nsets:\n  b: {files: x, y: 1}\n  a: {schema: x}\n",
            "sets: {c: {}}\n",
        )
    )
    assert [(problem.place, problem.code) for problem in told] == [
        ("1.yaml:1:8", "E0121"),
        ("assets.yaml:2:19", "E0143"),
        ("assets.yaml:4:17", "E0120"),
        ("assets.yaml:5:3", "E0121"),
        ("assets.yaml:5:15", "E0122"),
    ]


def test_a_manifest_in_a_folder_names_its_problems_from_the_project_folder() -> None:
    files = Files({"game/assets.yaml": "version: 1\ninclude: sub/more.yaml", "game/sub/more.yaml": "x: 1"})
    with pytest.raises(ProblemsError) as caught:
        load_manifest("game/assets.yaml", files.read)
    assert [str(problem.place) for problem in caught.value.problems] == ["game/sub/more.yaml:1:1"]
    assert files.reads == ["game/assets.yaml", "game/sub/more.yaml"]


def test_includes_that_nest_without_end_are_refused() -> None:
    def read(path: str) -> bytes:
        depth = int(path.removesuffix(".yaml"))
        return f"version: 1\ninclude: {depth + 1}.yaml".encode()

    with pytest.raises(ProblemsError) as caught:
        load_manifest("0.yaml", read)
    assert [(str(problem.place), problem.code) for problem in caught.value.problems] == [
        ("32.yaml:2:10", "E0103")
    ]


def test_a_message_stays_on_one_line_whatever_it_quotes() -> None:
    (told,) = told_of(files_of('version: 1\nsets: {a: {files: b, compress: "x\\n\\e[31m"}}'))
    assert told.message == 'expected one of none, lz4, lz4hc, auto, found the text "x\\n\\x1b[31m"'


WARNED = "version: 1\nsets: {a: {files: b}}\narchives: {b: {sets: []}}\nbudgets: [{set: a, size: 1}]"


def test_every_code_is_told_of_some_document() -> None:
    told = {problem.code for document in DOCUMENTS for problem in document.told}
    told |= {code for _, code, *_ in ODD_DOCUMENTS} | {problem.code for _, problem in UNREADABLE}
    told |= {problem.code for problem in load(WARNED).warnings}
    assert set(codes.MEANINGS) - told == {codes.OPTIONS}  # test_options.py has that one


def test_no_code_means_two_things() -> None:
    assert not set(codes.MEANINGS) & set(plan_codes.MEANINGS)
