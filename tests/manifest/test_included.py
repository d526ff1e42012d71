"""Manifests of several files: in which order they count, which defaults reach where, and the digest of all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.builders.documents import Files, load, told_of

from lumpyard.manifest import load_manifest

if TYPE_CHECKING:
    from lumpyard.manifest.model import Manifest


def test_a_manifest_in_a_folder_means_paths_in_it_and_may_go_up_inside_the_project() -> None:
    manifest = _load_files(
        {
            "assets.yaml": "version: 1\ninclude: levels/all.yaml\nsets: {a: {files: x}}\nclaim: 'a/**'",
            "levels/all.yaml": """\
sets:
  here: {files: "*.map"}
  below: {files: "*.map", root: ./e1//}
  beside: {files: "*.png", root: ../art}
  top: {files: "*.png", root: ..}
claim: "**"
rules: [level_rule.py]
mounts: [../../shared, {path: sub/../m, at: x/y/}]
tools:
  t: {program: bin/t, identity: {files: ["src/*.c"]}}
  u: {program: u}
  v: {program: /usr/bin/v}
  w: {program: ../w.sh}
""",
        }
    )
    assert {name: lump_set.root for name, lump_set in manifest.sets.items()} == {
        "here": "levels",
        "below": "levels/e1",
        "beside": "art",
        "top": "",
        "a": "",
    }
    assert [pattern.text for pattern in manifest.claim] == ["levels/**", "a/**"]
    assert [rule.text for rule in manifest.rules] == ["levels/level_rule.py"]
    assert [(mount.path, mount.at) for mount in manifest.mounts] == [("../shared", ""), ("levels/m", "x/y")]
    assert [tool.program for tool in manifest.tools.values()] == ["levels/bin/t", "u", "/usr/bin/v", "./w.sh"]
    assert manifest.tools["t"].files[0].text == "levels/src/*.c"
    assert manifest.files == ("assets.yaml", "levels/all.yaml")


def test_patterns_of_a_manifest_in_an_odd_folder_mean_that_folder() -> None:
    manifest = _load_files({"assets.yaml": "version: 1\ninclude: 'a[1]/b.yaml'", "a[1]/b.yaml": "claim: '*'"})
    assert manifest.claim[0].text == "a[[]1]/*"


def test_included_manifests_come_first_in_the_order_of_their_list() -> None:
    manifest = _load_files(
        {
            "assets.yaml": "version: 1\ninclude: [b.yaml, c.yaml]\nmounts: [m1]\nsets: {s1: {files: x}}",
            "b.yaml": "version: 1\nmounts: [m2]\nsets: {s2: {files: x}}\narchives: {z: {sets: [s1, s2, s3]}}",
            "c.yaml": "include: d.yaml\nmounts: [m3]\nsets: {s3: {files: x}}",
            "d.yaml": "mounts: [m4]\narchives: {a: {sets: s1}}",
        }
    )
    assert [mount.path for mount in manifest.mounts] == ["m2", "m4", "m3", "m1"]
    assert list(manifest.sets) == ["s2", "s3", "s1"]
    assert list(manifest.archives) == ["z", "a"]


def test_defaults_reach_the_sets_of_included_manifests_whose_own_defaults_beat_them() -> None:
    manifest = _load_files(
        {
            "assets.yaml": "version: 1\ninclude: b.yaml\ndefaults: {schema: 1, type: AAAA}\nsets: {s1: {files: x}}",
            "b.yaml": "include: c.yaml\ndefaults: {schema: 2}\nsets: {s2: {files: x}}",
            "c.yaml": "sets: {s3: {files: x}}",
        }
    )
    assert {name: s.settings.schema for name, s in manifest.sets.items()} == {"s1": 1, "s2": 2, "s3": 2}
    assert {s.settings.fourcc for s in manifest.sets.values()} == {"AAAA"}


def test_a_manifest_that_two_others_include_is_read_once() -> None:
    files = {
        "assets.yaml": "version: 1\ninclude: [b.yaml, c.yaml, ./b.yaml]",
        "b.yaml": "include: d.yaml",
        "c.yaml": "include: d.yaml",
        "d.yaml": "sets: {a: {files: x}}",
    }
    assert told_of(dict(files)) == []
    assert _load_files(files).files == ("assets.yaml", "b.yaml", "d.yaml", "c.yaml")


# What says the same has the same digest, and what says anything else has another.
SAME = [
    "version: 1\nsets:\n  a: {files: b, type: TEXT}\n",
    "# comment\nversion: 1\n\nsets:\n    a:\n        files: 'b' # another\n        type: \"TEXT\"\n",
]
OTHERS = [
    "version: 1\nsets: {a: {files: c, type: TEXT}}",
    "version: 1\nsets: {a: {files: [b], type: TEXT}}",
    "version: 1\nsets: {a: {type: TEXT, files: b}}",
    "version: 1\nsets: {a: {files: b, type: TEXT, optional: false}}",
    "version: 1\nsets: {a: {files: b, type: TEXT}}\narchives: {}",
]


def test_the_digest_is_of_what_is_said_not_of_how() -> None:
    digests = [load(document).digest for document in (*SAME, *OTHERS)]
    assert digests[0] == digests[1]
    assert len(set(digests)) == 1 + len(OTHERS)
    assert len(digests[0]) == 64


def test_the_digest_covers_included_manifests_and_their_names() -> None:
    def digest(name: str, text: str) -> str:
        return _load_files({"assets.yaml": "version: 1\ninclude: " + name, name: text}).digest

    assert len({digest("a.yaml", "{}"), digest("b.yaml", "{}"), digest("a.yaml", "sets: {}")}) == 3


def _load_files(files: dict[str, str]) -> Manifest:
    return load_manifest("assets.yaml", Files(dict(files)).read)
