"""Runs a bundle beside its source and compares their outputs, before the bundle is handed over.

Both read the same input and may search the same few nodes a turn (`CG_NODES`), so their outputs
must be equal, and so must the ways in which they end. The source runs as plain Python. The bundle
runs without the project; a bundle in numba mode runs with numba. Both run with the site's packages
(`site_python.py`), in an empty folder, within the limits of `sandbox.py`, for some seconds. The
outputs up to then are compared.

The input is a file, or the turns of a recorded game. Without a file a contest's bot reads a game
against itself, which the referee of the bot's own project plays. The bundler knows no contest, only
the place of a contest's bot (`bots/<contest>/<bot>.py`) and the format of a log
(`referee/log/file.py`). The bundle plays that game, as its machine code takes the least time; the
source plays it where the bundle fails, or would compile for every seat. A bot of a contest without
rules, which an official referee leads, reads the last log of its folder's bots. Any other bot reads
an empty input, which proves little.
"""

import contextlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, zip_longest
from pathlib import Path
from typing import IO

from bundler.bundle import Bundle
from bundler.errors import BundleError
from bundler.inputs import CHECKED
from bundler.modules.library import DISTRIBUTION
from bundler.modules.packages import brought_contests
from bundler.modules.project import Project
from bundler.modules.workspace import INSTALLED, IS_CHECKOUT, MARKER, newest_logs
from bundler.site_python import check_python, site_advice
from bundler.versions import check_version, needed_packages

SANDBOX = Path(__file__).with_name("sandbox.py")
RUN_JOINED = "import sys; from bundler.modules.workspace import run; run(*sys.argv[1:])"

N_NODES = 10  # a turn: a search in plain Python plays most games of the contests in 10 s
SEED = 1
PLAY_S = 90.0  # the limit for a game of the bot against itself
END_S = 20.0  # for the rest of a game that is told to end
GAME_S = 15.0  # the limit for a bot's turns in a game
NUMBA_S = 60.0  # the limit with numba, which compiles at the start
SECONDS = 3.0  # the limit for any other bot
MORE_TIMES = 4  # the second run, if the outputs differ, may take so many times as long
POLL_S = 0.01
MOST_BYTES = 1 << 20  # the most output of a bot
EXCERPT = 80  # characters of a long line that differs

# A native bundle's line on stderr where its machine code cannot run (`backends/native.py`)
FALLBACK = "kernels run as plain Python"
_PLACE = re.compile(r'File "[^"\n]*", line \d+')
_ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b")
_LACKS_FILE = re.compile(r"ends with .(FileNotFound|NotADirectory)Error")
_ORIGIN = re.compile(r"(cannot import name .*) \((?!most likely)[^()]*\)")


class CheckError(Exception):
    """Failure of a bundle's check: invalid Python, output unlike its source's or a missing file;
    the message says where.
    """


@dataclass(frozen=True)
class Transcript:
    """The first player's side of a game. lines: the input of the bot. output: all lines that the
    bot wrote. ends: the number of lines written up to the end of each turn.
    """

    lines: list[str]
    output: list[str]
    ends: list[int]

    def turn_of(self, number: int) -> int:
        """Returns the turn in which a line of output was written, both counted from 0; the number
        of turns for a line after the last turn.
        """
        return bisect_right(self.ends, number)


@dataclass(frozen=True)
class Run:
    """A bot's run. steps: texts such as "writes '1 2'" and "ends". is_done: True if the bot ended
    or wrote enough. fallback: the line on stderr by which a native bundle reports that its machine
    code does not run, else "".
    """

    steps: list[str]
    is_done: bool
    fallback: str = ""


