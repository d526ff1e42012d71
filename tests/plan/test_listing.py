"""Which files a set takes, and every way in which a pattern can go wrong."""

from __future__ import annotations

from tests.builders.manifests import a_manifest, a_set, an_archive, place
from tests.builders.plans import a_plan, problems_of, warnings_of
from tests.builders.tree import MemoryTree

from lumpyard.manifest.model import Mount, Named
from lumpyard.plan.listing import MOST_GUESSES

OPTIONAL = "`optional: true` on the set lets its patterns match nothing"


def sources(*args: object, tree: MemoryTree, **said: object) -> list[str]:
    plan = a_plan(a_manifest(a_set("s", *args, **said)), tree)  # type: ignore[arg-type]
    return [path for lump in plan.lumps for path in lump.sources]


def test_an_exclamation_mark_takes_from_all_of_the_set_wherever_it_stands() -> None:
    tree = MemoryTree("a.png", "b.png", "b.txt")
    assert sources(["!b.*", "*.png", "*.txt", "a.png"], tree=tree) == ["a.png"]


def test_patterns_are_relative_to_root() -> None:
    tree = MemoryTree("art/a.png", "a.png", "art/ui/b.png")
    assert sources("**/*.png", root="art", tree=tree) == ["art/a.png", "art/ui/b.png"]


def test_folders_that_lumpyard_writes_are_not_entered_in_the_project_folder_alone() -> None:
    own = [f"{folder}/x" for folder in (".git", ".lumpyard", "build", "dist", "symbols")]
    tree = MemoryTree(*own, "art/build/x", "x")
    plan = a_plan(a_manifest(a_set("s", "**"), ignore=()), tree)
    assert [lump.name for lump in plan.lumps] == ["art/build/x", "x"]


def test_ignored_names_are_never_taken_neither_files_nor_folders() -> None:
    tree = MemoryTree(
        "a.bak", "old.bak/b.txt", "art/Thumbs.db", "art/.hidden", "art/c.txt", "art/old.bak/d.txt"
    )
    manifest = a_manifest(
        a_set("s", ["**", "art/.hidden"], optional=True), ignore=(".*", "Thumbs.db", "*.bak")
    )
    assert [lump.name for lump in a_plan(manifest, tree).lumps] == ["art/c.txt"]


def test_a_root_may_have_an_ignored_name() -> None:
    assert sources("*", root=".art", tree=MemoryTree(".art/a")) == [".art/a"]


def test_a_mounted_folder_is_seen_where_it_is_mounted_though_no_listing_shows_it() -> None:
    tree = MemoryTree("a.txt")
    tree.add_hidden("vendor/art", "b.txt")
    mounts = (Mount("../art", "vendor/art", place(5)),)
    manifest = a_manifest(a_set("all", "**"), mounts=mounts)
    assert [lump.name for lump in a_plan(manifest, tree).lumps] == ["a.txt", "vendor/art/b.txt"]
    rooted = a_manifest(a_set("own", "*", root="vendor/art"), mounts=mounts)
    assert [lump.sources for lump in a_plan(rooted, tree).lumps] == [("vendor/art/b.txt",)]


def test_a_pattern_that_matches_nothing_is_an_error_at_the_pattern() -> None:
    tree = MemoryTree("art/a.png")
    assert problems_of(a_manifest(a_set("s", ["**/*.tga", "**/*.png", "art/[x]*"])), tree) == [
        f"assets.yaml:12:12: error[E0203]: no file matches '**/*.tga' in the project folder ({OPTIONAL})",
        f"assets.yaml:12:16: error[E0203]: no file matches 'art/[x]*' in the project folder ({OPTIONAL})",
    ]


def test_patterns_of_an_optional_set_may_match_nothing() -> None:
    manifest = a_manifest(a_set("s", ["x/*.png", "!y/**", "z"], optional=True))
    assert warnings_of(manifest, MemoryTree("a")) == []


def test_a_plain_path_that_is_not_there_has_the_nearest_as_a_hint() -> None:
    tree = MemoryTree("art/wall.png")
    assert problems_of(a_manifest(a_set("s", "wal.png", root="art")), tree) == [
        "assets.yaml:12:12: error[E0203]: no file matches 'wal.png' in art (did you mean 'wall.png'?)"
    ]


