"""Serves a contest to the players' other tools: `referee/foreign.py` describes the protocols that
this speaks from the other side.
"""

import json
import re
from pathlib import Path
from typing import Callable, TextIO

from referee.bots import Bot
from referee.contests import check_number_of_players
from referee.errors import UsageError
from referee.inbox import excerpt
from referee.limits import Profile, TurnLimits
from referee.log import Log, LogWriter
from referee.match import Conditions, play_match
from shared.core.contest import Contest
from shared.core.errors import IllegalAction


def play_for_scores(contest: Contest, bots: list[Bot], seed: int) -> tuple[list[int], Log]:
    """Play a match under the official limits; a score for each player, and the log.

    Such tools compare nothing but scores, where a negative one is a bot's failure. So a score is
    the number of players that are placed behind, and -1 for a player that was put out.
    """
    limits = TurnLimits.of(Profile.OFFICIAL, contest.limits)
    with LogWriter(None) as writer:
        log = play_match(contest, bots, Conditions(seed, limits), writer)
    ranks = log.outcome["ranks"]
    failed = [any(record["fault"] for _, record in log.of_player(p)) for p in range(len(bots))]
    scores = [
        -1 if failed[player] else sum(other > rank for other in ranks)
        for player, rank in enumerate(ranks)
    ]
    return scores, log


def write_game(scores: list[int], log: Log, path: Path) -> None:
    """Write a game as the site's own runner does: scores, and what each player wrote turn by
    turn. Raises OSError.
    """
    players = range(log.header["n_players"])
    records = [[record for _, record in log.of_player(player)] for player in players]
    game = {
        "scores": {player: scores[player] for player in players},
        "errors": {player: [one["stderr"] for one in records[player]] for player in players},
        "outputs": {
            player: ["\n".join(one["output"]) for one in records[player]] for player in players
        },
        "uinput": [f"seed={log.header['seed']}"],
        "failCause": "; ".join(one["fault"] for each in records for one in each if one["fault"]),
    }
    path.write_text(json.dumps(game), encoding="utf-8")


def lead_talk(contest: Contest, read: TextIO, write: TextIO, new_seed: Callable[[], int]) -> None:
    """Lead a game by the older protocol; without a ###Seed it is that of `new_seed()`.

    Raises UsageError where the other side does not keep to the protocol.
    """
    line = _line(read)
    seed = None
    if found := re.fullmatch(r"###Seed (\d{1,18})", line):
        seed, line = int(found[1]), _line(read)
    found = re.fullmatch(r"###Start (\d)", line)
    if not found:
        raise UsageError(f'"###Start PLAYERS" is expected, found {excerpt(line)}')
    n_players = int(found[1])
    check_number_of_players(contest, n_players)
    match = contest.new_match(seed=new_seed() if seed is None else seed, n_players=n_players)
    greeted = set()
    while match.outcome() is None:
        players = match.players_to_move()
        for player in players:
            lines = [] if player in greeted else match.initial_input(player)
            greeted.add(player)
            _say(write, f"###Input {player}", *lines, *match.turn_input(player))
        actions = {}
        for player in players:
            n_lines = match.lines_expected(player)
            _say(write, f"###Output {player} {n_lines}")
            write.flush()
            try:
                actions[player] = match.parse(player, [_line(read) for _ in range(n_lines)])
            except IllegalAction as error:
                match.eliminate(player, f"player {player}: illegal action: {error}")
        if match.outcome() is None:
            match.play(actions)
    ranks = match.outcome().ranks
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