def check(bundle: Bundle, file: Path | None = None, allowed: Collection[str] = ()) -> str:
    """Compare a Bundle with its source. Returns a phrase on the check.

    file: a recorded game or any text to read; None for a generated game or no input. allowed:
    modules that the check has besides the site's packages. The phrase starts with CHECKED, or gives
    the reason why something was not checked. Raises CheckError, BundleError and SiteError.
    """
    compiles(bundle.text)
    site = bundle.project.site
    unchecked = f"the names of Python {site.version} are NOT CHECKED: {site_advice(site)}"
    if not check_version(bundle.kept, site) and unchecked not in bundle.warnings:
        bundle.warnings.append(unchecked)
    project, contest = bundle.project, contest_of(bundle.project)
    with tempfile.TemporaryDirectory() as folder:
        needed = needed_packages(bundle.kept, project.site.packages, allowed)
        python, shown, missing = check_python(Path(folder, "site"), project.site, needed)
        if missing:
            said = f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} not installed here"
            return f"NOT CHECKED: {said}; {site_advice(project.site)}"
        beside = Path(folder, "packages")
        link_packages(project, beside)
        source = source_command(project, contest is not None, bundle.parameters, python, beside)
        # By its source's name, which it may print, in a folder without any other file
        copy = Path(folder, "bundle", project.entry_path.name)
        copy.parent.mkdir()
        copy.write_text(bundle.text, encoding="utf-8")
        command = [python, str(copy)]
        compiles_there = "numba" in needed
        game = recorded_game(file) if file else None
        if contest and not file:
            players = [source] if compiles_there else [command, source]
            game = generated_game(contest, players, project.root)
        stdin, n_lines = file or os.devnull, None
        if game is not None:
            stdin, n_lines = Path(folder, "input"), game.ends[-1]
            stdin.write_text("".join(f"{line}\n" for line in game.lines), encoding="utf-8")
        run = Sandbox(project, folder, stdin, n_lines).run
        seconds = NUMBA_S if compiles_there else GAME_S if game else SECONDS
        expected, bundle_run = run([source, command], seconds)
        # Imports alone may take so long that nothing was written, as pandas on a busy machine.
        if difference(expected, bundle_run) or not (expected.steps or expected.is_done):
            before = expected
            seconds *= MORE_TIMES
            expected, bundle_run = run([source, command], seconds)
            if difference(before, expected):
                return "NOT CHECKED: the bot itself differs from run to run"
        if differs := difference(expected, bundle_run):
            line, text = differs
            turn = f"turn {game.turn_of(line)}, " if game else ""
            remedies = ["let it use no file, folder or module that the bundle lacks"]
            remedies += ["try --mode python"] if bundle.mode != "python" else []
            remedies += ["try --carry"] if not bundle.carried else []
            said = f"{turn}line {line + 1} of the output: {text}"
            raise CheckError(f"{said}; {', or '.join(remedies)}")
    if expected.steps and _LACKS_FILE.match(expected.steps[-1]):
        advice = "put what it reads into a module"
        raise CheckError(f"the bot {expected.steps[-1]} where no file is beside it: {advice}")
    return f"{_phrase(game, file, expected, bundle_run)}, with {shown}"


def _phrase(game: Transcript | None, file: Path | None, expected: Run, actual: Run) -> str:
    """Returns the phrase on the check of two equal Runs."""
    n = min(len(expected.steps), len(actual.steps))
    end = expected.steps[-1] if n and expected.steps[-1].startswith("ends") else None
    n -= end is not None
    if actual.fallback:
        return f"kernels NOT CHECKED: {actual.fallback}"
    if game is not None:
        turn, n_turns = game.turn_of(n), len(game.ends)
        turns = f"{CHECKED}on {turn} {f'of {n_turns} ' * (turn < n_turns)}turns"
        return f"{turns}, then the bot {end}" if end else turns
    lines = f"the program writes {n:,} line{'s' * (n != 1)} " + (
        f"and {end}" if end else "and goes on"
    )
    if file is None:
        return f"NOT CHECKED: give --check FILE; without input {lines}"
    return f"{CHECKED}on {file}: {lines}"


