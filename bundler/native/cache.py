"""Results that take long to make, each kept in a file named by a hash of all it is made of."""

import fcntl
import os
import tempfile
from collections.abc import Callable
from pathlib import Path


def cached(file: Path, make: Callable[[], bytes]) -> bytes:
    """Returns the bytes of a file, which one process makes while others wait for it."""
    if file.exists():
        return file.read_bytes()
    file.parent.mkdir(parents=True, exist_ok=True)
    lock_file = file.with_name(f"{file.name}.lock")
    with lock_file.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if file.exists():
            return file.read_bytes()
        data = make()
        # Renamed when complete, as another process may be reading it.
        with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as unfinished:
            unfinished.write(data)
        os.replace(unfinished.name, file)
        lock_file.unlink(missing_ok=True)
    return data
