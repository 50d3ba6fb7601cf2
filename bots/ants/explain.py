"""Describes searches of this contest to `onefile explore`; no bot imports it."""

from bots.ants.combat import HOLD, N_MOVES, N_OWN
from shared.games.ants.state import DIRECTIONS


def word(field, state, agent, action):
    """Returns a move as its direction."""
    return "hold" if action == HOLD else DIRECTIONS[action]


def own(field):
    """Returns own ants' numbers."""
    return range(int(field.numbers[N_OWN]))


def name(field, agent):
    """Returns the name of an ant: its square, as row and column."""
    cols = columns(field)
    cell = int(field.targets[agent * N_MOVES + HOLD])
    return f"ant {agent}" if cols is None else f"ant at {cell // cols} {cell % cols}"


def columns(field):
    """Returns the map's width, the length of a step south, or None."""
    n = len(field.targets) // N_MOVES
    held = [int(field.targets[agent * N_MOVES + HOLD]) for agent in range(n)]
    south = [int(field.targets[agent * N_MOVES + 2]) for agent in range(n)]
    return next((end - cell for cell, end in zip(held, south) if end > cell), None)