def difference(expected: Run, actual: Run) -> tuple[int, str] | None:
    """Returns (line from 0, text) of the first difference of two Runs, None if there is none."""
    for number, (wanted, got) in enumerate(zip_longest(expected.steps, actual.steps)):
        if wanted == got:
            continue
        if not expected.is_done and (wanted is None or (got is None and not actual.is_done)):
            return None
        start = max(0, len(os.path.commonprefix([wanted or "", got or ""])) - EXCERPT // 2)
        source, bundle = (
            "... " * (start > 0) + step[start : start + EXCERPT] if step else "does not in time"
            for step in (wanted, got)
        )
        return number, f"the source bot {source}, the bundle {bundle}"
    return None


def compiles(text: str) -> None:
    """Raise CheckError unless a bundle is valid Python."""
    try:
        compile(text, "bundle", "exec", dont_inherit=True)
    except SyntaxError as error:
        raise CheckError(f"line {error.lineno} of the bundle: {error.msg}") from error


def last_log(project: Project) -> Path | None:
    """Returns the newest log of the bots beside an entry of `bots/<contest>`, if the contest has no
    rules here, else None. Logs are searched in the working folder, the project's folder and its
    `build`.
    """
    folder = project.entry_path.parent
    if contest_of(project) or folder.parent != project.root / "bots":
        return None
    return next(filter(_has_turns, newest_logs(folder, project.root)), None)


def _has_turns(log: Path) -> bool:
    try:
        return recorded_game(log) is not None
    except BundleError:  # of a match that was ended early, or damaged: nobody named it
        return False


def contest_of(project: Project) -> str | None:
    """Returns the known contest of an entry `bots/<contest>/<bot>.py`, None for any other entry."""
    parts = project.entry_path.relative_to(project.root).parts
    if len(parts) != 3 or parts[0] != "bots":
        return None
    if parts[1] in brought_contests():
        return parts[1]
    needed = (f"shared/games/{parts[1]}/contest.py", "referee/__main__.py")
    folders = [folder for folder in project.search if folder != project.entry_path.parent]
    known = [any((folder / path).is_file() for folder in folders) for path in needed]
    return parts[1] if all(known) else None


def link_packages(project: Project, folder: Path) -> None:
    """Make a folder with links to the distribution and to the installed packages that a bundle
    takes along, and to no other package.
    """
    folder.mkdir()
    launcher = INSTALLED / "referee" / "launcher" / DISTRIBUTION if IS_CHECKOUT else INSTALLED
    for place in (launcher, *project.packages.values()):
        (folder / place.name).symlink_to(place)


def source_command(
    project: Project,
    as_module: bool,
    parameters: Mapping[str, float] | None = None,
    python: str = sys.executable,
    beside: Path | None = None,
) -> list[str]:
    """Returns the command that runs a bot from its sources, as plain Python and from any folder.
    parameters: values of tunable numbers. beside: a folder of further packages.
    """
    folders = f"{project.root}{os.pathsep}{project.entry_path.parent}"
    folders += f"{os.pathsep}{beside}" if beside else ""
    is_module = as_module or project.as_module
    bot = ["-m", project.entry_name] if is_module else [str(project.entry_path)]
    if INSTALLED in project.search[1:]:
        folders = f"{INSTALLED}{os.pathsep}{folders}"
        bot = ["-c", RUN_JOINED, str(project.root), str(project.entry_path)]
    told = [f"CG_PARAMETERS={json.dumps({**parameters})}"] if parameters else []
    return ["env", f"PYTHONPATH={folders}", "CG_JIT=0", *told, python, *bot]


def generated_game(contest: str, players: Sequence[list[str]], root: Path) -> Transcript:
    """Returns the first player's turns in a game of a bot against itself. players: commands of the
    bot, tried in order until one plays its game without failing; otherwise the last one's game
    counts. Raises BundleError if the bot answered in no turn.
    """
    environment = dict(os.environ)
    if (root / MARKER).is_file():  # a workspace, which has no referee of its own
        environment["PYTHONPATH"] = str(INSTALLED)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        for player in players:
            match = ["match", contest, shlex.join(player), "--log", str(log), "--limits", "off"]
            numbers = ["--nodes", str(N_NODES), "--seed", str(SEED)]
            command = [sys.executable, "-m", "referee", *match, *numbers]
            status, said = _played(command, root, environment)
            if status == 0:
                break
        game = recorded_game(log) if log.exists() else None
        if game is None or not game.output:
            advice = f"`onefile match {contest} BOT` tells why; --no-check skips the check"
            raise BundleError(contest, 1, f"no game to check on: {said}", advice)
        return game


def _played(command: list[str], folder: Path, environment: dict[str, str]) -> tuple[int, str]:
    """Run a referee. Returns (status, last line on stderr, or a phrase in its place). A game that
    takes longer than PLAY_S is ended, with the status 0.
    """
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as referee:
        try:
            said = referee.communicate(timeout=PLAY_S)[1]
        except subprocess.TimeoutExpired:
            referee.send_signal(signal.SIGINT)  # makes the referee write its log
            with contextlib.suppress(subprocess.TimeoutExpired):
                referee.communicate(timeout=END_S)
            referee.kill()
            return 0, f"no end in {PLAY_S:.0f} s"
        except BaseException:
            referee.terminate()
            raise
    text = said.decode("utf-8", "replace").strip()
    status = referee.returncode
    silent = "the bot failed in it" if status == 3 else f"the referee exited with status {status}"
    return status, text.splitlines()[-1] if text else silent


def recorded_game(file: Path) -> Transcript | None:
    """Returns the first player's turns in a log, None for a file that is no log. Raises BundleError
    for a file that cannot be read, and for a damaged log.
    """
    try:
        first, *others = file.read_bytes().splitlines() or [b""]
        if b'"onefile-log"' not in first:
            return None
        records = [json.loads(line) for line in others if line.startswith(b'{"turn"')]
        player = min(records[0]["players"])
        asked = [record["players"][player] for record in records if player in record["players"]]
        lines = [line for p in asked for line in p.get("initial_input", []) + p["input"]]
        output = [line for answer in asked for line in answer["output"]]
        return Transcript(
            lines, output, list(accumulate(len(answer["output"]) for answer in asked))
        )
    except OSError as error:
        advice = "give a log of `referee match`, or a text for the bot to read"
        raise BundleError(file, 1, error.strerror or str(error), advice) from error
    except (ValueError, LookupError, TypeError) as error:
        raise BundleError(file, 1, "no log of a match", "give one of `referee match`") from error


@dataclass(frozen=True)
class Sandbox:
    """Runs commands on the same input, each in an empty folder below `folder`. n_lines: the number
    of lines of output after which a bot is ended, None for no limit.
    """

    project: Project
    folder: str
    stdin: str | Path
    n_lines: int | None

    def run(self, commands: Iterable[list[str]], seconds: float) -> list[Run]:
        """Run commands, all at once. Returns their Runs."""
        bots = []
        path = os.environ.get("PATH", os.defpath)
        environment = {
            "PATH": path,
            "CG_NODES": str(N_NODES),
            "CG_STDIN": "1",
            "PYTHONHASHSEED": "0",
        }
        with contextlib.ExitStack() as stack:
            for core, command in enumerate(commands):
                empty = stack.enter_context(tempfile.TemporaryDirectory(dir=self.folder))
                out, err = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(2))
                bot = subprocess.Popen(
                    [sys.executable, str(SANDBOX), str(core), *command],
                    cwd=empty,
                    env=environment,
                    stdin=stack.enter_context(open(self.stdin, "rb")),
                    stdout=out,
                    stderr=err,
                    start_new_session=True,
                )
                stack.callback(bot.wait)
                stack.callback(bot.terminate)
                bots.append((bot, out, err))
            deadline = time.monotonic() + seconds
            while True:
                is_late = time.monotonic() > deadline
                runs = [self._run_of(*bot, is_late) for bot in bots]
                if None not in runs:
                    return [run for run in runs if run is not None]
                time.sleep(POLL_S)

    def _run_of(
        self, bot: subprocess.Popen[bytes], out: IO[bytes], err: IO[bytes], is_late: bool
    ) -> Run | None:
        """Returns the Run of a bot that has ended, has written enough or is late; else None."""
        status = bot.poll()
        data = os.pread(out.fileno(), MOST_BYTES, 0)
        is_cut = max(len(data), os.fstat(err.fileno()).st_size) >= MOST_BYTES
        *lines, rest = self._plain(data).split("\n")
        steps = [f"writes {line!r}" for line in lines]
        said = self._plain(os.pread(err.fileno(), MOST_BYTES, 0)).split("\n")
        fallback = next((line for line in said if line.startswith(FALLBACK)), "")
        if self.n_lines is not None and len(lines) >= self.n_lines:
            run = Run(steps[: self.n_lines], True, fallback)
        elif status is not None and not is_cut:
            last = [f"status {status}", *(line for line in said if line.lstrip() == line != "")]
            unfinished = [f"writes {rest!r} at last"] if rest else []
            run = Run(
                [*steps, *unfinished, f"ends with {last[-1]!r}" if status else "ends"],
                True,
                fallback,
            )
        elif is_cut or is_late:
            run = Run(steps, False, fallback)
        else:
            return None
        bot.terminate()
        return run

    def _plain(self, data: bytes) -> str:
        """Returns a bot's output without text that differs between any two runs: paths and
        addresses.
        """
        folders = [self.project.entry_path.parent, self.project.root]
        known = [re.escape(str(path)) for path in folders if path != path.parent]
        paths = "(?:" + "|".join([re.escape(self.folder) + r"/\w+", *known]) + ")/?"
        text = re.sub(paths, "", data.decode("utf-8", "backslashreplace"))
        return _ORIGIN.sub(r"\1", _ADDRESS.sub("0x", _PLACE.sub("File", text)))