def test_a_missing_folder_on_the_way_is_named() -> None:
    tree = MemoryTree("art/textures/a.png")
    assert problems_of(a_manifest(a_set("s", "texture/**/*.png", root="art")), tree) == [
        (
            "assets.yaml:12:12: error[E0203]: no file matches 'texture/**/*.png' in art: there is no"
            " folder art/texture"
            " (did you mean 'textures'?)"
        )
    ]


def test_a_file_on_the_way_is_named() -> None:
    tree = MemoryTree("art/textures")
    assert problems_of(a_manifest(a_set("s", "art/textures/*.png")), tree) == [
        (
            "assets.yaml:12:12: error[E0203]: no file matches 'art/textures/*.png' in the project folder:"
            " art/textures is"
            f" a file, not a folder ({OPTIONAL})"
        )
    ]


def test_a_link_out_of_the_project_on_the_way_is_named() -> None:
    tree = MemoryTree("art/a", odd={"art/ext": "a link that leaves the project"})
    assert problems_of(a_manifest(a_set("s", "art/ext/*.png")), tree) == [
        (
            "assets.yaml:12:12: error[E0203]: no file matches 'art/ext/*.png' in the project folder:"
            " art/ext is"
            f" a link that leaves the project, not a folder ({OPTIONAL})"
        )
    ]


def test_case_matters_and_a_hint_says_so() -> None:
    tree = MemoryTree("art/A.PNG", "Sound/b.wav")
    assert problems_of(a_manifest(a_set("s", ["art/*.png", "sound/*.wav"])), tree) == [
        (
            "assets.yaml:12:12: error[E0203]: no file matches 'art/*.png' in the project folder"
            " (case matters: there is art/A.PNG)"
        ),
        (
            "assets.yaml:12:14: error[E0203]: no file matches 'sound/*.wav' in the project folder:"
            " there is no folder sound (did you mean 'Sound'?)"
        ),
    ]


def test_a_pattern_for_what_is_ignored_is_told_so() -> None:
    tree = MemoryTree(".cfg/a.txt", "a.txt")
    assert problems_of(a_manifest(a_set("s", ".cfg/*.txt")), tree) == [
        (
            "assets.yaml:12:12: error[E0203]: no file matches '.cfg/*.txt' in the project folder"
            " (`ignore` leaves out every '.cfg')"
        )
    ]


def test_a_root_that_is_not_there_is_one_error_for_all_patterns() -> None:
    tree = MemoryTree("assets/a.png")
    assert problems_of(a_manifest(a_set("s", ["*.png", "*.tga"], root="asets/ui")), tree) == [
        "assets.yaml:11:12: error[E0201]: root 'asets/ui': there is no folder asets (did you mean 'assets'?)"
    ]
    assert warnings_of(a_manifest(a_set("s", "*.png", root="asets", optional=True)), tree) == []


def test_files_that_a_task_makes_have_it_as_the_hint() -> None:
    """As for `lumpyard check` in a fresh clone, where nothing was generated yet."""
    after = (Named("tables", place(14)), Named("fonts", place(14)))
    for lump_set in (a_set("s", "gen/*.bin"), a_set("s", "*", root="gen")):
        (said,) = problems_of(a_manifest(lump_set._replace(after=after)), MemoryTree("a"))
        assert said.endswith("there is no folder gen (`doit tables fonts` makes files of this set)")


def test_a_root_that_is_no_folder_is_an_error_even_where_it_is_optional() -> None:
    tree = MemoryTree("assets", odd={"pipe": "a FIFO"})
    sets = [a_set("s", root="assets", optional=True), a_set("t", line=30, root="pipe", optional=True)]
    assert problems_of(a_manifest(*sets), tree) == [
        "assets.yaml:11:12: error[E0201]: root 'assets': assets is a file, not a folder",
        "assets.yaml:31:12: error[E0201]: root 'pipe': pipe is a FIFO, not a folder",
    ]


def test_a_folder_where_a_pattern_names_a_file_is_an_error() -> None:
    tree = MemoryTree("art/a.png/x", "art/b.png", "art/readme/y", "art/.set/z")
    assert problems_of(a_manifest(a_set("s", ["art/*.png", "art/readme", "*/.set"]), ignore=()), tree) == [
        (
            "assets.yaml:12:12: error[E0205]: art/a.png is a folder, not a file"
            " ('art/a.png/**' takes the files below it, '!art/a.png' leaves it out)"
        ),
        (
            "assets.yaml:12:14: error[E0205]: art/readme is a folder, not a file"
            " ('art/readme/**' takes the files below it, '!art/readme' leaves it out)"
        ),
        (
            "assets.yaml:12:16: error[E0205]: art/.set is a folder, not a file"
            " ('art/.set/**' takes the files below it, '!art/.set' leaves it out)"
        ),
    ]


