"""The virtual file system that `lumpyard vfs` looks at: the manifest's project and mounts, or what `--mount` says."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.cli.project_access import check_manifest
from lumpyard.console.suggest import guess_name
from lumpyard.disk import is_there
from lumpyard.errors import NotFoundError, UsageError
from lumpyard.vfs import Reading, Vfs

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

_MANIFEST = "assets.yaml"


class MergedTree(NamedTuple):
    """What the commands look at."""

    vfs: Vfs
    ignores: Callable[[str], bool]  # whether the manifest takes no file or folder of a name

    def paths(self, *, ignored: bool = False) -> list[str]:
        """The paths of all files, sorted by bytes; loose folders that the manifest ignores are not even looked into."""
        if ignored:
            return self.vfs.paths()
        paths = self.vfs.paths(lambda folder: not self.ignores(folder.rpartition("/")[2]))
        return [path for path in paths if not any(map(self.ignores, path.split("/")))]


def add_vfs(parser: argparse.ArgumentParser) -> None:
    """`--manifest`, `--mount` and `--archives-first`."""
    text = f"the project's manifest (default: {_MANIFEST}; with --mount none)"
    parser.add_argument("-m", "--manifest", metavar="FILE", help=text)
    text = "mount a folder, an archive or ARCHIVE!LUMP, above what is mounted already; may be repeated"
    parser.add_argument("--mount", metavar="PATH[:AT]", action="append", default=[], help=text)
    parser.add_argument(
        "--archives-first", action="store_true", help="let archives lie above folders, whatever their order"
    )


@contextmanager
def open_vfs(args: argparse.Namespace) -> Iterator[MergedTree]:
    """The file system that the arguments ask for."""
    with Vfs("archives first" if args.archives_first else "stated") as vfs:
        ignores: Callable[[str], bool] = _nothing_is_ignored
        if args.manifest is not None or not args.mount:
            ignores = _mount_project(vfs, args.manifest or _MANIFEST)
        for text in args.mount:
            vfs.mount(*split_mount(text))
        yield MergedTree(vfs, ignores)


def split_mount(text: str) -> tuple[str, str]:
    """The path and the prefix of `PATH[:AT]`; what is there as a whole, or ends in a Windows path, is a path."""
    path, colon, at = text.rpartition(":")
    if not colon or is_there(text) or at.startswith(("/", "\\")):
        path, at = text, ""
    if not path:
        raise UsageError(f"--mount {text!r} names no path; it is PATH or PATH:AT")
    return path, at


def not_there(tree: MergedTree, error: NotFoundError, name: str) -> NotFoundError:
    """The error with the name that may have been meant."""
    guess = guess_name(name, tree.paths())
    return NotFoundError(f"{error}; {guess}") if guess else error


def _mount_project(vfs: Vfs, manifest: str) -> Callable[[str], bool]:
    """The project's own files, and above them what its manifest mounts."""
    from lumpyard.build.project import Project  # noqa: PLC0415
    from lumpyard.build.release.lockfile import LOCK  # noqa: PLC0415 - what --mount alone needs not
    from lumpyard.manifest.paths import NEVER_ENTERED, is_absolute  # noqa: PLC0415
    from lumpyard.plan.folders import NameFilter  # noqa: PLC0415

    check_manifest(manifest)
    project = Project(manifest, remember=False)
    vfs.mount(project.root, skip={*NEVER_ENTERED, LOCK})
    for mount in project.manifest.mounts:
        path = mount.path if is_absolute(mount.path) else project.real(mount.path)
        vfs.mount(path, mount.at, reading=Reading(mount.format, mount.lenient))
    return NameFilter(project.manifest.ignore).ignores


def _nothing_is_ignored(_: str) -> bool:
    return False
