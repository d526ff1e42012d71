"""`lumpyard extract`: lumps written to files strictly below a folder, all checked before the first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.cli.archive_file import open_archive_file
from lumpyard.cli.archive_warnings import print_warnings
from lumpyard.cli.parser import add_archive, add_json
from lumpyard.cli.selecting import select_lumps
from lumpyard.console.sizes import count_text
from lumpyard.errors import NotFoundError
from lumpyard.extract import Wanted, extract, plan_extraction

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from lumpyard.cli.archive_file import ArchiveFile
    from lumpyard.cli.output import Streams
    from lumpyard.extract import Failure, Target

EXAMPLES = """
lumpyard extract build/base.ewad -C unpacked
lumpyard extract build/base.ewad 'textures/**' 'sounds/*.wav' -C unpacked
lumpyard extract --symbols symbols/base.ewsym dist/base.ewad -C unpacked
lumpyard extract doom2.wad -C doom2     # lumpyard pack doom2 again.wad makes the same bytes of it
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `extract`."""
    add_archive(parser)
    parser.add_argument(
        "globs", metavar="GLOB", nargs="*", help="only lumps whose names match; `**/` is any folder"
    )
    parser.add_argument(
        "-C", dest="folder", metavar="DIR", default=".", help="the folder to write to (default: this one)"
    )
    parser.add_argument("--force", action="store_true", help="overwrite files that are there")
    parser.add_argument(
        "--no-sidecar", action="store_true", help="leave out the file that `pack` makes the same archive with"
    )
    add_json(parser)


def run(args: argparse.Namespace, io: Streams) -> int:
    """Write the files; lumps that do not decode are named and left out."""
    with open_archive_file(args.archive, args) as file:
        chosen, complaints = select_lumps(file, args.globs)
        if complaints:
            for complaint in complaints:
                io.err.error(complaint)
            return NotFoundError.exit_status
        paths = file.filled_paths()
        targets = plan_extraction([Wanted(index, paths[index]) for index in chosen])
        sidecar = None if args.globs or args.no_sidecar else _sidecar(file, targets)
        failures = extract(targets, file.archive.read, args.folder, overwrite=args.force, beside=sidecar)
        print_warnings(file, io.err)
        failed = {failure.entry for failure in failures}
        written = [target for target in targets if target.entry not in failed]
        if args.json:
            io.out.json_list(_data(file, target) for target in written)
        else:
            io.out.line(f"{count_text(len(written), 'lump')} of {args.archive} written to {args.folder}")
    return _report(args.archive, failures, io)


def _sidecar(file: ArchiveFile, targets: Sequence[Target]) -> tuple[str, bytes] | None:
    """Name and bytes of the file that keeps what files cannot; None where nothing would be lost."""
    from lumpyard.convert import archive_source, sidecar  # noqa: PLC0415 - only where all is extracted

    source = archive_source(file.archive, memoryview(file.data), file.paths())
    return sidecar(source, [target.path for target in targets])


def _data(file: ArchiveFile, target: Target) -> dict[str, object]:
    """Which lump a file holds; `path` is below the folder."""
    return {"entry": target.entry, "name": file.names[target.entry], "path": target.path}


def _report(path: str, failures: list[Failure], io: Streams) -> int:
    for failure in failures:
        io.err.error(f"{path}: {failure.error}")
    return min((failure.error.exit_status for failure in failures), default=0)
