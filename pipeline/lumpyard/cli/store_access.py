"""The store that `lumpyard store` looks after."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lumpyard.cli.problem_text import project_folder
from lumpyard.cli.project_access import check_manifest
from lumpyard.disk import is_there
from lumpyard.store import Store

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from lumpyard.cli.output import Output


def add_store(parser: argparse.ArgumentParser) -> None:
    """`--manifest`."""
    text = "the project's manifest (default: assets.yaml); LUMPYARD_STORE names a store outside of it"
    parser.add_argument("-m", "--manifest", metavar="FILE", default="assets.yaml", help=text)


@contextmanager
def open_store(args: argparse.Namespace, err: Output) -> Iterator[Store]:
    """The store of the environment or of the project, whose manifest may have problems."""
    folder = os.environ.get("LUMPYARD_STORE")
    if not folder:
        project = project_folder(args.manifest)
        folder = f"{project}/.lumpyard/store" if project else ".lumpyard/store"
        if not is_there(folder):
            check_manifest(args.manifest)
    store = Store(folder, lambda text: err.line(f"lumpyard: warning: {text}"))
    try:
        yield store
    finally:
        store.close()
