"""A cache of games in memory and in files: generation takes a second of compiled code, and half a
minute of plain Python.

If the kernels run as plain Python, as in the referee, a separate process that compiles them makes
the game: `python -m shared.games.wayfinder.library FILE` reads a choice from its input and writes
the game into the file.
"""

import ctypes
import hashlib
import json
import os
import signal
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

from ...core.jit import COMPILED
from ...games.wayfinder.instances import Choice, Instance, load, ring_of, save

PROJECT = Path(__file__).resolve().parents[3]
FOLDER = Path(os.environ.get("ONEFILE_CACHE") or PROJECT / ".cache").absolute() / "wayfinder"
# Sources that determine a game
FOLDERS = ("shared/core", "shared/games/wayfinder", "shared/mesh", "shared/path")


@lru_cache(maxsize=16)
def find_instance(choice: Choice) -> Instance:
    """Returns the game of a choice, from the cache if possible. Raises ValueError if the map is
    unsuitable.
    """
    file = FOLDER / f"{choice.seed}-{choice.level}-{key_of(choice)}.json.gz"
    if not file.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        unfinished = file.with_suffix(f".{os.getpid()}")
        try:
            if COMPILED:
                make(choice, unfinished)
            else:
                _make_apart(choice, unfinished)
            unfinished.replace(file)
        finally:
            unfinished.unlink(missing_ok=True)
    return load(file)


@lru_cache(maxsize=1)
def made_by() -> str:
    """Returns a hash of the sources that determine a game."""
    files = [file for name in FOLDERS for file in sorted((PROJECT / name).glob("*.py"))]
    sources = [file.read_bytes() for file in files]
    return hashlib.sha256(b"\0".join(sources)).hexdigest()


def key_of(choice: Choice) -> str:
    """Returns a hash of a choice and of the sources that determine its game."""
    return hashlib.sha256(f"{made_by()} {json.dumps(choice)}".encode()).hexdigest()[:16]


def make(choice: Choice, file: Path) -> None:
    """Generate the game of a choice and write it into a file. Raises ValueError if the map is
    unsuitable.
    """
    # Not at the top: importing it compiles, which a cached game does not need.
    from ...games.wayfinder.generator import new_instance

    save(new_instance(choice), file)


def _make_apart(choice: Choice, file: Path) -> None:
    if choice.is_large:
        print("making a large game: it takes some minutes, once", file=sys.stderr)
    command = [sys.executable, "-m", "shared.games.wayfinder.library", str(file)]
    made = subprocess.run(
        command,
        cwd=PROJECT,
        env={**os.environ, "CG_JIT": "1"},
        input=json.dumps(choice),
        capture_output=True,
        text=True,
    )
    if made.returncode:
        raise ValueError((made.stderr.strip() or "the game could not be made").splitlines()[-1])


def main() -> None:
    # Ends the process together with the referee that requested the game (prctl(2),
    # PR_SET_PDEATHSIG).
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    seed, level, is_large, rings = json.load(sys.stdin)
    choice = Choice(seed, level, is_large, tuple(tuple(ring_of(ring)) for ring in rings))
    try:
        make(choice, Path(sys.argv[1]))
    except ValueError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
