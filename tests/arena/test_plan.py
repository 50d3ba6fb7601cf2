"""Plans: the games to play and their order."""

import math

import pytest

from referee.arena.plan import Plan, Shape
from referee.errors import UsageError


def games(shape, n_bots, n_seats, n_games, first_seed=1):
    """(seed, seating) of all games of a plan."""
    plan = Plan.of(shape, n_bots, n_seats, first_seed, n_games)
    return [(game.seed, game.seating) for group in plan.groups() for game in group]


def test_pairs_swap_seats():
    """Every seed is played from both seats before the next seed begins."""
    assert games(Shape.PAIRS, 2, 2, 4, first_seed=7) == [
        (7, (0, 1)),
        (7, (1, 0)),
        (8, (0, 1)),
        (8, (1, 0)),
    ]


@pytest.mark.parametrize(("n_seats", "n_seeds"), [(3, 2), (4, 6)])
def test_every_seat_on_a_seed_every_order_on_some(n_seats, n_seeds):
    """On each seed each bot has each seat once; after a few seeds all orders have been played."""
    played = games(Shape.PAIRS, n_seats, n_seats, n_seats * n_seeds, first_seed=7)
    for group in range(n_seeds):
        seatings = [seating for _, seating in played[group * n_seats : (group + 1) * n_seats]]
        assert {seed for seed, _ in played[group * n_seats : (group + 1) * n_seats]} == {7 + group}
        assert all(len(set(bots)) == n_seats for bots in zip(*seatings))
    assert len({seating for _, seating in played}) == math.factorial(n_seats)


@pytest.mark.parametrize(
    ("shape", "tables"),
    [
        (Shape.GAUNTLET, [{0, 1}, {0, 2}, {0, 3}]),
        (Shape.ROUNDROBIN, [{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}]),
    ],
)
def test_pairings_of_gauntlet_and_round_robin(shape, tables):
    """In a gauntlet the first bot meets all others, in a round robin all meet all, on each seed."""
    played = games(shape, 4, 2, 2 * 2 * len(tables))
    for number, seed in enumerate((1, 2)):
        part = played[number * 2 * len(tables) :][: 2 * len(tables)]
        assert {game_seed for game_seed, _ in part} == {seed}
        assert [set(seating) for _, seating in part[::2]] == tables


@pytest.mark.parametrize(
    ("shape", "n_bots", "message"),
    [
        (Shape.PAIRS, 3, "3 bots do not fit at one table of 2"),
        (Shape.ROUNDROBIN, 1, "2 or more bots are needed, 1 given"),
    ],
)
def test_impossible_plans(shape, n_bots, message):
    """An impossible seating is refused with advice."""
    with pytest.raises(UsageError, match=message):
        Plan.of(shape, n_bots, 2, 1, 10)


def test_two_bots_fill_a_table():
    """The first bot has each seat of a seed once, the other bot has all other seats."""
    assert games(Shape.ROUNDROBIN, 2, 4, 4) == [
        (1, (0, 1, 1, 1)),
        (1, (1, 0, 1, 1)),
        (1, (1, 1, 0, 1)),
        (1, (1, 1, 1, 0)),
    ]
