"""The deadlock breaker of X-mas Rush."""

import pytest

from bots.xmas_rush.game import (
    ALLOWED,
    MAX_CLASHES,
    break_deadlock,
    new_setup,
)
from shared.games.xmas_rush.state import (
    DONE,
    DOWN,
    LEFT,
    N_PUSHES,
    RIGHT,
    STALE,
    UP,
    new_state,
)


def allowed(own, other, clashes, last_push):
    """Returns the pushes of each player after this many clashes, with these quests done."""
    setup, state = new_setup(), new_state()
    state[DONE], state[DONE + 1], state[STALE] = own, other, clashes
    break_deadlock(setup, state, last_push)
    return [{p for p in range(N_PUSHES) if setup[ALLOWED + player] >> p & 1} for player in (0, 1)]


@pytest.mark.parametrize(("own", "other"), [(3, 4), (8, 9), (11, 12), (0, 0), (8, 8)])
@pytest.mark.parametrize(
    ("last_push", "line"),
    [(2 << 2 | LEFT, {2 << 2 | LEFT, 2 << 2 | RIGHT}), (6 << 2 | UP, {6 << 2 | UP, 6 << 2 | DOWN})],
)
def test_a_deadlock_is_broken_when_behind_or_level_early(own, other, last_push, line):
    """The own line is forbidden in both directions, and the other player is assumed to push it
    again.
    """
    everything = set(range(N_PUSHES))
    assert allowed(own, other, MAX_CLASHES, last_push) == [everything - line, line]
