"""The board of a game played elsewhere, reconstructed from a player's input.

The contest's `reconstruct` (`shared/core/contest.py`) turns a player's input of each turn into
setup and snapshot before the turn, in the forms for the contest's `render`.
"""

from referee.log.records import Log
from referee.page.bounds import bounded
from referee.sources.contests import own_errors
from shared.core.contest import Contest
from shared.core.drawing.shapes import Scene


def seen_states(log: Log, contest: Contest) -> list[Scene | None]:
    """Returns (setup, snapshot) before each turn of a log without states, None if unknown.

    Raises ContestError if the contest cannot read the lines.
    """
    known: list[Scene | None] = [None] * len(log.turns)
    reconstruct = contest.reconstruct
    if reconstruct is None:
        return known
    for player in range(log.header.n_players):
        parts = log.of_player(player)
        doing = f"reading what player {player} was sent in {log.source}"
        with own_errors(contest.name, doing), bounded():
            states = (
                reconstruct(player, [player_turn.sent for _, player_turn in parts]) if parts else []
            )
        for (turn, _), state in zip(parts, states):
            known[turn] = known[turn] or state
    return known
