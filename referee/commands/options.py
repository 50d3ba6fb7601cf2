"""Arguments that several commands take, and how they warn."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from referee.limits import Profile

ContestName = Annotated[
    str,
    typer.Argument(
        metavar="CONTEST", help="A folder's name in shared/games, or a file with a CONTEST."
    ),
]
LogFile = Annotated[
    Path, typer.Argument(metavar="LOG", help="A log that `match --log` or `import` wrote.")
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
Warmup = Annotated[float, typer.Option(metavar="SECONDS", min=0.0, help=WARMUP_HELP)]

LimitsProfile = Annotated[
    Profile,
    typer.Option(
        help="official: the site's time for an answer. soft3: the same, but an answer up to 50 ms late "
        "counts, and the third late one loses. bank: so much CPU time for the whole game. "
        "off: a minute for each answer."
    ),
]
Nodes = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="N",
        help="Let each bot search N nodes a turn (CG_NODES), whatever the time: repeatable.",
    ),
]
ForeignReferee = Annotated[
    str | None,
    typer.Option(
        metavar="COMMAND",
        help='A foreign referee that leads the match ("java -jar referee.jar"), made for '
        "cg-brutaltester or psyleague. CONTEST may then be any name.",
    ),
]
JsonLine = Annotated[
    bool, typer.Option("--json", help="Print one line of JSON instead of the table.")
]


def tell_bundling(bot: str) -> None:
    """Say that a bot is bundled, which is silent otherwise."""
    print(f"bundling {bot}: it may take a minute, once", file=sys.stderr, flush=True)


def warn(text: str) -> None:
    """Print a warning as one line on stderr."""
    print(f"warning: {text}", file=sys.stderr)
