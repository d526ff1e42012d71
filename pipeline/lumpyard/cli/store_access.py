"""The store that `lumpyard store` looks after."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lumpyard.disk import is_there
from lumpyard.store import Store

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from lumpyard.cli.output import Output
    from lumpyard.store import Kind


def add_store(parser: argparse.ArgumentParser) -> None:
    """`--manifest`."""
    text = "the project's manifest (default: assets.yaml); LUMPYARD_STORE names a store outside of it"
    parser.add_argument("-m", "--manifest", metavar="FILE", default="assets.yaml", help=text)


@contextmanager
def open_store(args: argparse.Namespace, err: Output) -> Iterator[Store]:
    """The store of the environment or of the project; a manifest with problems does not matter here."""
    folder = args.manifest.replace("\\", "/").rpartition("/")[0]
    own = f"{folder}/.lumpyard/store" if folder else ".lumpyard/store"
    store = Store(
        os.environ.get("LUMPYARD_STORE") or own, lambda text: err.line(f"lumpyard: warning: {text}")
    )
    try:
        yield store
    finally:
        store.close()


def wanted_records(args: argparse.Namespace) -> Callable[[Kind, bytes], bool]:
    """Whether the present plans of the project use a record; nothing is wanted where there is no project."""
    if not is_there(args.manifest):
        return lambda _kind, _key: False
    from lumpyard.cli.project_access import open_project  # noqa: PLC0415 - only inside a project

    return open_project(args.manifest).wants
