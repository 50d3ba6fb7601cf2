"""Infexion rule by rule; the positions are computed by hand from RULES.md."""

import pytest

from shared.core.jit import int_buffer
from shared.core.protocol import IllegalAction, ProtocolError
from shared.core.rng import random_below, seed_rng
from shared.games.infexion import protocol, sim
from shared.games.infexion.contest import CONTEST
from shared.games.infexion.state import (
    BLUE,
    N_CELLS,
    RED,
    TURN,
    new_setup,
    new_state,
    owner_at,
    place,
    power_at,
)

SETUP = new_setup()


def position(cells, turn=10):
    """The state with {(r, q): power} of RED, of BLUE where negative."""
    state = new_state()
    for (r, q), power in cells.items():
        place(state, 7 * r + q, RED if power > 0 else BLUE, abs(power))
    state[TURN] = turn
    return state


def cells_of(state):
    cells = {}
    for cell in range(N_CELLS):
        if owner_at(state, cell) >= 0:
            sign = 1 if owner_at(state, cell) == RED else -1
            cells[divmod(cell, 7)] = sign * power_at(state, cell)
    return cells


def played(cells, line, turn=10):
    """The cells after an action."""
    state = position(cells, turn)
    sim.apply(SETUP, state, protocol.parse_action(line), state)
    return cells_of(state)


def legal_lines(state):
    actions = int_buffer(sim.N_ACTIONS)
    n = sim.legal(SETUP, state, actions)
    return [protocol.format_action(int(action)) for action in actions[:n]]


def test_spawns_need_an_empty_cell_and_room_for_power():
    full = {(0, q): 6 for q in range(7)} | {(1, 0): -6}
    assert not any(line.startswith("SPAWN") for line in legal_lines(position(full | {(1, 1): -1})))
    assert sum(line.startswith("SPAWN") for line in legal_lines(position(full))) == 41


def test_every_action_is_legal_exactly_where_it_is_listed():
    rng, state = int_buffer(1), new_state()
    seed_rng(rng, 4)
    actions = int_buffer(sim.N_ACTIONS)
    while not sim.is_over(SETUP, state):
        n = int(sim.legal(SETUP, state, actions))
        listed = [int(action) for action in actions[:n]]
        if state[TURN] % 20 == 0:
            legal = [a for a in range(sim.N_ACTIONS) if sim.is_legal(SETUP, state, a)]
            assert listed == legal
        sim.apply(SETUP, state, listed[random_below(rng, n)], state)


@pytest.mark.parametrize(
    ("cells", "turn", "over", "result"),
    [
        ({(0, 0): 1}, 1, False, None),  # BLUE has not moved yet
        ({(0, 0): 2}, 10, True, 1),
        ({(0, 0): 1}, 10, True, 0),
        ({}, 10, True, 0),
        ({(0, 0): -2}, 10, True, -1),
        ({(0, 0): 5, (1, 1): -1}, 342, False, None),
        ({(0, 0): 5, (1, 1): -3}, 343, True, -1),  # BLUE would be to move
        ({(0, 0): 5, (1, 1): -4}, 343, True, 0),
    ],
)
def test_the_end_of_the_game(cells, turn, over, result):
    state = position(cells, turn)
    assert bool(sim.is_over(SETUP, state)) == over
    if over:
        assert int(sim.result(SETUP, state)) == result


@pytest.mark.parametrize(
    "line",
    [
        "",
        "SPAWN 7 0",
        "spawn 1 2",
        "SPREAD 1 2 1 1",
        "SPAWN 1 2 ",
        "SPAWN １ 2",
    ],
)
def test_malformed_actions_are_refused_and_shown(line):
    with pytest.raises(IllegalAction) as error:
        protocol.parse_action(line)
    assert repr(line)[1:-1] in str(error.value)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("SPAWN 3 3", "the cell is occupied, by a power of 2"),
        ("SPREAD 4 4 0 1", "the cell is not RED"),
        ("SPREAD 5 5 0 1", "the cell is not RED"),
    ],
)
def test_illegal_actions_are_refused_with_the_reason(line, reason):
    match = CONTEST.new_match(1)
    match.state = position({(3, 3): 2, (4, 4): -1})
    with pytest.raises(IllegalAction, match=f"^{line}: {reason}$"):
        match.parse(0, [line])


