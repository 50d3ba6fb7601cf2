"""Runs commands on mutants and checks their ends: a permitted exit status, in time, with a line for
an error.
"""

import contextlib
import io
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from random import Random

import typer

from referee import __main__ as command
from tests.fuzz.subjects import SUBJECTS

# Limits of CPU time, and of wall time, which is less reliable on a busy machine.
MAX_CPU_S, MAX_S = 30.0, 600.0
LONG_S = 10.0
MAX_BYTES = 1_500_000_000
MAX_FILE_BYTES = 64_000_000


class TooLong(BaseException):
    """A command exceeded its time limit."""


def stop(*_) -> None:
    raise TooLong


def run_mutants(kind: str, seed: int, n_mutants: int, keep: Path | None = None) -> Counter[str]:
    """Run so many mutants of a kind; returns the number of each kind of end. Unexpected ends are
    counted under "FAILED ...", and their files are kept.
    """
    rng = Random(f"{kind} {seed}")
    ends: Counter[str] = Counter()
    for number in (signal.SIGALRM, signal.SIGVTALRM):
        signal.signal(number, stop)
    with tempfile.TemporaryDirectory(prefix="onefile-fuzz-") as folder:
        mutants = SUBJECTS[kind](Path(folder), rng)
        for number in range(n_mutants):
            path, commands = next(mutants)
            data = Path(path).read_bytes()
            for arguments in commands:
                end, why = ending(arguments)
                name = arguments[0] if "--bot" not in arguments else "replay --bot"
                ends[f"{name}: {end}"] += 1
                if why and keep and ends[f"{name}: {end}"] <= 5:
                    keep.mkdir(parents=True, exist_ok=True)
                    kept = keep / f"{kind}-{seed}-{number}-{arguments[0]}"
                    kept.write_bytes(data)
                    kept.with_name(kept.name + ".txt").write_text(f"{arguments}\n{why}")
            ends["mutants"] += 1
    return ends


def run_batch(arguments: tuple[str, int, int, Path]) -> Counter[str]:
    """`run_mutants` for a pool."""
    return run_mutants(*arguments)


def ending(arguments: list[str]) -> tuple[str, str]:
    """Returns (end of a command, fault), with "" for no fault."""
    out, err = io.StringIO(), io.StringIO()
    before, sys.argv = sys.argv, ["referee", *arguments]
    started = time.process_time()
    signal.setitimer(signal.ITIMER_REAL, MAX_S)
    signal.setitimer(signal.ITIMER_VIRTUAL, MAX_CPU_S)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            command.main()
        end, why = "FAILED without an exit", "it returned"
    except SystemExit as exit_:
        if exit_.code == 130:  # an interruption of the command stops the series
            raise KeyboardInterrupt from None
        end, why = f"exit {exit_.code or 0}", ""
    except TooLong:
        end, why = "FAILED in time", traceback.format_exc()
    except BaseException as error:
        end, why = f"FAILED {type(error).__name__}", traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        sys.argv = before
    said = err.getvalue()
    if not why:
        why = complaint(end, out.getvalue(), said, time.process_time() - started)
        end = f"FAILED: {why}" if why else end
    return end, why and f"{why}\n{said[:2000]}"


def complaint(end: str, out: str, err: str, seconds: float) -> str:
    """Returns the fault of a regular end."""
    lines = err.splitlines()
    if end not in ("exit 0", "exit 1", "exit 2"):
        return "another status"
    if end == "exit 2" and (not lines or not lines[-1].startswith("error: ")):
        return "no line that says why"
    if "Traceback" in err or len(lines) > 3:
        return "more than a line on stderr"
    if any(len(line) > 1000 for line in lines):
        return "a line too long"
    if any(
        (ord(letter) < 32 and letter not in "\n\t") or 127 <= ord(letter) < 160
        for letter in out + err
    ):
        return "control characters"
    return f"more than {LONG_S:g} s of CPU time" if seconds > LONG_S else ""


def limit_memory() -> None:
    """Limit this process to MAX_BYTES of memory and MAX_FILE_BYTES in a file."""
    # Once, not for every command: that takes longer than most commands.
    make, made = command.command_line, {}

    def kept(words, *others, **settings):
        if words[0] not in made:
            made[words[0]] = typer.main.get_command(make(words, *others, **settings))
        return made[words[0]]

    command.command_line = kept
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent reports the results so far
    resource.setrlimit(resource.RLIMIT_DATA, (MAX_BYTES, MAX_BYTES))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_FILE_BYTES, MAX_FILE_BYTES))
    os.environ.setdefault("COLUMNS", "200")
