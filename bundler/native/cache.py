"""Results that take long to make, each kept in a file named by a hash of all it is made of."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path


def cached(file: Path, make: Callable[[], bytes]) -> bytes:
    """Returns the bytes of a file, which one process makes while others wait for it."""
    import fcntl  # not on Windows, where only `keep` is used

    if file.exists():
        return file.read_bytes()
    file.parent.mkdir(parents=True, exist_ok=True)
    lock_file = file.with_name(f"{file.name}.lock")
    with lock_file.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if file.exists():
            return file.read_bytes()
        data = make()
        keep(file, data)
        lock_file.unlink(missing_ok=True)
    return data


def keep(file: Path, data: bytes) -> None:
    """Write a file of the cache, renamed when complete, as another process may be reading it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as unfinished:
        unfinished.write(data)
    os.replace(unfinished.name, file)
