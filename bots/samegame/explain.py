"""Describes searches of this contest to `onefile explore`; no bot imports it."""

from shared.games.samegame.contest import Match
from shared.games.samegame.protocol import format_action
from shared.games.samegame.state import SIDE, board_of


def word(setup, state, agent, action):
    """Returns an action as the bot writes it."""
    return format_action(action)


def scene(setup, state, action):
    """Returns (setup, snapshot) of a position after an action, for the contest's render."""
    match = Match(0)
    rows = board_of(state)
    heights = [sum(row[x] >= 0 for row in rows) for x in range(SIDE)]
    match.cells = [[SIDE * x + y for y in range(height)] for x, height in enumerate(heights)]
    match.state, match.action = state, action
    return match.setup(), match.snapshot()
