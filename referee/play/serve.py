"""Serves a contest to the players' other tools: `referee/play/foreign_referee.py` describes the
protocols, of which this is the other side.
"""

import json
import re
from pathlib import Path
from typing import Callable, TextIO

from referee.errors import UsageError, excerpt
from referee.log.limits import Profile, TurnLimits
from referee.log.records import Bot, Conditions, Log
from referee.play.fair_match import play_fair_match
from referee.play.match_loop import Answer, MatchLoop
from referee.play.turn_io import Request
from referee.sources.contests import check_number_of_players, own_errors
from shared.core.contest import Contest


def play_for_scores(contest: Contest, bots: list[Bot], seed: int) -> tuple[list[int], Log]:
    """Play a match under the official limits; a score for each player, and the log.

    Such tools compare only scores, where a negative one is a bot's failure. So a score is the
    number of players ranked behind, and -1 for an eliminated player. A match spoiled by the machine
    is repeated. Raises SpoiledError.
    """
    limits = TurnLimits.of(Profile.SITE, contest.limits)
    conditions = Conditions.for_all(len(bots), seed=seed, limits=limits)
    log = play_fair_match(contest, bots, conditions).log
    assert log.outcome is not None  # it was played to its end
    ranks = log.outcome.ranks
    failed = [
        any(player_turn.fault for _, player_turn in log.of_player(p)) for p in range(len(bots))
    ]
    scores = [
        -1 if failed[player] else sum(other > rank for other in ranks)
        for player, rank in enumerate(ranks)
    ]
    return scores, log


def write_game(scores: list[int], log: Log, path: Path) -> None:
    """Write scores and outputs turn by turn, as the site's own runner does. Raises OSError."""
    players = range(log.header.n_players)
    parts = [[player_turn for _, player_turn in log.of_player(player)] for player in players]
    game = {
        "scores": {player: scores[player] for player in players},
        "errors": {
            player: [player_turn.stderr for player_turn in parts[player]] for player in players
        },
        "outputs": {
            player: ["\n".join(player_turn.output) for player_turn in parts[player]]
            for player in players
        },
        "uinput": [f"seed={log.header.conditions.seed}"],
        "failCause": "; ".join(
            player_turn.fault for each in parts for player_turn in each if player_turn.fault
        ),
    }
    path.write_text(json.dumps(game), encoding="utf-8")


def lead_talk(contest: Contest, read: TextIO, write: TextIO, new_seed: Callable[[], int]) -> None:
    """Lead a game by the older protocol; without a ###Seed it has a new random seed.

    Raises UsageError if the other side violates the protocol.
    """
    line = _line(read)
    seed = None
    if command_match := re.fullmatch(r"###Seed (\d{1,18})", line):
        seed, line = int(command_match[1]), _line(read)
    command_match = re.fullmatch(r"###Start (\d)", line)
    if not command_match:
        raise UsageError(f'"###Start PLAYERS" is expected, found {excerpt(line)}')
    n_players = int(command_match[1])
    check_number_of_players(contest, n_players)

    def ask(requests: list[Request]) -> list[Answer]:
        for request in requests:
            _say(write, f"###Input {request.player}", *request.sent)
        return [Answer(talk(request)) for request in requests]

    def talk(request: Request) -> list[str]:
        if isinstance(request.lines_expected, str):
            problem = "answers of any number of lines, for which this protocol has no word"
            raise UsageError(f"{contest.title} has {problem}")
        _say(write, f"###Output {request.player} {request.lines_expected}")
        write.flush()
        return [_line(read) for _ in range(request.lines_expected)]

    with own_errors(contest.name):
        match = contest.new_match(seed=new_seed() if seed is None else seed, n_players=n_players)
        loop = MatchLoop(match)
        while (outcome := match.outcome()) is None:
            loop.play_turn(ask)
    ranks = outcome.ranks
    groups = [
        "".join(str(player) for player, rank in enumerate(ranks) if rank == place)
        for place in sorted(set(ranks))
    ]
    _say(write, f"###End {' '.join(groups)}")
    write.flush()


def _line(read: TextIO) -> str:
    line = read.readline()
    if not line:
        raise UsageError("the input ended before the game did")
    return line.rstrip("\r\n")


def _say(write: TextIO, *lines: str) -> None:
    write.writelines(line + "\n" for line in lines)
