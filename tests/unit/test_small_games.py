"""Tic-tac-toe, connect four and nim against their rules written out, and against known facts."""

import itertools
from functools import reduce
from operator import xor

import pytest

from shared.core.jit import int_buffer
from shared.core.rng import seed_rng
from shared.games.connect_four import game as connect_four
from shared.games.infexion import game as infexion
from shared.games.infexion import state as infexion_state
from shared.games.tic_tac_toe import game as tic_tac_toe
from shared.games.ultimate_tic_tac_toe import game as ultimate
from shared.games.ultimate_tic_tac_toe import state as ultimate_state
from tests.support.alternating_games import Rules
from tests.support.games import nim


@pytest.fixture(scope="module")
def noughts_and_crosses():
    return Rules(tic_tac_toe.GAME, tic_tac_toe.new_setup())


@pytest.fixture(scope="module")
def connect():
    return Rules(connect_four.GAME, connect_four.new_setup())


@pytest.fixture(scope="module")
def heaps():
    return Rules(nim.GAME, nim.new_setup(3))


def lines(width, height, length):
    """All lines of `length` cells (column, row) on a board."""
    for column, row in itertools.product(range(width), range(height)):
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            cells = [(column + i * dx, row + i * dy) for i in range(length)]
            if all(0 <= x < width and 0 <= y < height for x, y in cells):
                yield cells


def rng_of(seed):
    rng = int_buffer(1)
    seed_rng(rng, seed)
    return rng


def count_games(rules, state):
    if rules.is_over(state):
        return 1
    return sum(count_games(rules, rules.apply(state, action)) for action in rules.legal(state))


def test_tic_tac_toe_has_as_many_games_as_are_known(noughts_and_crosses):
    """255,168 in all (Schaefer 2002): 8 of 9 openings by symmetry of four corners, four
    sides and the centre.
    """
    games = [count_games(noughts_and_crosses, tic_tac_toe.new_state([cell])) for cell in (0, 1, 4)]
    assert 4 * games[0] + 4 * games[1] + games[2] == 255168


@pytest.mark.parametrize(
    ("cells", "result"),
    [([0, 3, 1, 4, 2], -1), ([0, 1, 4, 2, 8], -1), ([0, 1, 2, 4, 3, 5, 7, 6, 8], 0)],
)
def test_tic_tac_toe_ends_with_a_line_or_a_full_board(noughts_and_crosses, cells, result):
    state = tic_tac_toe.new_state(cells)
    assert noughts_and_crosses.is_over(state)
    assert noughts_and_crosses.result(state) == result
    assert not noughts_and_crosses.is_over(tic_tac_toe.new_state(cells[:-1]))


def test_tic_tac_toe_counts_open_lines(noughts_and_crosses):
    """Noughts to move after crosses took the centre: four lines are open to them, all eight to
    crosses.
    """
    assert noughts_and_crosses.evaluate(tic_tac_toe.new_state([4])) == 4 - 8


@pytest.mark.parametrize("size", [(7, 6), (4, 4), (5, 4), (4, 6), (9, 5)])
def test_connect_four_agrees_with_its_rules_written_out(connect, size):
    width, height = size
    connect.setup = connect_four.new_setup(width, height)
    rng = rng_of(width)
    fours = list(lines(width, height, 4))
    for _ in range(30):
        columns = [[] for _ in range(width)]
        start = connect_four.new_state(connect.setup)
        for ply, (state, action) in enumerate(connect.random_game(start, rng)):
            owner = {(x, y): player for x in range(width) for y, player in enumerate(columns[x])}
            won = [{owner.get(cell) for cell in cells} for cells in fours]
            last = 1 - ply % 2
            assert connect.is_over(state) == ({last} in won or len(owner) == width * height)
            if action is None:
                assert connect.result(state) == (-1 if {last} in won else 0)
                break
            assert connect.legal(state) == [x for x in range(width) if len(columns[x]) < height]
            open_lines = [sum(1 for who in won if 1 - p not in who) for p in (0, 1)]
            assert connect.evaluate(state) == open_lines[ply % 2] - open_lines[1 - ply % 2]
            columns[action].append(ply % 2)
    connect.setup = connect_four.new_setup()


def test_nim_agrees_with_its_rules_written_out(heaps):
    rng = rng_of(1)
    for sizes in ([3, 4, 5], [1, 0, 8], [8, 8, 8]):
        left = list(sizes)
        for state, action in heaps.random_game(nim.new_state(sizes), rng):
            assert heaps.is_over(state) == (sum(left) == 0)
            if action is None:
                assert heaps.result(state) == -1
                break
            takes = [(heap, n) for heap in range(3) for n in range(1, left[heap] + 1)]
            assert [divmod(a, nim.MAX_SIZE) for a in heaps.legal(state)] == [
                (heap, n - 1) for heap, n in takes
            ]
            left[action // nim.MAX_SIZE] -= action % nim.MAX_SIZE + 1


def test_nim_is_won_where_the_exclusive_or_is_not_0(heaps):
    """Bouton's theorem for all heaps up to 3 objects, by plain search."""

    def wins(state):
        return any(not wins(heaps.apply(state, action)) for action in heaps.legal(state))

    for sizes in itertools.product(range(4), repeat=3):
        assert wins(nim.new_state(sizes)) == (reduce(xor, sizes) != 0)


def test_sizes_too_large_are_refused():
    with pytest.raises(ValueError, match="a board of 8 x 8 does not fit"):
        connect_four.new_setup(8, 8)
    with pytest.raises(ValueError, match="nim is played with 1 to 4 heaps, got 5"):
        nim.new_setup(5)
    with pytest.raises(ValueError, match="a heap of nim has 0 to 8 objects"):
        nim.new_state([9])


@pytest.mark.parametrize(
    ("game", "setup", "start"),
    [
        (tic_tac_toe.GAME, tic_tac_toe.new_setup, lambda setup: tic_tac_toe.new_state()),
        (connect_four.GAME, connect_four.new_setup, connect_four.new_state),
        (nim.GAME, lambda: nim.new_setup(3), lambda setup: nim.new_state([8, 8, 8])),
        (infexion.GAME, infexion_state.new_setup, lambda setup: infexion_state.new_state()),
        (ultimate.GAME, ultimate_state.new_setup, lambda setup: ultimate_state.new_state()),
    ],
    ids=["tic-tac-toe", "connect four", "nim", "infexion", "ultimate tic-tac-toe"],
)
def test_actions_are_below_the_most_there_can_be(game, setup, start):
    """Searches index statistics by action, and allocate this many entries."""
    setup, rng, actions = setup(), rng_of(1), int_buffer(game.max_actions)
    for _ in range(20):
        state = start(setup)
        while not game.is_over(setup, state):
            n = game.legal(setup, state, actions)
            assert all(0 <= action < game.max_actions for action in actions[:n])
            game.apply(setup, state, game.sample(setup, state, rng), state)
