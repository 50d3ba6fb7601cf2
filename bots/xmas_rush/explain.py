"""Describes searches of this contest to `onefile explore`; no bot imports it."""

from bots.xmas_rush.game import FOUND, chosen_walk, found_at
from bots.xmas_rush.paths import best_walks
from shared.games.xmas_rush.contest import Match
from shared.games.xmas_rush.protocol import format_push, format_walk
from shared.games.xmas_rush.state import (
    HANDS,
    N_PLAYERS,
    PATHS,
    SIZE,
    TURN,
    item_places,
    tile_at,
)

# Player 0 is the bot, whichever seat it has.
OWN_FIRST = True
AGENTS = ("own actions", "player {1}")


def word(setup, state, agent, action):
    """Returns an action as the bot writes it; a walk of the other player by its end."""
    if state[TURN] & 1:
        return format_push(action)
    if agent == 0:
        return format_walk(best_walks(state, 0)[chosen_walk(setup, FOUND, action)])
    end, _ = chosen_walk(setup, found_at(0, 0, agent), action)
    y, x = divmod(end.bit_length() - 1, SIZE)
    return f"walk to {x} {y}"


def scene(setup, state, action, seats):
    """Returns (setup, snapshot) after an action, for the contest's render. seats: the seats of
    players 0 and 1.
    """
    match = Match(0)
    match.state, match.order = state, list(item_places(state))
    match.paths = [tile_at(state, x, y) & PATHS for y in range(SIZE) for x in range(SIZE)]
    match.paths += [int(state[HANDS + player]) & PATHS for player in range(N_PLAYERS)]
    match.ways = [match._places()]
    snapshot = match.snapshot()
    for name in ("hands", "quests", "scores"):
        snapshot[name] = [snapshot[name][seat] for seat in seats]
    snapshot["items"] = [[name, seats[owner], tile] for name, owner, tile in snapshot["items"]]
    snapshot["ways"] = [[places[seat] for seat in seats] for places in match.ways]
    return match.setup(), snapshot
