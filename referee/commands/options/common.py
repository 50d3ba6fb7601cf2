"""Options and output that several commands share."""

import glob
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from referee.errors import UsageError
from referee.log.limits import Clock, TurnLimits
from referee.sources.bots import bundling_text
from referee.sources.contests import contest_names
from referee.terminal import say
from shared.core.clock import Limits

Value = TypeVar("Value")
# The exit status where a bot failed, for scripts.
BOT_FAILED = 3


def _options_of(panel: str) -> Callable[..., Any]:
    return partial(typer.Option, rich_help_panel=panel)


# Options in the groups of a command's help.
game_option, time_option = _options_of("Games"), _options_of("Time")
storage_option, run_option = _options_of("Files"), _options_of("Execution")


def complete_contest(incomplete: str) -> list[str]:
    """Returns the contests that a word on the command line may become."""
    return [name for name in contest_names() if name.startswith(incomplete)]


def within(low: float, high: float) -> Callable[[float | None], float | None]:
    """Returns a callback that raises BadParameter for an option's number outside a range. Typer's
    own range would be too long for the help.
    """

    def check(value: float | None) -> float | None:
        if value is not None and not low <= value <= high:
            raise typer.BadParameter(f"{value} is not in the range {low:,} to {high:,}.")
        return value

    return check


# The form of a limit.
LIMITS_WORD = re.compile(r"official|soft3|bank|off|\d{1,6}(,\d{1,6})?", re.ASCII)

ContestName = Annotated[
    str,
    typer.Argument(
        metavar="CONTEST",
        help="A folder's name in shared/games, or a file with a CONTEST.",
        autocompletion=complete_contest,
    ),
]
LogFile = Annotated[
    Path, typer.Argument(metavar="LOG", help="A log that `match --log` or `import` wrote.")
]
Trust = Annotated[
    bool,
    typer.Option(
        "--trust",
        help="Run every contest and command line that the log names; without it only the contests"
        " and bots of this installation.",
    ),
]
BOT_HELP = (
    "A bot's source (bots/CONTEST/NAME.py, which is bundled first), another Python file (run as it "
    "is), one of another language (bot.cpp, which is compiled first), or a command line in quotes "
    '("java -jar bot.jar", "./a.out").'
)
WARMUP_HELP = (
    "The most time in which a bot may start, compile and load before the clock of its first answer "
    "runs: the referee waits until the bot sleeps. "
    "0 is the site's rule: the first answer is timed from the start of the process."
)
Warmup = Annotated[
    float, time_option(hidden=True, metavar="SECONDS", min=0.0, max=3600.0, help=WARMUP_HELP)
]

LimitsText = Annotated[
    str,
    time_option(
        "--limits",
        metavar="LIMITS",
        help="official: the site's time for an answer. soft3: the same, but an answer up to 50 ms"
        " late counts, and the third late one loses. bank: one budget of CPU time for the game."
        " off: a minute for each answer. 100 or 100,1000: milliseconds for an answer, and for the"
        " first. By bot: official/50.",
    ),
]
ClockChoice = Annotated[
    Clock,
    time_option(
        metavar="wall|cpu",
        help="The time that the limits count. cpu: CPU time, by which bots of this project think,"
        " too, so that other programs on the machine make no bot late.",
    ),
]
ThinkText = Annotated[
    str | None,
    time_option(
        "--think",
        metavar="MS",
        help="The milliseconds that each bot of this project thinks in a turn (CG_MS). By bot:"
        " 40/80.",
    ),
]
OwnOptions = Annotated[
    list[str] | None,
    game_option(
        "--option",
        metavar="NAME=VALUE",
        help="An option of the contest's own, as in map=FILE; may be given several times.",
    ),
]
FileGlobs = Annotated[
    list[str] | None,
    storage_option(
        "--files",
        hidden=True,
        metavar="GLOB",
        help="Further files of the bots, bundles excepted: a bot with a changed file is a new bot."
        " The files that a command names and those in a script's folder count anyway. May be given"
        " several times.",
    ),
]
# SQLite's integers end at 2**63; no run comes to the seeds between.
FirstSeed = Annotated[
    int,
    game_option(
        metavar="N",
        callback=within(0, 2**62),
        help="The first seed; the next ones follow.",
    ),
]
Players = Annotated[
    int | None,
    game_option(
        min=2,
        metavar="N",
        help="Seats at a table, where the contest allows several numbers.",
        show_default="as few as the contest allows",
    ),
]
Jobs = Annotated[
    int | None,
    run_option(
        min=1,
        metavar="J",
        help="Games at once; by default as many as give each thinking bot a core of its own.",
    ),
]
ClusterKey = Annotated[
    Path | None,
    typer.Option(
        "--key",
        metavar="FILE",
        help="The cluster's key; all its hosts have a copy.",
        show_default="~/.onefile/cluster.pem",
    ),
]
Insecure = Annotated[
    bool,
    typer.Option("--insecure", help="Go without TLS beyond this host, where you trust everybody."),
]
JsonLine = Annotated[
    bool, run_option("--json", help="Print one line of JSON instead of the table.")
]


