"""Runs inside a dask worker: starts the program that plays games, and communicates with it.

The functions of this file travel with their code (`scheduler.without_module`), so they import only
Python's standard library. `ask_program` writes each version of the project once, to a folder named
by its hash in the worker's folder. There it starts a process for each thread of the worker
(`remote_program`), and passes requests, as pickles, and replies, as JSON, through the process's
pipes. The process is pinned to the cores that the fewest other programs on the machine have taken.
"""

import fcntl
import os
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

FOLDER = ".onefile"
LENGTH_BYTES = 8
# At most this many programs share a core; further ones get no core of their own.
MAX_SHARING = 16
RUN = (
    "import sys; sys.path.insert(0, {folder!r}); from referee.arena.cluster.remote_program import"
    " main; main()"
)


def ask_program(name: str, files: "dict[str, bytes]", n_cores: int, request: bytes) -> bytes:
    """Returns the reply of this thread's program, in JSON, to a pickled request.

    name: the name of the project's version. files: the files of that version, or {} once the worker
    has them. n_cores: the number of cores for the program. Raises OSError and EOFError.
    """
    kept = sys.modules.setdefault(FOLDER, types.ModuleType(FOLDER))
    programs = kept.__dict__.setdefault("programs", {})
    key = name, threading.get_ident()
    if key not in programs or programs[key].poll() is not None:
        programs[key] = start_program(write_files(name, files), n_cores)
    return exchange(programs[key], request)


def write_files(name: str, files: "dict[str, bytes]") -> Path:
    """Write a version of the project, unless it is there already, and return its folder.

    Raises FileNotFoundError if the version is neither there nor given.
    """
    folder = Path.cwd() / FOLDER / name
    if not folder.exists():
        if not files:
            raise FileNotFoundError(f"{folder}: the project's files have not arrived yet")
        write_folder(folder, files)
    return folder


def write_folder(folder: Path, files: "dict[str, bytes]") -> None:
    """Write a folder completely or not at all; of several writers the first one wins."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(dir=folder.parent))
    for path, content in files.items():
        file = unfinished / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        file.chmod(0o755)
    try:
        unfinished.rename(folder)
    except OSError:
        shutil.rmtree(unfinished)
        if not folder.is_dir():
            raise


def start_program(folder: Path, n_cores: int) -> "subprocess.Popen[bytes]":
    """Start a program in a folder, pinned to n_cores cores: to free ones, else to shared ones."""
    cores, locks = lock_cores(n_cores)
    parent = os.getpid()

    def prepare() -> None:
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # this process ends with its worker
        if os.getppid() != parent:
            os._exit(1)
        if cores:
            os.sched_setaffinity(0, cores)

    return subprocess.Popen(
        [sys.executable, "-c", RUN.format(folder=str(folder))],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        preexec_fn=prepare,
        pass_fds=locks,
    )


def lock_cores(n: int) -> "tuple[set[int], list[int]]":
    """Returns the n cores used by the fewest programs of this machine, and their open locks.

    There are fewer cores if the machine has fewer, or if MAX_SHARING programs use each core. The
    locks are released when the program ends, for any reason. Programs share cores if they outnumber
    them, as the jobs of an arena without a cluster do.
    """
    own_cores = sorted(os.sched_getaffinity(0))
    cores: set[int] = set()
    locks: list[int] = []
    for place in range(MAX_SHARING * len(own_cores)):
        if len(cores) == min(n, len(own_cores)):
            break
        sharing, core = place // len(own_cores), own_cores[place % len(own_cores)]
        if core in cores:
            continue
        lock = os.open(
            f"{tempfile.gettempdir()}/onefile-core-{core}-{sharing}", os.O_RDWR | os.O_CREAT, 0o666
        )
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
            continue
        cores.add(core)
        locks.append(lock)
    return cores, locks


def exchange(program: "subprocess.Popen[bytes]", request: bytes) -> bytes:
    """Send a request to a program and return its reply. Raises EOFError if it has ended."""
    assert program.stdin and program.stdout
    try:
        program.stdin.write(len(request).to_bytes(LENGTH_BYTES, "little") + request)
        program.stdin.flush()
    except BrokenPipeError:
        raise EOFError(f"the process that plays ended with status {program.wait()}") from None
    head = program.stdout.read(LENGTH_BYTES)
    if len(head) < LENGTH_BYTES:
        raise EOFError(f"the process that plays ended with status {program.wait()}")
    return program.stdout.read(int.from_bytes(head, "little"))


def serve(answer: "Callable[[Any], bytes]") -> None:
    """Answer requests until stdin ends: the program's side of `exchange`."""
    requests, replies = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # printed text must not get among the replies
    while len(head := requests.read(LENGTH_BYTES)) == LENGTH_BYTES:
        request = requests.read(int.from_bytes(head, "little"))
        text = answer(pickle.loads(request))
        replies.write(len(text).to_bytes(LENGTH_BYTES, "little") + text)
        replies.flush()
