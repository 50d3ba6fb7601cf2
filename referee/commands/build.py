"""`onefile build`: a contest's own referee, ready to lead matches."""

import re
import subprocess
from pathlib import Path
from typing import Annotated

import typer

from referee.errors import UsageError
from referee.official.build import Build, find_build
from referee.official.compilation import build_contest
from referee.status_line import status_line
from referee.terminal import say

URL = re.compile(r"(https?|ssh|git)://.+|git@.+", re.ASCII)


def build(
    contest: Annotated[
        str,
        typer.Argument(
            metavar="PATH", help="A contest's folder with its pom.xml, or the URL to clone it from."
        ),
    ],
) -> None:
    """Build a contest's own referee from its repository: for `--official PATH`.

    Maven does it. The result is in PATH/target.

    Examples:

    ```sh
    onefile build ~/MyContest2030
    ```
    """
    with status_line() as status:
        folder = (
            _clone(contest) if URL.fullmatch(contest) else Path(contest).expanduser().absolute()
        )
        status.show(f"building {folder.name}")
        how = build_contest(folder)
    build = find_build(str(folder))
    say(f"{folder}: {how}", describe(build), f"play it: onefile match --official {contest} BOT")


def describe(build: Build) -> str:
    """Returns a line about a contest: its name, kind and leagues."""
    least, most = build.players()
    players = f"{least} players" if least == most else f"{least} to {most} players"
    n_cases = len(build.test_cases()) if build.is_solo else 0
    kind = f"one player, {n_cases} test cases" if build.is_solo else players
    leagues = f", leagues 1 to {build.leagues}" if build.leagues > 1 else ""
    return f"{build.title}: {kind}{leagues}"


def _clone(url: str) -> Path:
    """Clone a repository into the current folder, unless it is there. Raises UsageError."""
    folder = Path(url.rstrip("/").rpartition("/")[2].removesuffix(".git")).absolute()
    if not (folder / "pom.xml").exists():
        words = ["git", "clone", "-q", "--depth", "1", "--", url, str(folder)]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode:
            raise UsageError(f"{url}: git clone failed: {' '.join(done.stderr.split())[-300:]}")
    return folder
