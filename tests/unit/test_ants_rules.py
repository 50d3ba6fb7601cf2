"""The rules of Ants on small boards; what happens is read off RULES.md, sections 4 and 5."""

import pytest

from shared.games.ants import sim
from shared.games.ants.state import (
    HILL_POINTS,
    N_FOOD,
    N_FOUND,
    RAZE_POINTS,
    TURN,
    Radii,
    add_ant,
    add_food,
    ants,
    dead_ants,
    listed,
    new_world,
)

ROWS, COLS, N_PLAYERS = 9, 12, 3
N, E, S, W = range(4)
# A view of the eight cells around, and no reach: such ants do not fight.
PEACEFUL = Radii(view=2, attack=0)


def at(row, column):
    return row % ROWS * COLS + column % COLS


def board(*places, hills=(), water=(), food=()):
    """A world with ants at places: (row, column, owner); hills alike; others (row, column)."""
    hill_places = [(at(row, column), owner) for row, column, owner in hills]
    world = new_world(ROWS, COLS, N_PLAYERS, [at(*place) for place in water], hill_places)
    for row, column, owner in places:
        add_ant(world, at(row, column), owner)
    for place in food:
        add_food(world, at(*place))
    sim.look(world)
    return world


def play(world, **orders):
    """Play a turn; orders: of ants by their numbers, as in a0=N."""
    for name, direction in orders.items():
        world.orders[int(name[1:])] = direction
    sim.apply(world)
    sim.look(world)
    return world


def living(world):
    return [(*divmod(cell, COLS), owner) for cell, owner in ants(world)]


def dead(world):
    return [(*divmod(cell, COLS), owner) for cell, owner in dead_ants(world)]


def test_ants_move_around_the_torus_and_only_when_told():
    world = play(board((0, 5, 0), (4, 11, 0), (8, 2, 0), (3, 0, 0), (6, 6, 0)), a0=N, a1=E)
    assert living(world) == [(8, 5, 0), (4, 0, 0), (8, 2, 0), (3, 0, 0), (6, 6, 0)]
    play(world, a2=S, a3=W)
    assert living(world) == [(8, 5, 0), (4, 0, 0), (0, 2, 0), (3, 11, 0), (6, 6, 0)]
    assert world.numbers[TURN] == 2


def test_ants_that_meet_on_a_cell_die_and_those_that_swap_live():
    world = board((2, 2, 0), (2, 4, 0), (6, 6, 0), (6, 7, 0), (2, 8, 0))
    play(world, a0=E, a1=W, a2=E, a3=W)
    assert living(world) == [(6, 7, 0), (6, 6, 0), (2, 8, 0)]
    assert dead(world) == [(2, 3, 0), (2, 3, 0)]
    assert world.n_ants_of[0] == 3
    # Nothing is left of them: the next ant may come there.
    play(world, a2=W)
    assert len(living(world)) == 3 and dead(world) == []


@pytest.mark.parametrize(
    ("places", "dying"),
    [
        ([(4, 4, 0), (4, 6, 1)], [0, 1]),
        ([(4, 4, 0), (5, 6, 1)], [0, 1]),  # 1 + 4 = 5 is in reach
        ([(4, 4, 0), (6, 6, 1)], []),  # 4 + 4 = 8 is not
        ([(4, 4, 0), (4, 7, 1)], []),
        ([(4, 4, 0), (4, 6, 0)], []),
        ([(0, 0, 0), (8, 11, 1)], [0, 1]),  # around the torus
        ([(3, 4, 0), (5, 4, 0), (4, 6, 1)], [2]),  # two against one
        ([(4, 4, 0), (4, 6, 1), (4, 2, 2)], [0]),  # one between two others
        ([(4, 4, 0), (4, 6, 1), (4, 2, 1)], [0]),
        ([(4, 4, 0), (4, 6, 1), (4, 8, 0)], [1]),
        # A line: each inner one has two enemies, each outer one has one.
        ([(4, 1, 0), (4, 3, 1), (4, 5, 0), (4, 7, 1)], [1, 2]),
    ],
)
def test_an_ant_dies_if_an_enemy_in_reach_has_no_more_enemies(places, dying):
    world = play(board(*places))
    assert sorted(dead(world)) == sorted(places[i] for i in dying)
    assert living(world) == [place for i, place in enumerate(places) if i not in dying]
    counts = [sum(owner == player for *_, owner in living(world)) for player in range(N_PLAYERS)]
    assert listed(world.n_ants_of, N_PLAYERS) == counts


def test_the_collided_do_not_fight():
    world = board((2, 3, 0), (2, 5, 0), (2, 7, 1))
    assert living(play(world, a0=E, a1=W)) == [(2, 7, 1)]


def test_a_hill_is_razed_by_the_first_ant_of_others_alone():
    world = board((2, 2, 0), (6, 6, 0), hills=[(2, 3, 1), (6, 7, 0)])
    play(world, a0=E, a1=E)
    assert listed(world.hill_razers, 2) == [0, -1] and listed(world.hill_razed, 2)[0] == 1
    assert listed(world.scores, N_PLAYERS) == [HILL_POINTS, RAZE_POINTS, 0]
    play(play(world, a0=E), a0=W)
    assert listed(world.scores, N_PLAYERS) == [HILL_POINTS, RAZE_POINTS, 0]
    assert listed(world.hill_razed, 2)[0] == 1 and world.hill_touched[1] == 3