def test_a_folder_that_any_name_would_match_is_just_a_folder() -> None:
    tree = MemoryTree("a.d/x", "tex1", "textures/y")
    assert sources(["*", "tex*", "*.*", "a*"], optional=True, tree=tree) == ["tex1"]


def test_a_folder_that_is_taken_away_is_no_error() -> None:
    assert sources(["*.png", "!a.png"], tree=MemoryTree("a.png/x", "b.png")) == ["b.png"]


def test_what_is_no_file_is_named_once_for_each_thing_that_a_pattern_matches() -> None:
    tree = MemoryTree(
        "sources/a.png",
        odd={
            "sources/x.png": "a FIFO",
            "sources/y.png": "a dangling link",
            "sources/z.png": "a link that leaves the project",
            "sources/.o.png": "a link loop",
            "sources/t.txt": "a socket",
        },
    )
    assert problems_of(a_manifest(a_set("s", ["**/*.png", "**/x.*", "!**/y.png"])), tree) == [
        "assets.yaml:12:12: error[E0206]: sources/x.png is a FIFO, not a file",
        "assets.yaml:12:12: error[E0206]: sources/z.png is a link that leaves the project, not a file",
    ]
    assert problems_of(a_manifest(a_set("s", "sources/x.png")), tree) == [
        "assets.yaml:12:12: error[E0206]: sources/x.png is a FIFO, not a file"
    ]


def test_a_link_out_of_the_project_where_folders_are_looked_for_is_a_warning() -> None:
    tree = MemoryTree(
        "art/a.png", odd={"art/ext": "a link that leaves the project", "art/loop": "a link loop"}
    )
    hint = "`mounts` can bring a folder in; '!art/ext/**' says that it is to be left out"
    assert warnings_of(a_manifest(a_set("s", ["**/*.png", "art/*.png"])), tree) == [
        (
            "assets.yaml:12:12: warning[W0205]: art/ext is a link that leaves the project, and not followed"
            f" ({hint})"
        )
    ]
    assert warnings_of(a_manifest(a_set("s", ["**/*.png", "!art/ext/**"])), tree) == []
    assert warnings_of(a_manifest(a_set("s", "*/*.png")), tree) == []


def test_the_plan_and_the_disk_call_a_link_out_of_the_project_the_same() -> None:
    from lumpyard.disk import links
    from lumpyard.plan import tree

    assert tree.LEAVES == links.LEAVES


def test_a_take_away_that_takes_nothing_is_a_warning() -> None:
    tree = MemoryTree("art/old/a.png", "art/b.png")
    manifest = a_manifest(a_set("s", ["**/*.png", "!old", "!art/b.png", "!*.tga", "!old/a.png"], root="art"))
    assert warnings_of(manifest, tree) == [
        (
            "assets.yaml:12:14: warning[W0201]: '!old' takes nothing away"
            " (to take away the files below that folder write '!old/**')"
        ),
        (
            "assets.yaml:12:16: warning[W0201]: '!art/b.png' takes nothing away"
            " (patterns are relative to root: '!b.png')"
        ),
        "assets.yaml:12:18: warning[W0201]: '!*.tga' takes nothing away",
    ]


def test_the_problems_of_all_sets_and_archives_come_at_once_and_those_of_a_shared_set_once() -> None:
    sets = [a_set("s", "*.a"), a_set("t", "*.b", line=30), a_set("u", "*.c", line=50)]
    manifest = a_manifest(*sets, an_archive("one", "s", "t"), an_archive("two", "t", "u"))
    assert [text.partition(" in ")[0] for text in problems_of(manifest, MemoryTree("x"))] == [
        "assets.yaml:12:12: error[E0203]: no file matches '*.a'",
        "assets.yaml:32:12: error[E0203]: no file matches '*.b'",
        "assets.yaml:52:12: error[E0203]: no file matches '*.c'",
    ]


def test_of_thousands_of_files_that_are_gone_each_is_named_and_the_first_have_hints() -> None:
    files = [f"art/{number:04}.png" for number in range(2000)]
    problems = problems_of(a_manifest(a_set("s", files)), MemoryTree("arts/x"))
    assert len(problems) == len(files)
    assert sum("did you mean 'arts'?" in problem for problem in problems) == MOST_GUESSES
