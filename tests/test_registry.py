"""The registry: rules of packages, what they are made of, which one takes a file, and what is said of them."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from blake3 import blake3
from hypothesis import given
from hypothesis import strategies as st
from tests.builders.rule_files import PLAIN, installing, load, output

from lumpyard.errors import RuleError
from lumpyard.registry import (
    Registered,
    RuleTable,
    describe,
    environment_versions,
)
from lumpyard.registry.digest import rule_digest
from lumpyard.rule import Product, Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


def test_the_built_in_rules_come_through_the_entry_points_of_the_package() -> None:
    text = (Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8")
    points = tomllib.loads(text)["project"]["entry-points"]["lumpyard.rules"]
    table = load({})
    assert set(points) <= set(table.by_kind)
    for kind in points:
        entry = table.by_kind[kind]
        assert entry.rule.kind == kind
        assert entry.distribution == "lumpyard"
        assert entry.origin.startswith("lumpyard ")
        assert entry.files == entry.missing == ()


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """A function that puts a distribution with one entry point, and a module, on the path."""
    with installing(tmp_path, monkeypatch) as install:
        yield install


def test_a_package_of_somebody_else_brings_its_rule(install: Any) -> None:
    install("acme-rules", "level", "acme_good", PLAIN.format(data="b'acme'"))
    table = load({})
    entry = table.by_kind["level"]
    assert (entry.origin, entry.distribution, output(entry)) == ("acme-rules 1.2", "acme-rules", b"acme")
    assert table.distributions == ("acme-rules", "lumpyard")
    assert environment_versions(["acme-rules", "no-such-thing"]) == {"acme-rules": "1.2", "no-such-thing": ""}


@pytest.mark.parametrize(
    ("point", "code", "message"),
    [
        (
            "level",
            "import no_such_module",
            "does not load: ModuleNotFoundError: No module named 'no_such_module'",
        ),
        ("level", "x = 1", "does not load: AttributeError: module 'acme_bad' has no attribute 'RULE'"),
        ("level", "raise SystemExit('stop\\nit')", "does not load: SystemExit: stop it"),
        ("level", "RULE = 1", "is of type int, not a lumpyard.rule.Rule"),
        ("other", PLAIN, "is named 'other', but its rule has kind 'level'; both must be the same"),
        (
            "level",
            PLAIN.replace("version=1", "version=0"),
            "does not load: TypeError: rule 'level': version must be 1 or more",
        ),
        (
            "level",
            PLAIN.replace("version=1", "version=1, libraries=('no-such-lib',)"),
            "is not usable: rule 'level' needs no-such-lib, not installed here",
        ),
    ],
)
def test_a_broken_package_is_named_with_its_entry_point(
    install: Any, point: str, code: str, message: str
) -> None:
    install("acme-rules", point, "acme_bad", code.replace("{data}", "b''"))
    with pytest.raises(RuleError) as caught:
        load({})
    assert str(caught.value) == f"entry point '{point}' (acme_bad:RULE) of acme-rules 1.2 {message}"


def test_two_packages_with_one_kind_are_both_named(install: Any) -> None:
    install("acme-rules", "level", "acme_one", PLAIN.format(data="b''"))
    install("zeta-rules", "level", "zeta_two", PLAIN.format(data="b''"))
    with pytest.raises(
        RuleError, match=r"rule 'level' is in two distributions, acme-rules 1\.2 and zeta-rules 1\.2"
    ):
        load({})


def rule(kind: str, *suffixes: str, **more: Any) -> Registered:
    made = Rule(kind=kind, version=1, cook=lambda *_: (), suffixes=set(suffixes), **more)
    return Registered(made, "here 1", "", "here")


TABLE = RuleTable(
    {entry.rule.kind: entry for entry in (rule("gz", ".gz"), rule("tar", ".tar.gz"), rule("b", ".gz"))}
)


@pytest.mark.parametrize(
    ("path", "kinds"),
    [
        ("a.gz", ["b", "gz"]),
        ("x/A.GZ", ["b", "gz"]),
        ("a.tar.gz", ["tar"]),
        ("a.b.Tar.Gz", ["tar"]),
        ("a.tar.gz.txt", []),
        ("a", []),
        (".gz", []),
        ("x/.gz", []),
        (".a.gz", ["b", "gz"]),
        ("x.gz/a", []),
        ("agz", []),
        ("", []),
    ],
)
def test_the_longest_suffix_of_the_file_name_wins(path: str, kinds: list[str]) -> None:
    assert [entry.rule.kind for entry in TABLE.for_suffix(path)] == kinds


@given(stem=st.text("ab./"), suffix=st.sampled_from([".gz", ".tar.gz"]))
def test_a_file_with_a_stem_and_a_suffix_has_a_rule(stem: str, suffix: str) -> None:
    found = TABLE.for_suffix(f"{stem}x{suffix}")
    assert [entry.rule.kind for entry in found] == (["tar"] if suffix == ".tar.gz" else ["b", "gz"])


def test_a_rule_digest_changes_with_what_decides_its_output_and_with_nothing_else() -> None:
    def digest(code: Mapping[str, bytes] = {}, lib: str = "1", **rule: Any) -> str:
        values = {"kind": "x", "version": 1, "cook": print, "libraries": ("lib",), **rule}
        return rule_digest(Rule(**values), {"lib": lib}, code)

    base = digest()
    assert base == digest(summary="other", suffixes={".x"}, costly=True, cook=repr) == digest(code={})
    changed = [
        digest(kind="y"),
        digest(version=2),
        digest(lib="2"),
        digest(libraries=()),
        digest(code={"a.py": b""}),
        digest(code={"a.py": b"1"}),
        digest(code={"b.py": b"1"}),
        digest(code={"a.py": b"", "b.py": b"1"}),
    ]
    assert len({base, *changed}) == len(changed) + 1


def test_the_digest_is_a_known_value() -> None:
    """It enters every cook digest: a change of it recooks every project."""
    made = Rule(kind="level", version=3, cook=lambda *_: (), libraries=("b", "a"))
    fields = ["lumpyard rule 1", "level", "3", "library", "a 1", "library", "b 2", "file", "t/r.py", "code"]
    expected = blake3(b"".join(len(field).to_bytes(8, "little") + field.encode() for field in fields))
    assert rule_digest(made, {"a": "1", "b": "2"}, {"t/r.py": b"code"}) == expected.hexdigest()


def test_the_registry_imports_nothing_heavy_until_rules_are_loaded() -> None:
    code = "import sys, lumpyard.registry; print(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"importlib.metadata", "blake3", "xxhash", "lz4", "yaml", "rich", "json", "lumpyard_rules"}
    assert not heavy & set(result.stdout.split())


def test_a_description_is_plain_json_sorted_by_kind() -> None:
    described = describe(load({}))
    assert json.loads(json.dumps(described)) == described
    kinds = [entry["kind"] for entry in described]
    assert kinds == sorted(kinds)
    text = next(entry for entry in described if entry["kind"] == "text")
    assert text["options"][0] == {
        "name": "newline",
        "type": "lf|crlf|keep",
        "required": False,
        "default": "lf",
        "doc": "what every LF, CR LF or lone CR becomes",
    }
    assert all(option["doc"] for entry in described for option in entry["options"])
    assert all(entry["summary"] for entry in described)


def test_products_default_to_the_one_announced_lump() -> None:
    made = Rule(kind="x", version=1, cook=lambda *_: [Product(b"")])
    assert made.products("name", made.options()) == ("name",)