def test_the_first_ant_of_the_game_razes_as_well():
    world = play(board((2, 2, 2), (5, 5, 1), hills=[(2, 2, 1)]))
    assert world.hill_razers[0] == 2 and world.scores[2] == HILL_POINTS


def test_ants_hatch_on_free_hills_touched_longest_ago():
    """One a hill and turn; of hills touched at the same time, the one with less luck first."""
    world = board((1, 1, 0), hills=[(1, 1, 0), (4, 4, 0), (7, 7, 0), (7, 1, 1)])
    world.hives[0] = 2
    for hill, luck in enumerate((0, 9, 5, 0)):
        world.hill_luck[hill] = luck
    play(world)
    assert living(world) == [(1, 1, 0), (7, 7, 0), (4, 4, 0)] and world.hives[0] == 0
    assert listed(world.spawned, 2) == [2, 1]
    assert listed(world.hill_touched, 4) == [1, 1, 1, 0]
    assert world.n_ants_of[0] == 3
    # Occupied hills hatch nothing; a free one does.
    world.hives[0] = 5
    play(world, a1=N)
    assert living(world)[3:] == [(7, 7, 0)] and world.hives[0] == 4


def test_of_hills_free_again_the_one_touched_longest_ago_comes_first():
    world = board((1, 1, 0), hills=[(1, 1, 0), (4, 4, 0)])
    play(world)
    play(world, a0=S)
    world.hives[0] = 1
    play(world)
    assert living(world) == [(2, 1, 0), (4, 4, 0)]


def test_razed_hills_hatch_nothing():
    world = board((2, 2, 1), hills=[(2, 2, 0)])
    play(world)
    world.hives[0] = 1
    play(world, a0=E)
    assert living(world) == [(2, 3, 1)] and world.hives[0] == 1


def test_food_beside_ants_is_gathered_by_one_player_or_by_none():
    world = board(
        *[(2, 2, 0), (2, 6, 0), (2, 8, 1), (6, 2, 1), (7, 3, 1), (8, 11, 2)],
        food=[(2, 3), (2, 7), (6, 3), (4, 9), (0, 11), (3, 3)],
    )
    sim.gather(world)
    assert [divmod(cell, COLS) for cell in listed(world.food, 2)] == [(4, 9), (3, 3)]
    assert world.numbers[N_FOOD] == 2
    assert listed(world.hives, N_PLAYERS) == [1, 1, 1]
    assert [world.food_at[at(*place)] for place in ((2, 3), (2, 7), (4, 9))] == [0, 0, 1]


def seen_by(world, player):
    n_cells = ROWS * COLS
    return {cell for cell in range(n_cells) if world.seen[n_cells * player + cell] > 0}


def visible(*places):
    """The cells within the radius of view 2 of a place, on the torus."""
    return {
        at(row + dr, column + dc)
        for row, column in places
        for dr in (-1, 0, 1)
        for dc in (-1, 0, 1)
    }


def test_view_follows_each_ant_to_its_end():
    """As counted from scratch, for ants that move, hatch and die; water is told once."""
    world = new_world(ROWS, COLS, N_PLAYERS, [at(2, 5)], [(at(7, 7), 0)], PEACEFUL)
    for row, column, owner in [(2, 2, 0), (2, 8, 0), (5, 2, 1)]:
        add_ant(world, at(row, column), owner)
    sim.look(world)
    assert seen_by(world, 0) == visible((2, 2), (2, 8)) and world.n_seen[0] == 18
    assert world.numbers[N_FOUND] == 0
    world.hives[0] = 1
    play(world, a0=E)
    assert seen_by(world, 0) == visible((2, 3), (2, 8), (7, 7)) and world.n_seen[0] == 27
    play(world, a0=E)
    assert seen_by(world, 0) == visible((2, 4), (2, 8), (7, 7)) and world.n_seen[0] == 27
    assert listed(world.found, world.numbers[N_FOUND]) == [at(2, 5)]
    play(play(world, a0=N), a0=S)
    assert world.numbers[N_FOUND] == 0  # known water
    play(world, a1=N, a3=W)
    assert seen_by(world, 0) == visible((2, 4), (1, 8), (7, 6)) and world.n_seen[0] == 27
    # Around the torus, over a cell that both see
    play(play(play(world, a1=N), a1=N), a3=S)
    assert seen_by(world, 0) == visible((2, 4), (8, 8), (8, 6)) and world.n_seen[0] == 24
    assert seen_by(world, 1) == visible((5, 2)) and world.n_seen[1] == 9


def test_the_view_of_the_dead_ends():
    world = new_world(ROWS, COLS, N_PLAYERS, [], [], PEACEFUL)
    for row, column, owner in [(2, 2, 0), (2, 4, 0), (6, 6, 0)]:
        add_ant(world, at(row, column), owner)
    sim.look(world)
    play(world, a0=E, a1=W)
    assert seen_by(world, 0) == visible((6, 6)) and world.n_seen[0] == 9
