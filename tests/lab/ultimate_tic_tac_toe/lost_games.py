"""Writes the logs of games from a file of actions, to be reviewed: `uttt_lost_games.json` of the
recorded games beside the project has those that the bot `network` lost.

    python -m tests.lab.ultimate_tic_tac_toe.lost_games ../shared/truth/uttt_lost_games.json FOLDER
    onefile review FOLDER --bot bots/ultimate_tic_tac_toe/network.py

`--nodes`: of the lost side's turns, in the log; 100,000 are some 88 ms of CPU time.
"""

import json
from pathlib import Path
from typing import Annotated

import typer

from referee.log.file import write_log
from referee.log.limits import Profile, TurnLimits
from referee.log.records import Bot, Conditions, Header, Log, LoggedOutcome, LoggedTurn, PlayerTurn
from shared.games.ultimate_tic_tac_toe.contest import CONTEST, Match

NETWORK = Bot("network", "bots/ultimate_tic_tac_toe/network.py", [], "")
RIVAL = Bot("rival", "", [], "")


def log_of(game: dict, nodes: int) -> Log:
    """Returns the log of a game: {"ours": player, "actions": texts}."""
    match, ours = Match(0), game["ours"]
    bots = [NETWORK if player == ours else RIVAL for player in range(2)]
    limits = TurnLimits.of(Profile.SITE, CONTEST.limits)
    header = Header(
        contest=CONTEST.name,
        title=CONTEST.title,
        n_players=2,
        conditions=Conditions.for_all(2, seed=0, limits=limits),
        bots=bots,
        versions={},
        setup=match.setup(),
        state=match.snapshot(),
    )
    turns = []
    for number, action in enumerate(game["actions"]):
        [player] = match.players_to_move()
        part = PlayerTurn(
            input=match.turn_input(player),
            lines_expected=1,
            output=[action],
            stderr="",
            nodes=nodes if player == ours else None,
            wall_ms=0.0,
            cpu_ms=0.0,
            fault=None,
        )
        match.play({player: match.parse(player, [action])})
        turns.append(LoggedTurn(turn=number, players={player: part}, state=match.snapshot()))
    found = match.outcome()
    outcome = found and LoggedOutcome(
        ranks=list(found.ranks), scores=list(found.scores), reason=found.reason
    )
    return Log(header, turns, outcome)


def main(
    games: Annotated[Path, typer.Argument(help="The file of games.")],
    folder: Annotated[Path, typer.Argument(help="The folder for the logs.")],
    nodes: int = 100_000,
) -> None:
    """Write a log a game."""
    folder.mkdir(parents=True, exist_ok=True)
    for game in json.loads(games.read_text(encoding="utf-8"))["games"]:
        write_log(log_of(game, nodes), folder / f"{game['game']}.jsonl")


if __name__ == "__main__":
    typer.run(main)
