"""`lumpyard`: the way in. What takes its time to load is loaded when Ctrl-C is already taken care of."""

import os
import sys


def _interrupted() -> int:
    """The status of a run that Ctrl-C ended before it began; says so."""
    os.write(2, b"interrupted\n")
    return 130


try:
    from lumpyard.cli.signals import leaving
except KeyboardInterrupt:  # even this takes some 10 ms
    os._exit(_interrupted())


def main(argv: list[str] | None = None) -> int:
    """The exit status of a run (design.md, section 11); prints, and never raises.

    Without arguments the process is ours to its end, and so are the signals. With them they are left as they were.
    """
    try:
        with leaving(for_good=argv is None):
            from lumpyard.cli.running import run  # noqa: PLC0415 - see above

            return run(sys.argv[1:] if argv is None else argv)
    except KeyboardInterrupt:  # between the two ways in which signals are taken
        return _interrupted()


if __name__ == "__main__":
    sys.exit(main())
