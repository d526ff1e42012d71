"""What the operating system refused, as the one error that leaves `disk`."""

from __future__ import annotations

import errno
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lumpyard.errors import DiskError

if TYPE_CHECKING:
    from collections.abc import Iterator

# There is no such file: a part of its path is missing, is no folder, is a ring of links, or is too long.
ABSENT = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG})
# Another process holds the lock.
TAKEN = frozenset({errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK})


def refused(verb: str, path: str, error: OSError | ValueError) -> DiskError:
    """The error to raise: "cannot write dist/base.ewad: No space left on device".

    A ValueError is what Python makes of a path that no system can hold (a NUL, a lone surrogate).
    """
    return DiskError(f"cannot {verb} {path}: {getattr(error, 'strerror', None) or error}")


@contextmanager
def refusing(verb: str, path: str) -> Iterator[None]:
    """Whatever the system refuses inside leaves as a DiskError with this verb and path.

    It costs a microsecond, so what is called once a file has its own `except`.
    """
    try:
        yield
    except (OSError, ValueError) as error:
        raise refused(verb, path, error) from error
