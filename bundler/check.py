"""Runs a bundle beside its source and compares them, before the bundle is handed over.

Both read the same input and may search the same few nodes a turn (`CG_NODES`), so their outputs
must be equal, and so must their ends. In a game made for the check the source has written its
output already, and runs again only if the bundle's differs. The source runs as plain Python, the
bundle without the project. Both run with the site's packages (`site_python.py`), in an empty
folder, in the limits of `sandbox.py`, and for some seconds; the output up to then is compared. The
source of a bot that reads files runs once more with copies of those beside it. If the outputs
differ, other bundles of the bot are tried, one without pruning and some with a module carried: the
error names the option that helps.

The input is a file, or the turns of a recorded game. Without one a contest's bot reads the first
turns of a match against itself, which the referee of the bot's own project plays: the bundler knows
no contest, only where a bot of one lies (`bots/<contest>/<bot>.py`) and what a log looks like
(`referee/log/file.py`). Any other bot reads the end of its input.
"""

import contextlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate, zip_longest
from pathlib import Path
from types import MappingProxyType
from typing import IO

from bundler.bundle import Bundle
from bundler.errors import BundleError
from bundler.modules.project import Project
from bundler.modules.workspace import INSTALLED, MARKER
from bundler.site_python import check_python, site_advice
from bundler.versions import check_version, needed_packages

SANDBOX = Path(__file__).with_name("sandbox.py")
RUN_JOINED = "import sys; from bundler.modules.workspace import run; run(*sys.argv[1:])"

# Enough for every branch of reading and writing, little enough for a search in plain Python.
N_TURNS = 6
N_NODES = 10
SEED = 1
GAME_S = 60.0  # for the turns of a game
SECONDS = 3.0  # for any other bot
MORE_SECONDS = 12.0  # for the second run, if they differ
POLL_S = 0.01
MOST_BYTES = 1 << 20  # of output
EXCERPT = 80  # characters of a long line that differs
N_NAMES = 5  # of files, in a message
MOST_COPIED = 1 << 24  # bytes of a file or folder beside a bot

# A native bundle's line on stderr where its machine code cannot run (`backends/native.py`)
FALLBACK = "kernels run as plain Python"
_PLACE = re.compile(r'File "[^"\n]*", line \d+')
_ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b")
# Words of programs that open files, and texts that may name one
_READS_FILES = re.compile(
    r"\bsubprocess\b"
    r"|\b(open|read_text|read_bytes|load|loadtxt|genfromtxt|fromfile|memmap|exists|isfile|is_file|stat"
    r"|glob|iglob|rglob|listdir|iterdir|scandir|walk|run_path|Popen|check_output|system)\("
)
_NAMES_FILE = re.compile(r"[\"']([\w.-][\w./ -]*)[\"']")
_ORIGIN = re.compile(r"(cannot import name .*) \((?!most likely)[^()]*\)")


class CheckError(Exception):
    """The bundle is not what its source is; the text says where they differ."""


@dataclass(frozen=True)
class Transcript:
    """The input of a bot in some turns, all that it has written, and the number of lines of that
    after each turn.
    """

    lines: list[str]
    output: list[str]
    ends: list[int]

    def turn_of(self, number: int) -> int:
        """Returns the turn of a line, both from 0; the number of turns for later lines."""
        return bisect_right(self.ends, number)


@dataclass(frozen=True)
class Run:
    """The steps of a bot, as "writes '1 2'" and "ends"; is_done: it ended or had written enough.
    fallback: the line on stderr by which a native bundle says that its machine code does not run.
    """

    steps: list[str]
    is_done: bool
    fallback: str = ""


