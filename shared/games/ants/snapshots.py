"""Snapshots of a game for the log and the page: cells as numbers, ants' moves as letters.

The water is stored in the setup only, and the page computes the players' views.
"""

from typing import Any

from ...games.ants.maps import LAND, WATER, Map
from ...games.ants.protocol import Start
from ...games.ants.state import (
    HOLD,
    N_FOOD,
    N_HILLS,
    N_PLAYERS,
    N_SPAWNED,
    TURN,
    World,
    ants,
    listed,
)

# The move that led an ant to its cell: a step, none, or hatching.
STEP_LETTERS, HATCHED = "nesw-", "+"


def setup_of(land: Map, start: Start) -> dict[str, Any]:
    """Returns the constant data of a game."""
    squares = [WATER if cell in land.water else LAND for cell in range(land.rows * land.cols)]
    rows = range(0, len(squares), land.cols)
    return {
        "rows": land.rows,
        "cols": land.cols,
        "players": land.n_players,
        "turns": start.turns,
        "viewradius2": start.radii.view,
        "map": ["".join(squares[row : row + land.cols]) for row in rows],
    }


def snapshot_of(
    world: World, before: list[tuple[int, int]], directions: list[int]
) -> dict[str, Any]:
    """Returns the state and the events of the last turn.

    before: (cell, owner) of the ants before the turn. directions: the ants' ordered steps.

    Fields: "ants", the cells of each player's ants, and "came", a letter of the move of each;
    "dead", the cells on which each player's ants died, and "fell", their letters.
    """
    n_players = int(world.numbers[N_PLAYERS])
    now = ants(world)
    n_survivors = len(now) - (int(world.numbers[N_SPAWNED]) if before else len(now))
    places: list[list[int]] = [[] for _ in range(n_players)]
    came: list[list[str]] = [[] for _ in range(n_players)]
    dead: list[list[int]] = [[] for _ in range(n_players)]
    fell: list[list[str]] = [[] for _ in range(n_players)]
    survivor = 0
    for (cell, owner), direction in zip(before, directions):
        to = cell if direction == HOLD else int(world.steps[4 * cell + direction])
        lives = survivor < n_survivors and now[survivor] == (to, owner)
        survivor += lives
        (places if lives else dead)[owner].append(to)
        (came if lives else fell)[owner].append(STEP_LETTERS[direction])
    for cell, owner in now[n_survivors:]:
        places[owner].append(cell)
        came[owner].append(HATCHED)
    hills = range(world.numbers[N_HILLS])
    return {
        "turn": int(world.numbers[TURN]),
        "ants": places,
        "came": ["".join(letters) for letters in came],
        "dead": dead,
        "fell": ["".join(letters) for letters in fell],
        "food": sorted(listed(world.food, int(world.numbers[N_FOOD]))),
        "hills": [
            [
                int(world.hill_cells[hill]),
                int(world.hill_owners[hill]),
                int(world.hill_razers[hill]),
            ]
            for hill in hills
        ],
        "razed": [hill for hill in hills if world.numbers[TURN] == world.hill_razed[hill] > 0],
        "hives": listed(world.hives, n_players),
        "scores": listed(world.scores, n_players),
        "seen": listed(world.n_seen, n_players),
    }
