"""Tic-tac-toe and connect four against their rules written out."""

import itertools

import pytest

from shared.core.jit import int_buffer
from shared.core.rng import seed_rng
from shared.games.connect_four import game as connect_four
from shared.games.connect_four.contest import Match, can_win
from shared.games.tic_tac_toe import game as tic_tac_toe
from tests.support.alternating_games import Rules


@pytest.fixture(scope="module")
def noughts_and_crosses():
    return Rules(tic_tac_toe.GAME, tic_tac_toe.new_setup())


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


@pytest.mark.parametrize(
    ("cells", "result"),
    [([0, 3, 1, 4, 2], -1), ([0, 1, 4, 2, 8], -1), ([0, 1, 2, 4, 3, 5, 7, 6, 8], 0)],
)
def test_tic_tac_toe_ends_with_a_line_or_a_full_board(noughts_and_crosses, cells, result):
    state = tic_tac_toe.new_state(cells)
    assert noughts_and_crosses.is_over(state)
    assert noughts_and_crosses.result(state) == result
    assert not noughts_and_crosses.is_over(tic_tac_toe.new_state(cells[:-1]))


@pytest.mark.parametrize("size", [(7, 6), (5, 4)])
def test_connect_four_agrees_with_its_rules_written_out(size):
    width, height = size
    connect = Rules(connect_four.make_connect_four(width, height), connect_four.new_setup())
    rng = rng_of(width)
    fours = list(lines(width, height, 4))
    for _ in range(30):
        columns = [[] for _ in range(width)]
        start = connect_four.new_state()
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


def test_sizes_too_large_are_refused():
    with pytest.raises(ValueError, match="a board of 8 x 8 does not fit"):
        connect_four.make_connect_four(8, 8)


def test_the_first_stones_of_connect_four_leave_no_win_within_three_plies():
    assert can_win([2, 0, 3, 0], 3) and not can_win([2, 0, 3, 4], 3)
    assert not any(can_win(Match(seed).columns, 3) for seed in range(30))
