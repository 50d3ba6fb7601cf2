"""`python -m referee serve`."""

import random
import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from referee.commands.options import ContestName, announce_bundling
from referee.errors import UsageError
from referee.play.serve import lead_talk, play_for_scores, write_game
from referee.sources.bots import find_bot
from referee.sources.contests import check_number_of_players, find_contest


def _player(number: int) -> object:
    help_text = "The command line of the first bot, or its file." if number == 1 else "And so on."
    return typer.Option(f"-p{number}", metavar="BOT", help=help_text, hidden=number > 2)


def serve(
    contest: ContestName,
    p1: Annotated[str | None, _player(1)] = None,
    p2: Annotated[str | None, _player(2)] = None,
    p3: Annotated[str | None, _player(3)] = None,
    p4: Annotated[str | None, _player(4)] = None,
    p5: Annotated[str | None, _player(5)] = None,
    p6: Annotated[str | None, _player(6)] = None,
    p7: Annotated[str | None, _player(7)] = None,
    p8: Annotated[str | None, _player(8)] = None,
    data: Annotated[
        str | None,
        typer.Option("-d", metavar="seed=N", help="Which game to play; without it one at random."),
    ] = None,
    log: Annotated[
        Path | None,
        typer.Option(
            "-l", metavar="FILE", help="Write the game here, as JSON of the site's runner."
        ),
    ] = None,
) -> None:
    """Be the referee for cg-brutaltester, psyleague and other tools.

    With bots (-p1 to -p8) it plays them and prints a score a line: how many players are placed
    behind, -1 for a bot that failed. Without bots it leads the game on stdin and stdout by the
    older protocol: ###Seed, ###Start, ###Input, ###Output, ###End. Name this command as their
    referee: `-r "onefile serve CONTEST"`.

    Examples:

    ```sh
    onefile serve infexion -p1 bots/infexion/mcts.py -p2 "./a.out" -d seed=7
    ```
    """
    rules = find_contest(contest)
    given = [p1, p2, p3, p4, p5, p6, p7, p8]
    texts = [text for text in given if text is not None]
    if not texts:
        lead_talk(rules, sys.stdin, sys.stdout, new_seed)
        return
    if None in given[: len(texts)]:
        raise UsageError("the bots are -p1, -p2 and so on, with none left out")
    check_number_of_players(rules, len(texts))
    scores, played = play_for_scores(
        rules, [find_bot(text, announce_bundling) for text in texts], seed_of(data)
    )
    if log:
        write_game(scores, played, log)
    print(*scores, sep="\n")


def seed_of(data: str | None) -> int:
    """The seed in the referee's input data, "seed=N" among others. Raises UsageError."""
    if data is None:
        return new_seed()
    match = re.search(r"(?:^|\s)seed=(-?\d{1,19})(?:\s|$)", data)
    if not match:
        raise UsageError(f"-d {data!r}: seed=N is expected")
    return int(match[1])


def new_seed() -> int:
    """A seed at random."""
    return random.randrange(2**31)
