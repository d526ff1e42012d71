"""A manifest with all that it includes, as one value; or all of its problems at once.

An included manifest is like text at the top of the one that includes it: its mounts lie below, its sets and
archives come first. Its paths are relative to its own folder. Its `defaults` are for its own sets and those
of manifests that it includes, and lie over the `defaults` of the manifest that includes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.errors import DiskError, Place, Problem, ProblemsError
from lumpyard.hashing import digest
from lumpyard.manifest import keys
from lumpyard.manifest.codes import INCLUDE_CYCLE, NO_INCLUDE, TOO_BIG, UNREADABLE, VERSION
from lumpyard.manifest.gather import Gathered
from lumpyard.manifest.nodes import shorten, shown, text_of
from lumpyard.manifest.paths import project_path
from lumpyard.manifest.reader import Reader
from lumpyard.manifest.sets import Said, merge_said, read_defaults
from lumpyard.manifest.trees import load_tree

if TYPE_CHECKING:
    from collections.abc import Callable

    from lumpyard.manifest.model import Manifest, Node
    from lumpyard.manifest.reader import Entry
    from lumpyard.manifest.trees import ParseCache

VERSIONS = ("1",)
_DEEPEST_INCLUDE = 32


def load_manifest(path: str, read: Callable[[str], bytes], cache: ParseCache | None = None) -> Manifest:
    """The manifest at a path seen from the project folder; a ProblemsError has all that is wrong with it.

    `read` gives a file's bytes, or raises FileNotFoundError, another OSError or a DiskError.
    """
    files = _Files(path, read, cache)
    files.load_root()
    if files.fatal:
        raise ProblemsError(files.fatal)
    manifest = files.gathered.manifest(path, tuple(files.digests), files.digest())
    if files.problems:
        raise ProblemsError(files.problems)
    return manifest


class _Files:
    """The files of a manifest, each read once."""

    def __init__(self, root: str, read: Callable[[str], bytes], cache: ParseCache | None) -> None:
        self.root = root
        self.read = read
        self.cache = cache
        self.problems: list[Problem] = []
        self.fatal: list[Problem] = []  # these stand alone: what else is wrong may follow from them
        self.digests: dict[str, bytes] = {}  # path -> digest of its tree; the root first
        self.gathered = Gathered(self.problems)

    def load_root(self) -> None:
        """Read the root and all that it includes."""
        try:
            data = self.read(self.root)
        except FileNotFoundError:
            hint = "`lumpyard init` makes one"
            self.fatal.append(Problem(Place(self.root), UNREADABLE, "there is no such manifest", hint))
        except (OSError, DiskError) as error:
            message = f"the manifest can't be read: {_reason(error)}"
            self.fatal.append(Problem(Place(self.root), UNREADABLE, message))
        else:
            self.load_file(self.root, data, Said(), ())

    def load_file(self, path: str, data: bytes, outer: Said, above: tuple[str, ...]) -> None:
        """Read one file, but first those that it includes; `outer` are the defaults from above."""
        self.digests[path] = b""
        try:
            tree = load_tree(path, data, self.cache)
        except ProblemsError as error:
            self.fatal += error.problems
            return
        self.digests[path] = tree.digest
        self.problems += [
            problem._replace(place=problem.place._replace(path=path)) for problem in tree.problems
        ]
        reader = Reader(path, self.problems)
        entries = self.entries(reader, tree.root, is_root=not above)
        if entries is None:
            return
        defaults = outer
        if "defaults" in entries:
            defaults = merge_said(outer, read_defaults(reader, entries["defaults"]))
        if "include" in entries:
            self.load_includes(reader, entries["include"].value, defaults, (*above, path))
        self.gathered.take(reader, entries, defaults)

    def entries(self, reader: Reader, root: Node, *, is_root: bool) -> dict[str, Entry] | None:
        """The top keys of a file; None where it is no manifest, or its version is none that is read here."""
        version = keys.MANIFEST["version"]._replace(required=is_root)
        entries = reader.entries(
            root, keys.MANIFEST | {"version": version}, "the manifest", reader.place(root)
        )
        if not entries or "version" not in entries:
            return entries
        node = entries["version"].value
        if node.kind == "bad":
            return entries  # a tag or an alias, which is told already
        if node.kind == "scalar" and not node.quoted and node.value in VERSIONS:
            return entries
        newer = (
            node.kind == "scalar" and not node.quoted and text_of(node).isdecimal() and text_of(node) != "0"
        )
        hint = "a newer Lumpyard may read it" if newer else "write `version: 1`"
        self.fatal.append(
            Problem(reader.place(node), VERSION, f"expected version 1, found {shown(node)}", hint)
        )
        return None

    def load_includes(self, reader: Reader, node: Node, defaults: Said, above: tuple[str, ...]) -> None:
        """Read the files that one file includes; `above` are that file and those that led to it."""
        for item in reader.items(node, "a path"):
            path = project_path(reader, item)
            if path is None:
                continue
            if path in above:
                circle = " -> ".join((*above[above.index(path) :], path))
                reader.report(INCLUDE_CYCLE, item, f"manifests include each other in a circle: {circle}")
            elif len(above) > _DEEPEST_INCLUDE:
                reader.report(
                    TOO_BIG, item, f"manifests include each other deeper than {_DEEPEST_INCLUDE} levels"
                )
            elif path not in self.digests:
                self.load_include(reader, item, path, defaults, above)

    def load_include(
        self, reader: Reader, node: Node, path: str, defaults: Said, above: tuple[str, ...]
    ) -> None:
        """Read one included file."""
        try:
            data = self.read(path)
        except FileNotFoundError:
            reader.report(NO_INCLUDE, node, f"there is no manifest '{shorten(path)}'")
        except (OSError, DiskError) as error:
            reader.report(NO_INCLUDE, node, f"manifest '{shorten(path)}' can't be read: {_reason(error)}")
        else:
            self.load_file(path, data, defaults, above)

    def digest(self) -> str:
        """The digest of what all files say."""
        parts = (
            b"%b\0%b" % (path.encode("utf-8", "surrogateescape"), tree) for path, tree in self.digests.items()
        )
        return digest(b"lumpyard manifest 1\0" + b"".join(parts)).hex()


def _reason(error: OSError | DiskError) -> str:
    return error.strerror.lower() if isinstance(error, OSError) and error.strerror else str(error)
