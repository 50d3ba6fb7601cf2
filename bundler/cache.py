"""Results that take long to make, each kept in a file named by a hash of all it is made of."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

CACHE = Path(__file__).resolve().parents[1] / ".cache"


def kept(file: Path, make: Callable[[], bytes]) -> bytes:
    """The bytes in a file of the cache; what `make` returns, written there first, where it is not
    there.
    """
    if file.exists():
        return file.read_bytes()
    data = make()
    file.parent.mkdir(parents=True, exist_ok=True)
    # Renamed when complete, as another process may be reading or writing the same.
    with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as unfinished:
        unfinished.write(data)
    os.replace(unfinished.name, file)
    return data
