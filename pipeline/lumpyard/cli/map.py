"""`lumpyard map`: Doom's and Hexen's maps checked, drawn, measured, compared, built and recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.cli.map_arguments import check_arguments, configure_map
from lumpyard.cli.map_file import open_map_file

if TYPE_CHECKING:
    import argparse

    from lumpyard.cli.output import Streams

EXAMPLES = """
lumpyard map doom2.wad                                  # checks all its maps
lumpyard map castle.wad MAP01 --base doom2.wad          # textures of both
lumpyard map castle.wad --target boom --format github   # in a workflow
lumpyard map castle.wad MAP01 -o castle.svg
lumpyard map castle.wad -o 'pictures/{map}.png' --theme dark --layers +grid,-things
lumpyard map castle.wad MAP01 --compare old/castle.wad -o changes.png
lumpyard map castle.wad --build -o out.wad              # nodes, BLOCKMAP and REJECT made anew
lumpyard map castle.wad --record                        # what is built in it is right: keep it
lumpyard map castle.wad --stats --json
"""

configure = configure_map


def run(args: argparse.Namespace, io: Streams) -> int:
    """Do what is asked: check, where nothing else is."""
    from lumpyard.build.memory import without_collector  # noqa: PLC0415 - not for --help

    check_arguments(args)
    if args.symbols:
        from lumpyard.cli.map_symbols import share_symbols  # noqa: PLC0415 - of stripped archives

        args.symbols, args.compare_symbols = share_symbols(args)
    with without_collector(), open_map_file(args.archive, args, io) as file:
        if args.build:
            from lumpyard.cli.map_building import build_maps  # noqa: PLC0415 - each action loads what it needs

            return build_maps(file, args, io)
        if args.record:
            from lumpyard.cli.map_recording import record_maps  # noqa: PLC0415

            return record_maps(file, args, io)
        if args.compare is not None:
            from lumpyard.cli.map_comparing import compare_maps  # noqa: PLC0415

            return compare_maps(file, args, io)
        if args.out is not None:
            from lumpyard.cli.map_drawing import draw_maps  # noqa: PLC0415

            return draw_maps(file, args, io)
        if args.stats and args.findings != "json":
            from lumpyard.cli.map_checking import measure_maps  # noqa: PLC0415

            return measure_maps(file, args, io)
        from lumpyard.cli.map_checking import check_maps  # noqa: PLC0415

        return check_maps(file, args, io)
