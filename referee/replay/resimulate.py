"""Plays a logged match again from its seed and commands, without bots, and checks every
logged input and state.
"""

import json
from typing import Any

from referee.errors import UsageError, shorten
from referee.log.limits import Clock
from referee.log.records import Log, LoggedTurn
from referee.play.leader import leader_of
from referee.play.match_loop import Answer, MatchLoop, reported_ms
from referee.play.turn_io import Request
from referee.sources.contests import own_errors
from shared.core.contest import Contest, Match

# Data of an official referee besides the game: frames for its viewer, and measured values, which
# may be times.
UNRULED = ("view", "metadata")


class Differs(Exception):
    """The simulated game differs from the log; the text gives the place."""


def first_difference(log: Log, contest: Contest) -> str | None:
    """Returns the first difference of the simulated game from the log as a text with turn, place
    and both values; None without a difference. Raises UsageError for a log of a game that was
    played elsewhere.
    """
    with own_errors(contest.name):
        repeated = leader_of(log.header.conditions).repeat(log, contest)
        if repeated is None:
            told = "a game played elsewhere has no states to check: replay a --player of it"
            raise UsageError(told)
        try:
            with repeated as match:
                check_match(log, match)
        except Differs as difference:
            return str(difference)
    return None


def check_match(log: Log, match: Match) -> None:
    """Raise Differs unless the match, played again, agrees with the log: its start, each turn and
    state, and its outcome.
    """
    header, loop = log.header, MatchLoop(match)
    compare("before turn 0, setup", header.setup, match.setup())
    compare("before turn 0, state", _bare(header.state), _bare(match.snapshot()))
    for turn in log.turns:
        if match.outcome() is not None:
            raise Differs(f"turn {turn.turn}: the game is over by now")
        check_turn(loop, turn, header.conditions.clock)
        compare(f"turn {turn.turn}, state", _bare(turn.state), _bare(match.snapshot()))
    if log.outcome is None:
        return
    outcome = match.outcome()
    if outcome is None:
        raise Differs("after the last turn: the log has an outcome, the simulated game goes on")
    for name in ("ranks", "scores", "reason"):
        compare(f"outcome.{name}", getattr(log.outcome, name), getattr(outcome, name))


def check_turn(loop: MatchLoop, turn: LoggedTurn, clock: Clock) -> None:
    """Play a turn as it is logged. Raises Differs if the players asked, their input or their faults
    differ from the log.
    """

    asked: list[int] = []

    def ask(requests: list[Request]) -> list[Answer]:
        asked.extend(request.player for request in requests)
        missing = sorted({*asked} - turn.players.keys())
        if missing:
            raise Differs(f"turn {turn.turn}: player {missing[0]} is asked, not so in the log")
        answers = []
        for request in requests:
            logged, where = (
                turn.players[request.player],
                f"turn {turn.turn}, player {request.player}",
            )
            compare(f"{where}, initial input", logged.initial_input, request.initial_input)
            compare(f"{where}, input", logged.input, request.input)
            fault = logged.fault and logged.fault.removeprefix(loop.prefix(request.player))
            answers.append(Answer(logged.output, fault))
            if loop.engine:
                loop.engine.took(request.player, reported_ms(logged, clock))
        return answers

    for player, fault in loop.play_turn(ask).items():
        if turn.players[player].fault is None:
            raise Differs(f"{fault}, which the log does not say")
    compare(f"turn {turn.turn}, players asked", sorted(turn.players), sorted(asked))


def _bare(state: dict[str, Any]) -> dict[str, Any]:
    """Returns a state without the parts that do not affect the rules."""
    return {name: value for name, value in state.items() if name not in UNRULED}


def compare(where: str, logged: Any, simulated: Any) -> None:
    """Raise Differs with the first difference of two JSON values."""
    # Converted as in a log: tuples become lists, and keys texts.
    difference = _difference(where, logged, json.loads(json.dumps(simulated)))
    if difference:
        raise Differs(difference)


def _difference(where: str, logged: Any, simulated: Any) -> str | None:
    if (
        isinstance(logged, dict)
        and isinstance(simulated, dict)
        and logged.keys() == simulated.keys()
    ):
        pairs = [(f"{where}.{key}", logged[key], simulated[key]) for key in logged]
    elif isinstance(logged, list) and isinstance(simulated, list) and len(logged) == len(simulated):
        pairs = [(f"{where}[{i}]", *pair) for i, pair in enumerate(zip(logged, simulated))]
    elif logged == simulated:
        return None
    else:
        texts = (shorten(json.dumps(value)) for value in (simulated, logged))
        return "{}: {} where the log has {}".format(where, *texts)
    return next((difference for pair in pairs if (difference := _difference(*pair))), None)
