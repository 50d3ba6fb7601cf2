"""Coders Strike Back without search: both pods race, steering against their own drift."""

import math

from bots.coders_strike_back.tracker import RIVALS, Tracker
from shared.core.loop import run
from shared.games.coders_strike_back.sim import (
    BOOST,
    CONTACT,
    FRICTION,
    MAX_ROTATION,
    MAX_THRUST,
    RAISE_SHIELD,
)
from shared.games.coders_strike_back.state import (
    ANGLE,
    BOOSTED,
    GATES,
    N_GATES,
    NEXT,
    VX,
    VY,
    X,
    Y,
)

DRIFT = 3.0  # turns of its own speed by which a pod's aim is corrected for drift
# A gate counts as passed, and the pod turns to the next one, if free flight brings it within this
# radius in this many turns.
COAST_TURNS = 4
COAST_RADIUS = 540.0
COAST_ANGLE, FULL_ANGLE = math.radians(100), math.radians(40)
BOOST_ANGLE, BOOST_DISTANCE = math.radians(10), 4500.0
SHIELD_SPEED = 300.0  # closing speed that makes a shield pay


def coasts_through(state, pod, gate_x, gate_y):
    """Returns True if a pod coasts well into a gate within COAST_TURNS."""
    x, y, vx, vy = (state[field + pod] for field in (X, Y, VX, VY))
    for _ in range(COAST_TURNS):
        x, y, vx, vy = x + vx, y + vy, vx * FRICTION, vy * FRICTION
        if math.hypot(x - gate_x, y - gate_y) < COAST_RADIUS:
            return True
    return False


def next_gate(setup, state, pod):
    """Returns (x, y) of the next gate, or the gate after if that counts as passed."""
    gate = int(state[NEXT + pod])
    if coasts_through(state, pod, setup[GATES + 2 * gate], setup[GATES + 2 * gate + 1]):
        gate = min(gate + 1, int(setup[N_GATES]) - 1)
    return setup[GATES + 2 * gate], setup[GATES + 2 * gate + 1]


def crash_ahead(state, pod):
    """Returns True if a rival will crash next turn, fast enough for a shield."""
    for rival in RIVALS:
        dx, dy = state[X + rival] - state[X + pod], state[Y + rival] - state[Y + pod]
        dvx, dvy = state[VX + rival] - state[VX + pod], state[VY + rival] - state[VY + pod]
        touching = math.hypot(dx + dvx, dy + dvy) < CONTACT
        if touching and math.hypot(dvx, dvy) > SHIELD_SPEED:
            return True
    return False


def choose(setup, state, pod):
    """Returns (rotation, command)."""
    gate_x, gate_y = next_gate(setup, state, pod)
    aim_x = gate_x - DRIFT * state[VX + pod]
    aim_y = gate_y - DRIFT * state[VY + pod]
    wanted = math.atan2(aim_y - state[Y + pod], aim_x - state[X + pod])
    turn = math.remainder(wanted - state[ANGLE + pod], 2 * math.pi)
    rotation = min(max(turn, -MAX_ROTATION), MAX_ROTATION)
    if crash_ahead(state, pod):
        return rotation, RAISE_SHIELD
    distance = math.hypot(gate_x - state[X + pod], gate_y - state[Y + pod])
    if not state[BOOSTED + pod] and abs(turn) < BOOST_ANGLE and distance > BOOST_DISTANCE:
        return rotation, BOOST
    share = (COAST_ANGLE - abs(turn)) / (COAST_ANGLE - FULL_ANGLE)
    return rotation, int(MAX_THRUST * min(max(share, 0.0), 1.0))


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    tracker = Tracker(read_line)

    def answer():
        tracker.update()
        return tracker.lines(choose(tracker.setup, tracker.state, pod) for pod in (0, 1))

    return tracker.read_turn, answer


if __name__ == "__main__":
    run(new_player)
