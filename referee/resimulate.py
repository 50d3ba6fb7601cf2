"""Plays a logged match again from its seed and commands, without bots, and checks every
logged input and state.
"""

import json
from typing import Any

from referee.errors import UsageError
from referee.inbox import shorten
from referee.log import Log
from shared.core.contest import Contest
from shared.core.errors import IllegalAction


def first_difference(log: Log, contest: Contest) -> str | None:
    """Where the simulated game first differs from the log: turn, what, both values;
    None if it does not.

    Raises UsageError for a log of a game that was played elsewhere.
    """
    header = log.header
    if not log.has_states:
        raise UsageError("a game played elsewhere has no states to check: replay a --player of it")
    match = contest.new_match(seed=header["seed"], n_players=header["n_players"])
    found = _compare("before turn 0, setup", header["setup"], match.setup())
    found = found or _compare("before turn 0, state", header["state"], match.snapshot())
    greeted = set()
    for record in log.turns:
        if found:
            return found
        turn, parts = record["turn"], {
            int(player): part for player, part in record["players"].items()
        }
        found = _compare(
            f"turn {turn}, players asked", sorted(parts), sorted(match.players_to_move())
        )
        if found or match.outcome() is not None:
            return found or f"turn {turn}: the game is over by now"
        actions = {}
        for player, part in parts.items():
            where = f"turn {turn}, player {player}"
            if player not in greeted:
                initial = match.initial_input(player)
                found = found or _compare(
                    f"{where}, initial input", part.get("initial_input"), initial
                )
                greeted.add(player)
            found = found or _compare(f"{where}, input", part["input"], match.turn_input(player))
            if part["fault"] is None:
                try:
                    actions[player] = match.parse(player, part["output"])
                except IllegalAction as error:
                    return found or f"{where}: the logged answer is illegal: {error}"
        for player, part in parts.items():
            if part["fault"] is not None:
                match.eliminate(player, part["fault"])
        if match.outcome() is None:
            match.play(actions)
        found = found or _compare(f"turn {turn}, state", record["state"], match.snapshot())
    if found or log.outcome is None:
        return found
    outcome = match.outcome()
    if outcome is None:
        return "after the last turn: the log has an outcome, the simulated game goes on"
    simulated = {"ranks": outcome.ranks, "scores": outcome.scores, "reason": outcome.reason}
    logged = {key: log.outcome[key] for key in simulated}
    return _compare("outcome", logged, simulated)


def _compare(where: str, logged: Any, simulated: Any) -> str | None:
    """The first difference of two JSON values, as text."""
    # As the log holds it: tuples are lists there, and keys texts.
    return _difference(where, logged, json.loads(json.dumps(simulated)))


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
    return next((found for pair in pairs if (found := _difference(*pair))), None)
