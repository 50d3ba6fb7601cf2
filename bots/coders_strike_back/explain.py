"""Describes searches of this contest to `onefile explore`; no bot imports it."""

import math

from bots.coders_strike_back.game import action_command, action_rotation
from shared.games.coders_strike_back.contest import SHOWN_FIELDS
from shared.games.coders_strike_back.maps import LAPS
from shared.games.coders_strike_back.sim import BOOST, MAX_TURNS, RAISE_SHIELD
from shared.games.coders_strike_back.state import ANGLE, GATES, N_GATES, N_PLAYERS, N_PODS, TIMEOUT

# Player 0 is the bot, whichever seat it has.
OWN_FIRST = True
AGENTS = ("own pod 0", "own pod 1", "rival's pod 0", "rival's pod 1")
OWN = (0, 1)


def word(setup, state, agent, action):
    """Returns an action as rotation in degrees and command."""
    command = action_command(action)
    named = {BOOST: "BOOST", RAISE_SHIELD: "SHIELD"}.get(command, f"{command:g}")
    return f"{math.degrees(action_rotation(action)):+.0f}° {named}"


def scene(setup, state, action, seats):
    """Returns (setup, snapshot) after an action, for the contest's render. seats: the seats of
    players 0 and 1.
    """
    n = int(setup[N_GATES])
    gates = [[int(setup[GATES + 2 * i + axis]) for axis in range(2)] for i in range(n)]
    course = {"laps": LAPS, "checkpoints": gates[: n // LAPS], "max_turns": MAX_TURNS}
    pods, players = [], sorted(range(N_PLAYERS), key=lambda player: seats[player])
    for pod in [2 * player + i for player in players for i in range(N_PODS // N_PLAYERS)]:
        values = [state[field + pod] for field in SHOWN_FIELDS]
        pods.append([float(v) if f == ANGLE else int(v) for f, v in zip(SHOWN_FIELDS, values)])
    timeouts = [int(state[TIMEOUT + player]) for player in players]
    return course, {"pods": pods, "timeouts": timeouts, "collisions": []}
