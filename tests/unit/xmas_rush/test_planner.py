"""The deadlock breaker of X-mas Rush, and the translation of a search's choices into answers."""

import pytest

from bots.xmas_rush.game import (
    ALLOWED,
    MAX_ACTIONS,
    MAX_CLASHES,
    break_deadlock,
    chosen_walk,
    found_at,
    legal,
    new_setup,
)
from bots.xmas_rush.planner import Planner
from shared.core.jit import int_buffer
from shared.games.xmas_rush.contest import Match
from shared.games.xmas_rush.protocol import MOVE, parse_action
from shared.games.xmas_rush.sim import collect_items, step
from shared.games.xmas_rush.state import (
    DONE,
    DOWN,
    LEFT,
    N_PLAYERS,
    N_PUSHES,
    PLAYERS,
    RIGHT,
    STALE,
    TURN,
    UP,
    copy_state,
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


def game_at_turn(turn, seed=3):
    """Returns a game played to a turn by pushes and PASS, and its state after players collected
    the items on their tiles.
    """
    game = Match(seed)
    for number in range(1, turn):
        line = f"PUSH {number % 7} RIGHT" if number % 2 else "PASS"
        other = f"PUSH {number % 7} DOWN" if number % 2 else "PASS"
        game.play({0: game.parse(0, [line]), 1: game.parse(1, [other])})
    state = new_state()
    copy_state(game.state, state)
    collect_items(state)
    return game, state


@pytest.mark.slow("compiles the bots' game; golden games hold its answers")
def test_every_walk_a_search_may_choose_is_answered_with_directions_that_go_there():
    for turn in (2, 6, 10):
        _game, state = game_at_turn(turn)
        planner, actions = Planner(), int_buffer(MAX_ACTIONS)
        planner.prepare(state)
        n = legal(planner.setup, state, 0, actions)
        assert n >= 1
        for action in actions[:n]:
            end, _ = chosen_walk(planner.setup, found_at(0, 0, 0), int(action))
            after = new_state()
            copy_state(state, after)
            for direction in parse_action(planner.answer(state, int(action)), MOVE):
                assert step(after, 0, direction)
            assert after[PLAYERS] == end


@pytest.mark.slow("compiles the bots' game")
def test_a_deadlock_of_the_game_reaches_the_search():
    """After five clashes of players with equal scores, a search has no push of that line, and the
    other player only these.
    """
    game = Match(1)
    for _ in range(MAX_CLASHES):
        game.play({p: game.parse(p, ["PUSH 3 LEFT"]) for p in range(N_PLAYERS)})
        game.play({p: game.parse(p, ["PASS"]) for p in range(N_PLAYERS)})
    assert game.state[STALE] == MAX_CLASHES and game.state[TURN] == 2 * MAX_CLASHES + 1
    planner, actions = Planner(), int_buffer(MAX_ACTIONS)
    planner.last_push = 3 << 2 | LEFT
    planner.prepare(game.state)
    own = set(actions[: legal(planner.setup, game.state, 0, actions)])
    other = set(actions[: legal(planner.setup, game.state, 1, actions)])
    assert own | other == set(range(N_PUSHES)) and other == {3 << 2 | LEFT, 3 << 2 | RIGHT}
