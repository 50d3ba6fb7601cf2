"""Describes searches of this contest to `onefile explore`; no bot imports it."""

from shared.games.ultimate_tic_tac_toe.contest import Match
from shared.games.ultimate_tic_tac_toe.protocol import format_action


def word(setup, state, agent, action):
    """Returns an action as the bot writes it."""
    return format_action(action)


def scene(setup, state, action):
    """Returns (setup, snapshot) of a position after an action, for the contest's render."""
    match = Match(0)
    match.state, match.action = state, action
    return match.setup(), match.snapshot()
