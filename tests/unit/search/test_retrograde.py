"""Retrograde tables of king and rook against king: known facts, and every position by its moves."""

from functools import cache

import pytest

from shared.core.game import AlternatingGame
from shared.core.jit import inline, int_buffer, kernel
from shared.search.retrograde import (
    Endgame,
    is_finished,
    make_best,
    make_pass,
    new_tree,
)
from tests.support.alternating_games import Rules
from tests.support.rook_endgame import GAME, MOVER, index, new_endgame, new_setup, write


@cache
def solved(side):
    endgame, setup = new_endgame(side), new_setup(side)
    settle, tree = kernel(make_pass(endgame)), new_tree(endgame)
    while not is_finished(tree):
        settle(setup, tree)
    return tree


@pytest.mark.slow("makes a table of an endgame")
def test_best_play_mates_in_as_many_plies_as_the_table_says():
    setup, tree, state = new_setup(4), solved(4), int_buffer(4)
    best, rules = kernel(make_best(new_endgame(4))), Rules(GAME, setup)
    longest = max(range(len(tree.table)), key=lambda number: tree.table[number])
    write(setup, longest, state)
    plies = int(tree.table[longest])
    assert state[MOVER] == 0 and plies > 8
    for left in range(plies, 0, -1):
        assert tree.table[index(setup, state)] == (left if left % 2 else -left - 1)
        state = rules.apply(state, best(setup, state, tree))
    assert rules.is_over(state) and rules.result(state) == -1


@inline
def write_heap(setup, number, state):
    state[0] = number
    return True


@inline
def left(setup, state):
    return state[0]


@inline
def take(setup, state, action, after):
    after[0] = state[0] - action


@inline
def one_or_two(setup, state, actions):
    for i in range(min(2, state[0])):
        actions[i] = i + 1
    return min(2, state[0])


@inline
def is_empty(setup, state):
    return state[0] == 0


@inline
def won(setup, state):
    return 1


def test_a_player_may_lose_by_its_own_last_move():
    """Taking the last one of a heap, one or two at a time, loses: with 1, 4, 7... left."""
    heap = AlternatingGame(2, 1, left, one_or_two, one_or_two, take, is_empty, won, won, left)
    endgame = Endgame(heap, 8, write_heap, left)
    settle, tree = kernel(make_pass(endgame)), new_tree(endgame)
    while not is_finished(tree):
        settle(int_buffer(1), tree)
    assert list(map(int, tree.table)) == [0, -2, 2, 2, -4, 4, 4, -6]


@inline
def one(setup, state, actions):
    actions[0] = 1
    return 1


@pytest.mark.parametrize("longest", [125, 126, 127])
def test_the_longest_distance_is_126_plies(longest):
    """A heap whose players take one each: the last one taken loses."""
    heap = AlternatingGame(2, 1, left, one, one, take, is_empty, won, won, left)
    endgame = Endgame(heap, longest + 1, write_heap, left)
    settle, tree = kernel(make_pass(endgame)), new_tree(endgame)

    def solve():
        while not is_finished(tree):
            settle(int_buffer(1), tree)

    if longest > 126:
        with pytest.raises(ValueError, match="more than 126 plies"):
            solve()
    else:
        solve()
        assert list(map(int, tree.table)) == [
            0,
            *(n if n % 2 == 0 else -n - 1 for n in range(1, longest + 1)),
        ]
