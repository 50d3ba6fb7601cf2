"""The files beside the bundle that its import reads: a further import may find others there."""

import contextlib
import os
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from bundler.native.captures import FOREIGN

LIBRARIES = tuple(sysconfig.get_path(name) for name in ("purelib", "platlib"))
IN_KEY = ("numba", "numpy", "llvmlite")  # their versions are in each key of the cache
NO_FILES = "/proc/", "/sys/", "/dev/"
WRITING = "w", "wb", "a", "ab", "x", "xb"


@contextlib.contextmanager
def files_read(folder: Path) -> Iterator[list[tuple[str, int, int]]]:
    """Yields the list that gets (path, time of the last change, size) of each file that was opened
    within the context, but those of Python and of numba; folder: of the bundle, left out as well.
    """
    opened, found = dict[str, None](), list[tuple[str, int, int]]()
    is_on = True

    def hear(event: str, arguments: tuple[object, ...]) -> None:
        if event != "open" or not is_on or str(arguments[1]) in WRITING:
            return
        if isinstance(arguments[0], str | bytes | os.PathLike):
            opened[os.path.abspath(os.fsdecode(arguments[0]))] = None

    sys.addaudithook(hear)
    try:
        yield found
    finally:
        is_on = False
        for path in sorted(path for path in opened if is_outside(path, folder)):
            with contextlib.suppress(OSError):
                status = os.stat(path)
                found.append((path, status.st_mtime_ns, status.st_size))


def is_outside(path: str, own: Path) -> bool:
    for folder in LIBRARIES:
        if path.startswith(folder + os.sep):
            name = path[len(folder) + 1 :].split(os.sep)[0]
            return name not in IN_KEY and not name.endswith(".dist-info")
    return not path.startswith((*FOREIGN, *NO_FILES, f"{own}{os.sep}"))
