"""Max^n and paranoid search match their definitions, however the search is divided into calls."""

from functools import cache

import pytest

from shared.core.game import SequentialGame
from shared.core.jit import float_buffer, int_buffer, kernel, njit
from shared.search import max_n
from shared.search.max_n import (
    Options,
    best_action,
    expected,
    is_finished,
    make_search,
    new_tree,
    reset,
)

pytestmark = pytest.mark.slow("compiles a search that no other fast test uses")

# An artificial game tree: successors and scores are pseudo-random.
PLIES, WORD = range(2)
N_PLAYERS, N_ACTIONS, LONGEST = 3, 4, 6


@njit
def to_move(setup, state):
    return state[WORD] // 7 % N_PLAYERS


@njit
def legal(setup, state, actions):
    n = 1 + state[WORD] // 3 % N_ACTIONS
    for i in range(n):
        actions[i] = n - 1 - i
    return n


@njit
def apply(setup, state, action, after):
    after[PLIES] = state[PLIES] + 1
    after[WORD] = (state[WORD] * 3571 + action * 7919 + 104729) % 1000003


@njit
def is_over(setup, state):
    return state[PLIES] >= LONGEST or state[WORD] % 11 == 0


@njit
def evaluate(setup, state, scores):
    for player in range(N_PLAYERS):
        scores[player] = state[WORD] * (player + 5) % 101


@njit
def key(setup, state):
    """Lines transpose: there are fewer distinct words than lines."""
    return state[WORD] * 8 + state[PLIES] if state[WORD] % 5 else 0


GAME = SequentialGame(N_PLAYERS, N_ACTIONS, 2, to_move, legal, apply, is_over, evaluate, key)


def scores_of(state, depth, paranoid, me):
    """(each player's score, best action) by the definition: every line to its end."""
    scores = float_buffer(N_PLAYERS)
    if is_over(None, state) or depth == 0:
        evaluate(None, state, scores)
        return scores, None
    actions = int_buffer(N_ACTIONS)
    mover = to_move(None, state)
    best = None
    for action in actions[: legal(None, state, actions)]:
        after = int_buffer(2)
        apply(None, state, action, after)
        found, _ = scores_of(after, depth - 1, paranoid, me)
        if best is None:
            better = True
        elif paranoid:
            better = found[me] > best[0][me] if mover == me else found[me] < best[0][me]
        else:
            better = found[mover] > best[0][mover]
        if better:
            best = found, action
    return best


@cache
def search_with(options):
    return kernel(make_search(GAME, options))


def searched(word, options, slice_):
    """(best action, its value for the player to move, the expected line) of a search in slices of
    this size.
    """
    setup, state = int_buffer(1), int_buffer([0, word])
    tree = new_tree(GAME, options, table_bits=6)
    reset(tree)
    while not is_finished(tree):
        search_with(options)(setup, state, tree, slice_)
    value, _, line = expected(tree)
    return best_action(tree), value, line


FORMS = {
    "max^n": {"paranoid": False},
    "paranoid": {},
    "killers": {"killers": True},
    "table": {"table": True},
    "both": {"killers": True, "table": True},
}


@pytest.mark.exhaustive("compiles a search for each form and depth", keep=4)
@pytest.mark.parametrize(
    ("form", "depth"),
    [(form, depth) for form in ("max^n", "both") for depth in (1, 2)]
    + [(form, LONGEST) for form in FORMS],
)
@pytest.mark.parametrize("slice_", [1, 7, 100000])
def test_it_finds_the_value_by_definition(form, depth, slice_):
    paranoid = form != "max^n"
    for word in range(1, 2000, 83):
        if word % 11 == 0:
            continue
        me = to_move(None, int_buffer([0, word]))
        scores, _ = scores_of(int_buffer([0, word]), depth, paranoid, me)
        action, value, line = searched(word, Options(depth, **FORMS[form]), slice_)
        assert value == scores[me]
        after = int_buffer(2)
        apply(None, int_buffer([0, word]), action, after)
        assert scores_of(after, depth - 1, paranoid, me)[0][me] == scores[me]
        # The expected line keeps the value; it ends early where the table knew a position.
        assert line[0] == action
        end = int_buffer([0, word])
        for one in line:
            apply(None, end, one, end)
        assert scores_of(end, depth - len(line), paranoid, me)[0][me] == scores[me]


def test_a_stop_at_any_time_leaves_an_action():
    options = Options(LONGEST)
    tree, search = new_tree(GAME, options), search_with(options)
    legal_actions = int_buffer(N_ACTIONS)
    n = legal(None, int_buffer([0, 5]), legal_actions)
    for _ in range(50):
        search(int_buffer(1), int_buffer([0, 5]), tree, 1)
        assert best_action(tree) in legal_actions[:n]
    assert max_n.summary(tree).depth >= 1


@pytest.mark.slow("compiles a search more")
def test_a_position_known_to_some_depth_is_no_end_of_the_game():
    """A second search of the same root finds values in the table, and deepens all the same."""
    options = Options(LONGEST, table=True)
    tree, state = new_tree(GAME, options, table_bits=10), int_buffer([0, 8])  # player 1 moves
    scores, _ = scores_of(state, LONGEST, True, 1)
    for _ in range(2):
        reset(tree)
        while not is_finished(tree):
            search_with(options)(int_buffer(1), state, tree, 100)
        assert expected(tree)[:2] == (scores[1], LONGEST)
