"""Options and output that several commands share."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from referee.errors import UsageError
from referee.log.limits import Clock, TurnLimits
from referee.terminal import say
from shared.core.clock import Limits

Value = TypeVar("Value")


def _options_of(panel: str) -> Callable[..., Any]:
    return partial(typer.Option, rich_help_panel=panel)


# Options in the groups of a command's help.
game_option, time_option = _options_of("Which games"), _options_of("Time to think")
storage_option, run_option = _options_of("What is kept"), _options_of("How it runs")
# The form of a limit.
LIMITS_WORD = re.compile(r"official|soft3|bank|off|\d{1,6}(,\d{1,6})?", re.ASCII)

ContestName = Annotated[
    str,
    typer.Argument(
        metavar="CONTEST", help="A folder's name in shared/games, or a file with a CONTEST."
    ),
]
LogFile = Annotated[
    Path, typer.Argument(metavar="LOG", help="A log that `match --log` or `import` wrote.")
]
Trust = Annotated[
    bool,
    typer.Option(
        "--trust",
        help="Run what the log names, be it the file of a contest or any command line; without it"
        " only the contests and bots of this installation.",
    ),
]
BOT_HELP = (
    "A bot's source (bots/CONTEST/NAME.py: its bundle is what runs), another Python file "
    '(run as it is), or a command line in quotes ("java -jar bot.jar", "./a.out").'
)
WARMUP_HELP = (
    "How long a bot may take to start before the first answer's clock runs: it waits until the "
    "bot sleeps, which a bot that compiles or loads does not. "
    "0 is the site's rule: the first answer is timed from the start of the process."
)
Warmup = Annotated[float, time_option(metavar="SECONDS", min=0.0, max=3600.0, help=WARMUP_HELP)]

LimitsText = Annotated[
    str,
    time_option(
        "--limits",
        metavar="LIMITS",
        help="official: the site's time for an answer. soft3: the same, but an answer up to 50 ms"
        " late counts, and the third late one loses. bank: so much CPU time for the whole game."
        " off: a minute for each answer. 100 or 100,1000: so many milliseconds for an answer,"
        " and for the first. By bot: official/50.",
    ),
]
ClockChoice = Annotated[
    Clock,
    time_option(
        help="Which time the limits count. cpu: what a bot computes, and bots of this project think"
        " by that, so that a busy machine is fair."
    ),
]
ThinkText = Annotated[
    str | None,
    time_option(
        "--think",
        metavar="MS",
        help="Let each bot of this project think so long in a turn (CG_MS). By bot: 40/80.",
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
JsonLine = Annotated[
    bool, run_option("--json", help="Print one line of JSON instead of the table.")
]


@dataclass(frozen=True)
class TimeLimits:
    """The limits of the time for an answer, and the clock that counts it."""

    limits: LimitsText = "official"
    clock: ClockChoice = Clock.WALL

    def is_timed(self, think: str | None) -> bool:
        """Returns whether an option asks for time, which is void where nodes alone count."""
        is_own = self.limits not in ("official", "off")
        return bool(think) or self.clock is not Clock.WALL or is_own


@dataclass(frozen=True)
class TimeOptions(TimeLimits):
    """The time that the bots of a match have for an answer, to think and to start."""

    nodes: Annotated[
        str | None,
        time_option(
            metavar="N",
            help="Let each bot search N nodes a turn (CG_NODES), whatever the time: repeatable. By"
            " bot: 5000/8000, with - for a bot that is told nothing.",
        ),
    ] = None
    think: ThinkText = None
    warmup: Warmup = 0.0
    serial: Annotated[
        bool,
        time_option(
            "--serial", help="Ask the bots of a turn one after the other, not all at once."
        ),
    ] = False


def page_option(default: str, option: Callable[..., Any] = typer.Option) -> Any:
    """Returns the option for the page to write; default: text for its default."""
    return option(
        "-o", "--output", metavar="PAGE.html", help="The page to write.", show_default=default
    )


def output_path(given: Path | None, source: Path, ending: str, what: str) -> Path:
    """Returns the file to write for another one: the one given, else one beside the source.

    That has the ending for its suffix. Raises UsageError if it cannot be written, or would
    overwrite the source.
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
    found = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise typer.BadParameter(f"{text!r}: NAME=VALUE is expected.", param_hint="'--option'")
        found[name] = str(Path(value).resolve()) if Path(value).is_file() else value
    return tuple(sorted(found.items()))


def parse_limits(text: str, site: Limits, n_bots: int) -> tuple[TurnLimits, ...]:
    """Returns each bot's `--limits`. Raises BadParameter, and UsageError for unknown limits."""
    if not all(LIMITS_WORD.fullmatch(part) for part in text.split("/")):
        expected = "official, soft3, bank, off, or milliseconds as in 100 or 100,1000"
        raise typer.BadParameter(f"{text!r}: {expected}.", param_hint="'--limits'")
    return _each("--limits", text, n_bots, lambda part: TurnLimits.read(part, site))


def parse_numbers(option: str, text: str | None, n_bots: int) -> tuple[int | None, ...]:
    """Returns each bot's number from 1 on, None for "-" or no option. Raises BadParameter."""
    if text is None:
        return (None,) * n_bots

    def read(part: str) -> int | None:
        if part == "-":
            return None
        if not re.fullmatch(r"0*[1-9]\d{0,11}", part, re.ASCII):
            raise typer.BadParameter(f"{part!r} is no number from 1 on.", param_hint=f"'{option}'")
        return int(part)

    return _each(option, text, n_bots, read)


def _each(option: str, text: str, n_bots: int, read: Callable[[str], Value]) -> tuple[Value, ...]:
    """Returns each bot's value of a text: one for all bots, or one each, joined by "/"."""
    values = tuple(read(part) for part in text.split("/"))
    if len(values) == 1:
        return values * n_bots
    if len(values) != n_bots:
        problem = f"{len(values)} values for {n_bots} bots."
        raise typer.BadParameter(problem, param_hint=f"'{option}'")
    return values


def announce_bundling(bot: str) -> None:
    """Say that a bot is bundled, which is silent otherwise."""
    say(f"bundling {bot}: it may take a minute, once", error=True)


def warn(text: str) -> None:
    """Print a warning as one line on stderr."""
    say(f"warning: {text}", error=True)


def describe_file(path: Path) -> str:
    """Returns a text for people about a page that was written."""
    return f"{path}: {path.stat().st_size / 1000:,.0f} kB, to open in a browser"
