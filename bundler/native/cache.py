"""A cache of results that take long to make, each in a file named by a hash of all it is made
of.
"""

import hashlib
import os
import sys
import tempfile
import tokenize
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from bundler.modules.source import tokens_of


def cache_key(source: str, others: str) -> str:
    """Returns a hash of all that decides the machine code of a source: the source without its
    comments, other texts, such as the processor's name, the versions of Python and packages, and
    the bundler's own files.
    """
    libraries = [version(name) for name in ("numba", "llvmlite", "numpy")]
    versions = f"{others} {libraries} {sys.version}\n"
    digest = hashlib.sha256(versions.encode("utf-8", "surrogatepass"))
    for file in sorted(Path(__file__).parents[1].rglob("*.[pl][yl]")):
        digest.update(file.read_bytes())
    for token in tokens_of(source):
        if token.type not in (tokenize.COMMENT, tokenize.NL):
            digest.update(f"{token.type} {token.string}\0".encode())
    return digest.hexdigest()[:32]


class Unkept(Exception):
    """Raised by a maker with its data, which may be others for the same key."""

    def __init__(self, data: bytes) -> None:
        self.data = data


def cached(file: Path, make: Callable[[], bytes]) -> bytes:
    """Returns the bytes of a file, which one process makes while others wait for it."""
    import fcntl  # not on Windows, where only `keep` is used

    data = kept(file)
    if data is not None:
        return data
    file.parent.mkdir(parents=True, exist_ok=True)
    lock_file = file.with_name(f"{file.name}.lock")
    with lock_file.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        data = kept(file)
        if data is not None:
            return data
        try:
            data = make()
        except Unkept as made:
            lock_file.unlink(missing_ok=True)
            return made.data
        keep(file, hashlib.sha256(data).digest() + data)
        lock_file.unlink(missing_ok=True)
    return data


def kept(file: Path) -> bytes | None:
    """Returns the bytes of a file without the hash in front of them, None for a damaged file."""
    if not file.exists():
        return None
    whole = file.read_bytes()
    n = hashlib.sha256().digest_size
    return whole[n:] if hashlib.sha256(whole[n:]).digest() == whole[:n] else None


def keep(file: Path, data: bytes) -> None:
    """Write a file of the cache. The file gets its name when it is complete, because another
    process may be reading it.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as unfinished:
        unfinished.write(data)
    os.replace(unfinished.name, file)
