"""Whether a bundle answers as its source bot does, found out before the bundle is handed over.

Both read the same turns of a game and may search the same few nodes a turn (`CG_NODES`), so their
commands must be equal. The source runs as plain Python runs its modules, the bundle as
`isolated.py` has it: without the project and without numba, in an empty folder, on one core and in
768 MB.

The game is a recorded one, or the first turns of a match of the source bot against itself. That
match is played by the referee of the bot's own project, a command of its own: the bundler knows no
contest, only where a bot of one lies (`bots/<contest>/<bot>.py`) and what a log looks like
(`referee/log.py`).
"""

import hashlib
import json
import os
import shlex
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from bundler.cache import CACHE, keep
from bundler.errors import BundleError

FOLDER = Path(__file__).resolve().parent

# Enough for every branch of reading and writing, little enough for a search in plain Python.
N_TURNS = 6
N_NODES = 10
SEED = 1
HANG_S = 60.0  # a run that takes longer is ended


class CheckError(Exception):
    """The bundle is not what its source is; the text says where they differ."""


@dataclass(frozen=True)
class Turn:
    """What a bot reads in a turn and how many lines it has to write then."""

    lines: list[str]
    n_lines: int


@dataclass(frozen=True)
class Run:
    """What a bot answered: its lines, turn by turn, fewer where it ended; the last line of its
    stderr.
    """

    answers: list[list[str]]
    said: str


def check(text, project, files, log=None, cache=CACHE / "checks"):
    """Compare a bundle with its source; a phrase that says what was checked.

    Raises CheckError, and BundleError.

    text: the bundle. project: the bot's Project. files: the sources it is made of. log: a recorded
    game to compare on, None for a generated one. cache: the folder in which checks that succeeded
    are remembered, by a hash of all that went in.
    """
    compiles(text)
    contest = contest_of(project)
    if contest is None and log is None:
        return "compiled, not run: no contest's bot"
    turns = recorded_game(log) if log is not None else None
    known = cache / f"{cache_key(text, files, turns)}.txt"
    if known.exists():
        return known.read_text()
    source = source_command(project)
    turns = turns or generated_game(contest, source, project.root)
    with tempfile.TemporaryDirectory() as folder:
        bundle = Path(folder, "bundle.py")
        bundle.write_text(text, encoding="utf-8")
        isolated = [sys.executable, "-I", str(FOLDER / "isolated.py"), str(bundle)]
        with ThreadPoolExecutor() as pool:
            expected, found = pool.map(run, (source, isolated), (turns, turns))
    for number, turn in enumerate(turns):
        wanted, answer = expected.answers[number], found.answers[number]
        if len(wanted) < turn.n_lines:
            return f"not checked: the source bot ends in turn {number}: {expected.said}"
        if answer != wanted:
            again = run(source, turns)
            if again.answers[: number + 1] != expected.answers[: number + 1]:
                return "not checked: the source bot answers differently from run to run"
            said = f" and says {found.said!r}" if found.said and len(answer) < turn.n_lines else ""
            raise CheckError(
                f"turn {number}: the source bot answers {wanted}, the bundle {answer}{said}"
            )
    phrase = f"checked on {len(turns)} turns"
    keep(known, phrase.encode())
    return phrase


def compiles(text):
    """Raise CheckError unless a bundle is valid Python."""
    try:
        compile(text, "bundle", "exec", dont_inherit=True)
    except SyntaxError as error:
        raise CheckError(f"line {error.lineno} of the bundle: {error.msg}") from error


def contest_of(project):
    """The contest whose bot a project's entry is, None where it is no `bots/<contest>/<bot>.py` of
    a known contest.
    """
    parts = project.entry_path.relative_to(project.root).parts
    if len(parts) != 3 or parts[0] != "bots":
        return None
    needed = (f"shared/games/{parts[1]}/contest.py", "referee/__main__.py")
    return parts[1] if all((project.root / path).is_file() for path in needed) else None


def source_command(project):
    """The command that runs a bot from its sources, as plain Python and from any folder."""
    folders = f"{project.root}{os.pathsep}{project.entry_path.parent}"
    settings = [f"PYTHONPATH={folders}", "CG_JIT=0"]
    return ["env", *settings, sys.executable, "-m", project.entry_name]


def generated_game(contest, source, root):
    """The first turns of player 0 in a match of a bot, given by its command, against itself.

    Raises BundleError.
    """
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        match = ["match", contest, shlex.join(source), "--log", str(log), "--limits", "off"]
        numbers = ["--turns", str(N_TURNS), "--nodes", str(N_NODES), "--seed", str(SEED)]
        command = [sys.executable, "-m", "referee", *match, *numbers]
        played = subprocess.run(command, cwd=root, capture_output=True, text=True)
        if played.returncode != 0:
            said = played.stderr.strip() or f"the referee exited with status {played.returncode}"
            advice = "repair that, or skip the check with --no-check"
            raise BundleError(contest, 1, f"no game to check on: {said.splitlines()[-1]}", advice)
        return recorded_game(log)


def recorded_game(log):
    """The turns of a referee's log, of the first player that was asked.

    Raises BundleError where the file is none.
    """
    turns = []
    try:
        lines = log.read_text(encoding="utf-8").splitlines()
        records = [json.loads(line) for line in lines if line.startswith('{"turn"')]
        for number, record in enumerate(records):
            player = min(record["players"]) if number == 0 else player
            if player in record["players"]:
                part = record["players"][player]
                read = part.get("initial_input", []) + part["input"]
                turns.append(Turn(read, part["lines_expected"]))
    except OSError as error:
        raise BundleError(log, 1, error.strerror, "give a log of a match") from error
    except (ValueError, KeyError, TypeError) as error:
        raise BundleError(log, 1, "no log of a match", "give one of `referee match`") from error
    if not turns:
        raise BundleError(log, 1, "no turn in it", "give a log of `referee match` or `import`")
    return turns


def run(command, turns):
    """What a bot answers to the turns of a game, in an empty folder, with N_NODES a turn to search."""
    n_lines = sum(turn.n_lines for turn in turns)
    with (
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryFile("w+") as stdin,
        tempfile.TemporaryFile("w+", errors="backslashreplace") as stderr,
    ):
        stdin.writelines(f"{line}\n" for turn in turns for line in turn.lines)
        stdin.seek(0)
        bot = subprocess.Popen(
            command,
            cwd=folder,
            env={"PATH": os.environ.get("PATH", os.defpath), "CG_NODES": str(N_NODES)},
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            errors="backslashreplace",
        )
        # A bot may go on for ever where its input ends: it is read as far as it has to answer, and
        # then killed.
        hang = threading.Timer(HANG_S, bot.kill)
        hang.start()
        written = iter([line.rstrip("\n") for line in islice(bot.stdout, n_lines)])
        hang.cancel()
        bot.kill()
        bot.communicate()
        stderr.seek(0)
        said = stderr.read().strip().splitlines()
    answers = [list(islice(written, turn.n_lines)) for turn in turns]
    return Run(answers, said[-1] if said else "")


def cache_key(text, files, turns):
    """A hash of all that a check depends on; `turns` is None for a generated game."""
    digest = hashlib.sha256(f"{sys.version} {turns}\n".encode())
    digest.update(text.encode())
    for file in (*sorted(files), FOLDER / "check.py", FOLDER / "isolated.py"):
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:32]