def test_a_spawn_beyond_the_greatest_power_is_refused_with_the_reason():
    match = CONTEST.new_match(1)
    match.state = position({(0, q): 6 for q in range(7)} | {(1, 0): -6, (1, 1): 1})
    with pytest.raises(IllegalAction, match="the board holds the greatest total power, 49"):
        match.parse(0, ["SPAWN 6 6"])


def test_a_turn_is_read_as_it_is_written():
    state = position({(0, 0): 6, (6, 6): -6, (3, 2): 1}, 33)
    read = position({(5, 5): 3})
    assert protocol.read_turn(iter([f"{x}\n" for x in protocol.turn_lines(state)]).__next__, read)
    assert list(read) == list(state)


@pytest.mark.parametrize(
    "lines",
    [
        ["x"],
        ["343"] + ["." * 7] * 7,
        ["3"] + ["." * 6] * 7,
        ["3"] + ["......7"] * 7,
        ["3"] + ["......."] * 6 + [""],
    ],
)
def test_a_malformed_turn_is_reported(lines):
    with pytest.raises(ProtocolError):
        protocol.read_turn(iter(lines).__next__, new_state())


@pytest.mark.parametrize(
    ("cells", "turn", "ranks", "reason"),
    [
        ({(0, 0): 2}, 11, (0, 1), "RED won in 11 turns, 2 : 0"),
        ({(0, 0): -3}, 10, (1, 0), "BLUE won in 10 turns, 0 : 3"),
        ({(0, 0): 1}, 11, (0, 0), "a draw in 11 turns, 1 : 0, a lead below 2"),
        ({(0, 0): 4, (1, 1): -6}, 343, (1, 0), "BLUE won after all 343 turns, 4 : 6"),
    ],
)
def test_the_outcome_names_the_winner_and_the_reason(cells, turn, ranks, reason):
    match = CONTEST.new_match(1)
    match.state = position(cells, turn)
    assert match.outcome().ranks == ranks and match.outcome().reason == reason


def test_an_opening():
    """Equal seeds give equal openings, other seeds other ones; after each the game is open, and the
    number of actions determines the player to move.
    """
    boards = set()
    for seed in range(20):
        one, again = (CONTEST.new_match(seed=seed, n_players=2, opening=5) for _ in range(2))
        assert one.snapshot() == again.snapshot() and one.outcome() is None
        assert one.snapshot()["turn"] == 5 and one.players_to_move() == [1]
        boards.add(one.snapshot()["board"])
    assert len(boards) == 20


def test_no_action_ends_the_game_after_an_opening():
    """Without a redraw a tenth of the seeds are decided after two random actions."""
    actions, after = int_buffer(sim.N_ACTIONS), new_state()
    for seed in range(60):
        state = CONTEST.new_match(seed=seed, n_players=2, opening=2).state
        for action in actions[: sim.legal(SETUP, state, actions)]:
            sim.apply(SETUP, state, action, after)
            assert not sim.is_over(SETUP, after)


@pytest.mark.parametrize("text", ["", "-1", "21", "4.0", "\u0664"])
def test_invalid_numbers_of_opening_actions(text):
    with pytest.raises(ValueError, match="a whole number from 0 to 20 is expected"):
        CONTEST.options["opening"](text)


@pytest.mark.parametrize("power", range(1, 7))
def test_a_spread_raises_a_power_by_one(power):
    """Of either player's cell; six become none."""
    for owner in (1, -1):
        after = played({(3, 3): 1, (3, 4): owner * power, (0, 0): -2}, "SPREAD 3 3 0 1")
        assert after == {(0, 0): -2} | ({(3, 4): power + 1} if power < 6 else {})


def test_the_key_is_of_each_stack_and_of_the_turn():
    """Each stack adds its number by exclusive or, so that each way to a position has its key."""
    empty, cells = position({}), {(0, 0): 1, (3, 4): 5, (6, 6): -2, (2, 2): -6, (1, 5): 3}
    expected = sim.key(SETUP, empty)
    for cell, power in cells.items():
        expected ^= sim.key(SETUP, position({cell: power})) ^ sim.key(SETUP, empty)
    assert sim.key(SETUP, position(cells)) == expected != sim.key(SETUP, empty)
    assert sim.key(SETUP, position(cells, turn=11)) != expected
