"""Describes searches of this contest to `onefile explore`; no bot imports it."""

from shared.games.code_of_kutulu.maze import N_CELLS, place_of
from shared.games.code_of_kutulu.protocol import minions_of
from shared.games.code_of_kutulu.sim import MAX_TURN
from shared.games.code_of_kutulu.state import (
    ACTIONS,
    CELLS,
    LIGHTS,
    N_PLAYERS,
    PLANS,
    SANITIES,
    SCORES,
    TURN,
    living,
)

# Player 0 is the bot, whichever seat it has.
OWN_FIRST = True
AGENTS = ("own explorer", "explorer {1}", "explorer {2}", "explorer {3}")


def word(setup, state, agent, action):
    """Returns an action as the bot writes it."""
    return ACTIONS[action]


def scene(setup, state, action, seats):
    """Returns (setup, snapshot) after an action, for the contest's render. seats: the seats of
    players 0 to 3.
    """
    places = [[int(n) for n in place_of(setup, cell)] for cell in range(int(setup[N_CELLS]))]
    width, height = (max(place[axis] for place in places) + 2 for axis in range(2))
    rows = [["#"] * width for _ in range(height)]
    for x, y in places:
        rows[y][x] = "."
    explorers = []
    for player in sorted(range(N_PLAYERS), key=lambda player: seats[player]):
        numbers = [int(state[field + player]) for field in (SANITIES, PLANS, LIGHTS, SCORES)]
        explorers.append([*places[int(state[CELLS + player])], *numbers])
    snapshot = {
        "turn": int(state[TURN]),
        "living": sorted(seats[player] for player in living(state)),
        "explorers": explorers,
        "minions": [
            [kind, number, *places[cell], *rest] for kind, number, cell, *rest in minions_of(state)
        ],
        "effects": [],
        "actions": {} if action is None else {str(seats[0]): word(setup, state, 0, action)},
    }
    return {"league": 0, "rows": ["".join(row) for row in rows], "max_turn": MAX_TURN}, snapshot