SiteName = Annotated[
    str | None,
    run_option(
        "--site",
        hidden=True,
        metavar="NAME",
        help="Run Python bots with the Python and packages of a site: codingame, strict (Python 3.9"
        " and numpy 1.20 alone), or own, the table [site] of onefile.toml. Its environment is made"
        " once.",
        show_default="the referee's Python",
    ),
]


@dataclass(frozen=True)
class TimeLimits:
    """The limits of the time for an answer, and the clock that counts it."""

    limits: LimitsText = "official"
    clock: ClockChoice = Clock.WALL

    def is_timed(self, think: str | None) -> bool:
        """Returns True if limits other than official and off, a thinking time or the CPU clock are
        chosen, which have no effect where nodes alone count.
        """
        is_own = self.limits not in ("official", "off")
        return bool(think) or self.clock is not Clock.WALL or is_own


@dataclass(frozen=True)
class TimeOptions(TimeLimits):
    """The time that the bots of a match have for an answer, to think and to start."""

    nodes: Annotated[
        str | None,
        time_option(
            metavar="N",
            help="Let each bot search N nodes a turn (CG_NODES) instead of by time, so that the"
            " game can be repeated. By bot: 5000/8000, with - for a bot without a number.",
        ),
    ] = None
    think: ThinkText = None
    warmup: Warmup = 0.0
    serial: Annotated[
        bool,
        time_option(
            "--serial",
            hidden=True,
            help="Ask the bots of a turn one after the other, not all at once.",
        ),
    ] = False


def page_option(default: str, option: Callable[..., Any] = typer.Option) -> Any:
    """Returns the option for the page to write. default: the description of the default in the
    help.
    """
    return option(
        "-o", "--output", metavar="PAGE.html", help="The page to write.", show_default=default
    )


def output_path(given: Path | None, source: Path, ending: str, what: str) -> Path:
    """Returns the file to write for a source: the given path, else a path beside the source with
    the ending for its suffix. Raises UsageError if it cannot be written, or would overwrite the
    source.
    """
    file = given or (source.with_name(source.stem + ending) if source.name else source)
    if file.is_dir():
        raise UsageError(f"{file}: a folder: give a file")
    if given and not file.parent.is_dir():
        raise UsageError(f"{file}: its folder does not exist: make it first")
    if file.resolve() == source.resolve():
        raise UsageError(f"{source}: would be overwritten by its {what}: name another with -o")
    return file


def parse_options(texts: list[str] | None) -> tuple[tuple[str, str], ...]:
    """Returns the options of `--option`, sorted, with full paths of files. Raises BadParameter."""
    options = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise typer.BadParameter(f"{text!r}: NAME=VALUE is expected.", param_hint="'--option'")
        options[name] = str(Path(value).resolve()) if Path(value).is_file() else value
    return tuple(sorted(options.items()))


def parse_globs(patterns: list[str] | None) -> tuple[str, ...]:
    """Returns the patterns of `--files`, sorted, with full paths."""
    here = glob.escape(os.getcwd())
    return tuple(sorted(os.path.join(here, pattern) for pattern in patterns or ()))


def parse_limits(text: str, site: Limits, n_bots: int) -> tuple[TurnLimits, ...]:
    """Returns each bot's `--limits`. Raises BadParameter, and UsageError for unknown limits."""
    if not all(LIMITS_WORD.fullmatch(word) for word in text.split("/")):
        expected = "official, soft3, bank, off, or milliseconds as in 100 or 100,1000"
        raise typer.BadParameter(f"{text!r}: {expected}.", param_hint="'--limits'")
    return _each("--limits", text, n_bots, lambda word: TurnLimits.read(word, site))


def parse_numbers(option: str, text: str | None, n_bots: int) -> tuple[int | None, ...]:
    """Returns each bot's number from 1 on, None for "-" or no option. Raises BadParameter."""
    if text is None:
        return (None,) * n_bots

    def read(word: str) -> int | None:
        if word == "-":
            return None
        if not re.fullmatch(r"0*[1-9]\d{0,11}", word, re.ASCII):
            raise typer.BadParameter(f"{word!r} is no number from 1 on.", param_hint=f"'{option}'")
        return int(word)

    return _each(option, text, n_bots, read)


def _each(option: str, text: str, n_bots: int, read: Callable[[str], Value]) -> tuple[Value, ...]:
    """Returns each bot's value of a text: one for all bots, or one each, joined by "/"."""
    values = tuple(read(word) for word in text.split("/"))
    if len(values) == 1:
        return values * n_bots
    if len(values) != n_bots:
        problem = f"{len(values)} values for {n_bots} bots."
        raise typer.BadParameter(problem, param_hint=f"'{option}'")
    return values


def announce(text: str) -> None:
    """Print a line about a task that takes a while, on stderr."""
    say(text, error=True)


def announce_bundling(bot: str) -> None:
    """Print on stderr that a bot is being bundled, which is silent otherwise."""
    say(bundling_text(bot), error=True)


def warn(text: str) -> None:
    """Print a warning as one line on stderr."""
    say(f"warning: {text}", error=True)


def describe_file(path: Path) -> str:
    """Returns a text for people with the path and size of a page."""
    return f"{path}: {path.stat().st_size / 1000:,.0f} kB, to open in a browser"
