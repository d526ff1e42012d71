"""A clean build writes, byte for byte, the archive that the tests' own writer makes of the same files."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.build.plain_games import NOISE, TEXT, a_game, packed, shipped
from tests.builders.collide import file_names_for_every_seed, file_pair
from tests.builders.projects import Game, Lump, expected, leftovers, stored

from lumpyard import lz4
from lumpyard.errors import Error

RANDOM = bytes((index * index * 31 + index * 7) % 251 for index in range(0, 4000, 13))
FORMS: dict[str, tuple[Any, dict[str, Any]]] = {  # what the manifest says, and what that means
    "none": ("none", {"codec": "none"}),
    "lz4": ("lz4", {"codec": "lz4", "min_saving": 0}),
    "lz4hc": ("lz4hc", {"codec": "lz4hc", "level": 9, "min_saving": 0}),
    "auto": ("auto", {"codec": "lz4", "min_saving": 5}),
    "level": ({"codec": "lz4hc", "level": 12}, {"codec": "lz4hc", "level": 12, "min_saving": 0}),
    "saving": ({"codec": "lz4", "min_saving": "60%"}, {"codec": "lz4", "min_saving": 60}),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_compress_stores_what_the_codec_and_the_policy_say(tmp_path: Path, form: str) -> None:
    said, policy = FORMS[form]
    files = {"text": TEXT, "noise": NOISE, "random": RANDOM, "one": b"x", "empty": b""}
    game = a_game(tmp_path, compress=said)
    game.write({f"art/{name}": data for name, data in files.items()})
    lumps = [Lump(name, data, **policy) for name, data in files.items()]
    assert packed(game) == expected(lumps, named=True)
    assert shipped(game) == expected(lumps)


def test_the_limits_of_saving_are_exact(tmp_path: Path) -> None:
    """Stored compressed where stored < raw and stored x 100 <= raw x (100 - min_saving)."""
    size = len(stored(TEXT, "lz4", 0, 0)[0])
    saved = 100 - -(-size * 100 // len(TEXT))  # the most whole percents that it saves
    for percent in (saved, saved + 1):
        game = a_game(tmp_path / str(percent), compress={"codec": "lz4", "min_saving": f"{percent}%"})
        game.write({"art/text": TEXT})
        assert shipped(game) == expected([Lump("text", TEXT, min_saving=percent)])
    assert len(shipped(game)) > len(TEXT), "one percent more, and it stays raw"


def test_ship_compress_replaces_the_codec_of_auto_and_keeps_its_saving(tmp_path: Path) -> None:
    manifest = {
        "sets": {
            "auto": {"files": "a/*", "rule": "raw"},
            "said": {"files": "b/*", "rule": "raw", "compress": "lz4"},
        },
        "archives": {"base": {"sets": ["auto", "said"]}},
        "ship": {"compress": {"codec": "lz4hc", "level": 12}},
    }
    game = Game(tmp_path, manifest)
    game.write({"a/text": TEXT, "a/random": RANDOM, "b/text": TEXT})
    said = Lump("b/text", TEXT, min_saving=0)
    raw = Lump("a/random", RANDOM, "lz4hc", 12)
    assert packed(game) == expected([Lump("a/text", TEXT), raw._replace(codec="lz4"), said], named=True)
    assert shipped(game) == expected([Lump("a/text", TEXT, "lz4hc", 12), raw, said])


@pytest.mark.parametrize("alignment", [1, 2, 16, 64, 4096])
@pytest.mark.parametrize("dedupe", [False, True])
def test_lumps_lie_at_the_archives_alignment_or_their_sets(
    tmp_path: Path, alignment: int, dedupe: bool
) -> None:
    manifest = {
        "sets": {
            "near": {"files": "near/*", "rule": "raw"},
            "far": {"files": "far/*", "rule": "raw", "alignment": 8192},
        },
        "archives": {"base": {"sets": ["near", "far"], "alignment": alignment, "dedupe": dedupe}},
    }
    game = Game(tmp_path, manifest)
    files = {
        "near/a": b"one",
        "near/b": TEXT,
        "near/c": b"",
        "far/a": b"one",
        "far/b": b"four",
        "near/d": b"four",
    }
    game.write(files)
    lumps = [
        Lump(name, data, alignment=8192 if name.startswith("far") else 1) for name, data in files.items()
    ]
    assert shipped(game) == expected(lumps, alignment=alignment, dedupe=dedupe)
    assert packed(game) == expected(lumps, alignment=alignment, dedupe=dedupe, named=True)


@pytest.mark.parametrize("copies", [1, 16, 17, 33, 40])
def test_a_shared_range_serves_sixteen_entries_and_the_seventeenth_places_a_new_one(
    tmp_path: Path, copies: int
) -> None:
    files = {f"copy-{number}": TEXT for number in range(copies)} | {"other": NOISE, "empty": b"", "none": b""}
    game = a_game(tmp_path, {"dedupe": True})
    game.write({f"art/{name}": data for name, data in files.items()})
    wanted = expected([Lump(name, data) for name, data in files.items()], dedupe=True)
    assert shipped(game) == wanted
    game.write({"art/other": RANDOM})  # now all else is copied
    assert game.ship().copied == copies + 2
    files["other"] = RANDOM
    assert game.read("dist/base.ewad") == expected(
        [Lump(name, data) for name, data in files.items()], dedupe=True
    )


def test_an_archive_without_lumps_is_a_header(tmp_path: Path) -> None:
    game = a_game(tmp_path, optional=True)
    assert shipped(game) == expected([])
    assert packed(game) == expected([], named=True)


@pytest.mark.parametrize("sizes", [(0,), (0, 0, 0), (5, 0), (0, 5), (70_000, 0)])
def test_empty_lumps_are_placed_and_a_last_one_ends_the_file_at_its_offset(
    tmp_path: Path, sizes: tuple[int, ...]
) -> None:
    # Enough names for the empty lump to come first, last and in between.
    for attempt in range(4):
        files = {f"{attempt}-{index}": b"z" * size for index, size in enumerate(sizes)}
        game = a_game(tmp_path / str(attempt), {"alignment": 4096}, compress="none")
        game.write({f"art/{name}": data for name, data in files.items()})
        lumps = [Lump(name, data, "none") for name, data in files.items()]
        assert shipped(game) == expected(lumps, alignment=4096)


def test_a_wide_gap_is_zero_and_takes_no_room(tmp_path: Path) -> None:
    game = a_game(tmp_path, {"alignment": 1 << 20}, compress="none")
    game.write({"art/a": b"one", "art/b": b"two", "art/c": b"three"})
    lumps = [Lump("a", b"one", "none"), Lump("b", b"two", "none"), Lump("c", b"three", "none")]
    assert shipped(game) == expected(lumps, alignment=1 << 20)
    assert (tmp_path / "dist/base.ewad").stat().st_blocks * 512 < 1 << 20


def test_the_seed_moves_on_where_two_names_have_one_key(tmp_path: Path) -> None:
    name, twin = file_pair(0)
    game = a_game(tmp_path)
    game.write({f"art/{name}": b"one", f"art/{twin}": b"two"})
    assert shipped(game) == expected([Lump(name, b"one"), Lump(twin, b"two")], seed=1)


def test_names_that_collide_under_every_seed_are_one_clear_error(tmp_path: Path) -> None:
    game = a_game(tmp_path)
    game.write({f"art/{name}": b"" for name in file_names_for_every_seed()})
    with pytest.raises(Error) as caught:
        game.ship()
    assert caught.value.exit_status == 2
    assert "seed" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "dist/base.ewad").exists()
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize("dedupe", [False, True])
def test_files_that_go_through_in_pieces_are_lumps_like_others(tmp_path: Path, dedupe: bool) -> None:
    large = (TEXT + RANDOM) * (5_000_000 // len(TEXT + RANDOM))
    files = {"a": large, "b": b"small", "c": large, "d": large[:-1], "e": b"", "f": TEXT}
    game = a_game(tmp_path, {"dedupe": dedupe}, compress="none")
    game.write({f"art/{name}": data for name, data in files.items()})
    lumps = [Lump(name, data, "none") for name, data in files.items()]
    assert shipped(game) == expected(lumps, dedupe=dedupe)
    game.write({"art/b": b"other"})
    assert game.ship().work == (0, 0)
    lumps[1] = Lump("b", b"other", "none")
    assert game.read("dist/base.ewad") == expected(lumps, dedupe=dedupe)


def test_auto_leaves_what_is_above_64_mib_raw(tmp_path: Path) -> None:
    game = a_game(tmp_path)
    for name, size in (("small", 64 << 20), ("large", (64 << 20) + 1)):
        game.write({f"art/{name}": b""})
        os.truncate(tmp_path / "art" / name, size)
    lumps = [Lump("small", bytes(64 << 20)), Lump("large", bytes((64 << 20) + 1), "none")]
    assert packed(game) == expected(lumps, named=True)


@pytest.mark.parametrize("form", ["none", "lz4", "lz4hc", "auto"])
def test_what_no_block_can_hold_is_raw_with_a_warning_where_a_codec_was_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    """ "Above 2,113,929,216 bytes no block can be made: raw, with a warning where a codec was asked for"."""
    monkeypatch.setattr(lz4, "MAX_INPUT", 1000)
    game = a_game(tmp_path, compress=form)
    game.write({"art/most": bytes(1000), "art/more": bytes(1001)})
    warnings = game.ship().warnings
    asked = form in ("lz4", "lz4hc")
    text = "lump 'more' is stored raw: it has 1,001 bytes, and LZ4 takes 1,000 at most"
    assert warnings == ((f"assets.yaml:4:3: warning[W0603]: {text}",) if asked else ())
    codec = "lz4" if form == "auto" else form
    lumps = [Lump("most", bytes(1000), codec), Lump("more", bytes(1001), "none")]
    assert game.read("dist/base.ewad") == expected(lumps)


PIECES = st.sampled_from([b"", b"x", b"abc", b"words and words ", bytes(range(64)), b"\0" * 40])
DATA = st.builds(lambda piece, times, tail: piece * times + tail, PIECES, st.integers(1, 60), PIECES)
NAMES = st.text(alphabet="abcXY._-é", min_size=1, max_size=8).filter(
    lambda name: not name.startswith(".") and not name.endswith(("~", "."))
)
SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "compress": st.sampled_from(
            ["none", "lz4", "lz4hc", "auto", {"codec": "lz4hc", "level": 4, "min_saving": "20%"}]
        ),
        "alignment": st.sampled_from([16, 32, 256]),
        "type": st.sampled_from(["ABCD", "a..z"]),
        "schema": st.integers(0, 65535),
    },
)
POLICIES: dict[str, dict[str, Any]] = {
    "none": {"codec": "none"},
    "lz4": {"codec": "lz4", "min_saving": 0},
    "lz4hc": {"codec": "lz4hc", "level": 9, "min_saving": 0},
    "auto": {"codec": "lz4", "min_saving": 5},
}


def wanted_lump(name: str, data: bytes, said: dict[str, Any]) -> Lump:
    """A lump of a set, from what the manifest says of the set."""
    compress = said.get("compress", "auto")
    policy = (
        POLICIES[compress] if isinstance(compress, str) else {"codec": "lz4hc", "level": 4, "min_saving": 20}
    )
    return Lump(
        name,
        data,
        **policy,
        fourcc=said.get("type", ""),
        schema=said.get("schema", 0),
        alignment=said.get("alignment", 1),
    )


@given(
    sets=st.lists(st.tuples(SETTINGS, st.dictionaries(NAMES, DATA, max_size=5)), min_size=1, max_size=3),
    alignment=st.sampled_from([1, 4, 16]),
    dedupe=st.booleans(),
    seed=st.sampled_from([0, 1, 2**64 - 1]),
)
@settings(max_examples=40)
def test_whatever_a_small_project_holds_both_archives_are_what_the_plain_writer_makes(
    sets: list[tuple[dict[str, Any], dict[str, bytes]]], alignment: int, dedupe: bool, seed: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        manifest: dict[str, Any] = {
            "seed": seed,
            "sets": {
                f"s{number}": {"files": f"s{number}/*", "rule": "raw", "optional": True, **said}
                for number, (said, _) in enumerate(sets)
            },
            "archives": {
                "base": {
                    "sets": [f"s{number}" for number in range(len(sets))],
                    "alignment": alignment,
                    "dedupe": dedupe,
                }
            },
        }
        game = Game(Path(folder), manifest)
        lumps = []
        for number, (said, files) in enumerate(sets):
            game.write({f"s{number}/{name}": data for name, data in files.items()})
            lumps += [wanted_lump(f"s{number}/{name}", data, said) for name, data in files.items()]
        for name in ("ship:base", "pack:base"):
            game.run(name)
        for folder_name, named in (("dist", False), ("build", True)):
            made = game.read(f"{folder_name}/base.ewad")
            assert made == expected(lumps, alignment=alignment, dedupe=dedupe, seed=seed, named=named)
        assert leftovers(Path(folder)) == []
