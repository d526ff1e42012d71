"""Parsed trees are kept by the digest of their bytes: a hit needs no YAML, and what is damaged is a miss."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tests.builders.documents import Files
from tests.manifest.test_values import WHOLE

from lumpyard.errors import ProblemsError
from lumpyard.manifest import load_manifest, syntax
from lumpyard.manifest.model import Node
from lumpyard.manifest.trees import MAGIC, Tree, decode_tree, encode_tree, load_tree


class MemoryCache:
    """A parse cache that counts."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}
        self.puts = 0

    def get(self, key: str) -> bytes | None:
        return self.kept.get(key)

    def put(self, key: str, data: bytes) -> None:
        self.puts += 1
        self.kept[key] = data


def test_a_kept_tree_comes_back_as_it_was() -> None:
    tree = load_tree("x.yaml", WHOLE.encode(), None)
    assert decode_tree(encode_tree(tree)) == tree


def test_a_hit_parses_nothing_and_means_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    cache = MemoryCache()
    files = Files({"assets.yaml": WHOLE})
    first = load_manifest("assets.yaml", files.read, cache)
    monkeypatch.setattr(syntax, "parse_yaml", None)
    assert load_manifest("assets.yaml", files.read, cache) == first
    assert cache.puts == 1


def test_a_hit_imports_no_yaml() -> None:
    program = (
        "import sys\n"
        "from lumpyard.manifest import load_manifest\n"
        "kept = {}\n"
        "class Cache:\n"
        "    get = staticmethod(kept.get)\n"
        "    put = staticmethod(kept.__setitem__)\n"
        "for _ in range(2):\n"
        "    load_manifest('a', lambda path: b'version: 1', Cache)\n"
        "    print([name for name in ('yaml', 'difflib', 'json') if sys.modules.pop(name, None)])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["['yaml']", "[]"]


def test_the_same_bytes_under_another_path_are_a_hit_with_places_there() -> None:
    cache = MemoryCache()
    for path in ("a.yaml", "b.yaml"):
        with pytest.raises(ProblemsError, match=path):
            load_manifest(path, lambda _: b"version: 1\nx: 1", cache)
    assert cache.puts == 1


def test_what_has_problems_of_yaml_is_not_kept() -> None:
    cache = MemoryCache()
    for document in ("version: 1\nsets: &x {}", "version: [", ""):
        with pytest.raises(ProblemsError):
            load_manifest("assets.yaml", Files({"assets.yaml": document}).read, cache)
    assert cache.puts == 0


def test_every_truncation_and_every_flipped_bit_of_a_kept_tree_is_a_miss() -> None:
    kept = encode_tree(load_tree("x.yaml", b"version: 1\nsets: {a: {files: [b, 'c']}}", None))
    for end in range(len(kept)):
        assert decode_tree(kept[:end]) is None
    for at in range(len(kept) * 8):
        damaged = bytearray(kept)
        damaged[at // 8] ^= 1 << at % 8
        assert decode_tree(bytes(damaged)) is None
    assert decode_tree(kept + b"\0") is None


def test_a_damaged_value_is_replaced() -> None:
    cache = MemoryCache()
    files = Files({"assets.yaml": WHOLE})
    first = load_manifest("assets.yaml", files.read, cache)
    (key,) = cache.kept
    good = cache.kept[key]
    for bad in (b"", b"garbage", MAGIC, good[:-1], b"lumpyard manifest tree 0" + good[24:]):
        cache.kept[key] = bad
        assert load_manifest("assets.yaml", files.read, cache) == first
        assert cache.kept[key] == good


def test_trees_that_say_different_things_have_different_digests() -> None:
    def digest(text: str) -> bytes:
        return load_tree("x.yaml", text.encode(), None).digest

    texts = [
        "[a, b]",
        "[[a, b]]",
        "[ab]",
        "[a, [b]]",
        "{a: b}",
        "{a: {b: }}",
        "[a, b, '']",
        "['a, b']",
        "ab",
        "[]",
        "{}",
        "''",
    ]
    assert len({digest(text) for text in texts}) == len(texts)
    assert digest("[a, b]") == digest("- a # one\n\n- 'b'\n")


def test_a_tree_is_plain_values() -> None:
    assert load_tree("x.yaml", b"a: 'b'", None)[:1] == (
        Node("map", ((Node("scalar", "a", 1, 1), Node("scalar", "b", 1, 4, quoted=True)),), 1, 1),
    )
    assert Tree._fields == ("root", "digest", "problems")