def check(
    bundle: Bundle,
    file: Path | None = None,
    allowed: Collection[str] = (),
    others: Mapping[str, Callable[[], Bundle]] = MappingProxyType({}),
) -> str:
    """Compare a Bundle with its source. Returns a phrase on the check.

    file: a recorded game or any text to read; None for a generated game or no input. allowed:
    modules that the site has. others: what makes further bundles of the bot, by the option for it:
    they are tried if the bundle differs. Raises CheckError and BundleError.
    """
    compiles(bundle.text)
    project = bundle.project
    if unchecked := check_version(bundle.kept, project.site.python):
        note = f"{', '.join(unchecked)}: the versions of its names are NOT CHECKED"
        bundle.warnings.append(note)
    contest = contest_of(project)
    with tempfile.TemporaryDirectory() as folder:
        alone = Path(folder, "bundle")
        alone.mkdir()
        needed = needed_packages(bundle.kept, project.site.packages, allowed)
        python, shown, missing = check_python(Path(folder, "site"), project.site, needed)
        if missing:
            said = f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} not installed here"
            return f"NOT CHECKED: {said}; {site_advice(project.site)}"
        source = source_command(project, contest is not None, bundle.parameters, python)
        game = None
        if file is not None:
            game = recorded_game(file)
        elif contest is not None:
            game = generated_game(contest, source, project.root)
        copy = alone / project.entry_path.name  # by its source's name, which it may print
        copy.write_text(bundle.text, encoding="utf-8")
        stdin, n_lines = file or os.devnull, None
        if game is not None:
            stdin, n_lines = Path(folder, "input"), game.ends[-1]
            stdin.write_text("".join(f"{line}\n" for line in game.lines), encoding="utf-8")
        command = [python, str(copy)]
        run = Sandbox(project, folder, stdin, n_lines).run
        more_seconds = GAME_S if game else MORE_SECONDS
        if game is not None and file is None:
            # The source has just played: what it wrote there need not be computed again.
            expected = Run([f"writes {line!r}" for line in game.output], True)
            (bundle_run,) = run([command], seconds=GAME_S)
        if game is None or file is not None or difference(expected, bundle_run):
            expected, bundle_run = run([source, command], seconds=GAME_S if game else SECONDS)
        if difference(expected, bundle_run):
            before = expected
            expected, bundle_run = run([source, command], seconds=more_seconds)
            if difference(before, expected):
                return "not checked: the bot itself differs from run to run"
        if differs := difference(expected, bundle_run):
            line, text = differs
            turn = f"turn {game.turn_of(line)}, " if game else ""
            advice = "try it with --carry"
            if others:  # unless one of them helps
                advice = "let it use no file, folder or module that the bundle lacks"
            for option, make in others.items():
                with contextlib.suppress(BundleError):  # as by --plain
                    copy.write_text(make().text, encoding="utf-8")
                if not difference(expected, run([command], seconds=more_seconds)[0]):
                    advice = f"bundle it with {option}"
                    break
            raise CheckError(f"{turn}line {line + 1} of the output: {text}; {advice}")
        if files := files_beside(bundle):
            (beside,) = run([source], seconds=more_seconds, files=files)
            if difference(expected, beside):
                names, end = ", ".join([*files][:N_NAMES]), expected.steps[-1:]
                if end and end[0].startswith("ends with"):
                    advice = f"put what the bot reads of {names} into a module"
                    raise CheckError(f"the bot {end[0]} where no file is beside it: {advice}")
                phrase = _phrase(game, file, expected, bundle_run)
                return f"{phrase}, otherwise beside {names}, with {shown}"
    return f"{_phrase(game, file, expected, bundle_run)}, with {shown}"


def files_beside(bundle: Bundle) -> dict[str, Path]:
    """Returns {name in the working folder: path} of the files and folders that a bot may open.

    For a bot that opens any these are what lies beside it, but modules, and what its sources name:
    from its folder on, or from the project's root.
    """
    texts = [path.read_text("utf-8", "replace") for path in bundle.files]
    if not any(map(_READS_FILES.search, texts)):
        return {}
    folder, root = bundle.project.entry_path.parent, bundle.project.root
    named = {name for text in texts for name in _NAMES_FILE.findall(text)}
    files = {}
    for path in sorted(folder.iterdir()):
        if path.name[0] not in "._" and (path.suffix != ".py" or path.name in named):
            files[path.name] = path
    for name in sorted(named - files.keys()):
        parts = Path(name).parts
        if not parts or ".." in parts or (folder / parts[0]).exists():
            continue
        if (root / name).exists():
            files[name] = root / name
    return {name: path for name, path in files.items() if _size(path) < MOST_COPIED}


def _size(path: Path) -> int:
    """The bytes of a file, or of all files in a folder."""
    return sum(file.stat().st_size for file in (path, *path.rglob("*")) if file.is_file())


