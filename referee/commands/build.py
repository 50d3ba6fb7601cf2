"""`onefile build`: a contest's own referee, ready to lead matches."""

from pathlib import Path
from typing import Annotated

import typer

from referee.official.build import Build, find_build
from referee.official.compilation import build_contest
from referee.status_line import status_line
from referee.terminal import say


def build(
    contest: Annotated[
        str,
        typer.Argument(
            metavar="PATH", help="A contest's folder with its pom.xml, a clone of its repository."
        ),
    ],
    engine: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Compile without Maven, with this clone of CodinGame's engine: where Maven cannot"
            " reach its repository. The contest's pom.xml names the version.",
        ),
    ] = None,
    jars: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR",
            help="With --engine: a further jar, or a folder of libraries, whose jars are all taken;"
            " may be given several times. Those of ~/.m2 and of Debian's packages are found.",
        ),
    ] = None,
) -> None:
    """Build a contest's own referee from its repository: for `--official PATH`.

    Maven compiles it, or with --engine the Java compiler. The result is in PATH/target.

    Examples:

    ```sh
    onefile build ~/MyContest2030
    onefile build ~/MyContest2030 --engine ~/codingame-game-engine
    ```
    """
    with status_line() as status:
        folder = Path(contest).expanduser().absolute()
        status.show(f"building {folder.name}")
        how = build_contest(folder, engine, jars or [])
    build = find_build(str(folder))
    case = "" if not build.is_solo or build.test_cases() else " --option case=FILE"
    play = f"play it: onefile match --official {contest} BOT{case}"
    say(f"{folder}: {how}", describe(build), play)


def describe(build: Build) -> str:
    """Returns a line about a contest: its name, players or test cases, and leagues."""
    least, most = build.players()
    players = f"{least} players" if least == most else f"{least} to {most} players"
    n_cases = len(build.test_cases()) if build.is_solo else 0
    kind = f"one player, {n_cases} test cases" if build.is_solo else players
    leagues = f", leagues 1 to {build.leagues}" if build.leagues > 1 else ""
    return f"{build.title}: {kind}{leagues}"