def _phrase(game: Transcript | None, file: Path | None, expected: Run, actual: Run) -> str:
    n = min(len(expected.steps), len(actual.steps))
    end = expected.steps[-1] if n and expected.steps[-1].startswith("ends") else None
    n -= end is not None
    if actual.fallback:
        return f"kernels NOT CHECKED: {actual.fallback}"
    if game is not None:
        turns = f"checked on {game.turn_of(n)} turns"
        return f"{turns}, then the bot {end}" if end else turns
    on = "without input" if file is None else f"on {file}"
    lines = f"{n:,} line{'s' * (n != 1)}"
    return f"checked {on}: the bot writes {lines} " + (f"and {end}" if end else "and goes on")


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


def contest_of(project: Project) -> str | None:
    """Returns the known contest of an entry `bots/<contest>/<bot>.py`, None for any other entry."""
    parts = project.entry_path.relative_to(project.root).parts
    if len(parts) != 3 or parts[0] != "bots":
        return None
    needed = (f"shared/games/{parts[1]}/contest.py", "referee/__main__.py")
    folders = [folder for folder in project.search if folder != project.entry_path.parent]
    known = [any((folder / path).is_file() for folder in folders) for path in needed]
    return parts[1] if all(known) else None


def source_command(
    project: Project,
    as_module: bool,
    parameters: Mapping[str, float] | None = None,
    python: str = sys.executable,
) -> list[str]:
    """Returns the command that runs a bot from its sources, as plain Python and from any folder."""
    folders = f"{project.root}{os.pathsep}{project.entry_path.parent}"
    is_module = as_module or project.as_module
    bot = ["-m", project.entry_name] if is_module else [str(project.entry_path)]
    if INSTALLED in project.search[1:]:
        folders = f"{INSTALLED}{os.pathsep}{folders}"
        bot = ["-c", RUN_JOINED, str(project.root), str(project.entry_path)]
    told = [f"CG_PARAMETERS={json.dumps({**parameters})}"] if parameters else []
    return ["env", f"PYTHONPATH={folders}", "CG_JIT=0", *told, python, *bot]


def generated_game(contest: str, source: list[str], root: Path) -> Transcript:
    """Returns the first turns of player 0 when a bot plays itself. Raises BundleError."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        match = ["match", contest, shlex.join(source), "--log", str(log), "--limits", "off"]
        numbers = ["--turns", str(N_TURNS), "--nodes", str(N_NODES), "--seed", str(SEED)]
        command = [sys.executable, "-m", "referee", *match, *numbers]
        environment = dict(os.environ)
        if (root / MARKER).is_file():  # of a workspace, which has no referee
            environment["PYTHONPATH"] = str(INSTALLED)
        played = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)
        game = recorded_game(log) if played.returncode == 0 else None
        if game is None:
            said = played.stderr.strip() or f"the referee exited with status {played.returncode}"
            advice = "repair that, or skip the check with --no-check"
            raise BundleError(contest, 1, f"no game to check on: {said.splitlines()[-1]}", advice)
        return game


def recorded_game(file: Path) -> Transcript | None:
    """Returns the first player's turns in a log, None for another file. Raises BundleError."""
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
    """Runs commands on the same input, each in an empty folder below `folder`. n_lines: the lines
    of output after which a bot is ended.
    """

    project: Project
    folder: str
    stdin: str | Path
    n_lines: int | None

    def run(
        self,
        commands: Iterable[list[str]],
        seconds: float,
        files: Mapping[str, Path] = MappingProxyType({}),
    ) -> list[Run]:
        """Run commands, all at once, beside copies of `files`. Returns their Runs."""
        bots = []
        path = os.environ.get("PATH", os.defpath)
        environment = {"PATH": path, "CG_NODES": str(N_NODES), "PYTHONHASHSEED": "0"}
        with contextlib.ExitStack() as stack:
            for core, command in enumerate(commands):
                empty = stack.enter_context(tempfile.TemporaryDirectory(dir=self.folder))
                for name, file in files.items():
                    place = Path(empty, name)
                    place.parent.mkdir(parents=True, exist_ok=True)
                    (shutil.copytree if file.is_dir() else shutil.copy)(file, place)
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
        """The Run of a bot that has written enough or ended, else None."""
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
        """A bot's output without what differs between any two runs: paths and addresses."""
        folders = [self.project.entry_path.parent, self.project.root]
        known = [re.escape(str(path)) for path in folders if path != path.parent]
        paths = "(?:" + "|".join([re.escape(self.folder) + r"/\w+", *known]) + ")/?"
        text = re.sub(paths, "", data.decode("utf-8", "backslashreplace"))
        return _ORIGIN.sub(r"\1", _ADDRESS.sub("0x", _PLACE.sub("File", text)))
