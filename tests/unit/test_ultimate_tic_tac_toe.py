"""Ultimate Tic-Tac-Toe rule by rule; the positions are computed by hand from RULES.md."""

import pytest

from bots.ultimate_tic_tac_toe import game
from bots.ultimate_tic_tac_toe.player import Player
from shared.core.clock import Clock
from shared.core.jit import int_buffer
from shared.core.protocol import IllegalAction, ProtocolError
from shared.games.ultimate_tic_tac_toe import protocol, sim
from shared.games.ultimate_tic_tac_toe.contest import CONTEST
from shared.games.ultimate_tic_tac_toe.state import ANY, NEXT, OVER, new_setup, new_state
from shared.search.bandit import fix_arm
from shared.search.mcts import Options
from shared.search.tree import NODE_SIZE, VISITS, add_children

SETUP = new_setup()


def played(*actions):
    """The state after actions, each as its two digits: small board, cell."""
    state = new_state()
    for action in actions:
        sim.apply(SETUP, state, action, state)
    return state


def legal(state):
    actions = int_buffer(sim.N_ACTIONS)
    return [int(actions[i]) for i in range(sim.legal(SETUP, state, actions))]


def full_board():
    """A state whose small board 0 is full and drawn; no real game led to it."""
    state = new_state()
    state[0] = 0b010_011_101 << 0 | 0b101_100_010 << 9
    return state


def test_a_full_board_is_nobodys_and_sends_anywhere():
    state = full_board()
    state[0] = int(state[0]) & ~1
    state[NEXT] = 0
    sim.apply(SETUP, state, 0x00, state)
    assert state[NEXT] == ANY and sim.boards_won(state, 0) == sim.boards_won(state, 1) == 0
    assert len(legal(state)) == 72


def ended(own, other, cells):
    """Returns the state after player 0 completes small board 8, with boards already won by either,
    as masks, and all others closed except those of `cells`, which are still open.
    """
    state = new_state()
    closed = 0b011_111_111 & ~cells
    state[9] = own | other << 9 | closed << 18
    state[8] = 0b011
    state[NEXT] = 8
    sim.apply(SETUP, state, 0x82, state)
    return state


@pytest.mark.parametrize(
    ("own", "other", "cells", "over", "result"),
    [
        (0b000_010_001, 0b001_101_000, 0b110, True, -1),  # a line: the player to move has lost
        (0b011_000_000, 0b000_011_011, 0b100, True, -1),  # a line beats four boards
        (0b000_000_011, 0b000_011_100, 0, True, 0),  # three each
        (0b000_000_011, 0b011_001_100, 0, True, 1),  # three against four
        (0b000_000_011, 0b010_000_100, 0, True, -1),  # three against two
        (0b000_000_011, 0b010_000_100, 0b001_000, False, None),
    ],
)
def test_the_end_of_the_game(own, other, cells, over, result):
    state = ended(own, other, cells)
    assert bool(sim.is_over(SETUP, state)) == over == (state[NEXT] == OVER)
    if over:
        assert sim.result(SETUP, state) == result and legal(state) == []


def test_every_action_is_read_as_it_is_written():
    for action in legal(new_state()):
        assert protocol.parse_action(protocol.format_action(action)) == action
        assert protocol.action_at(*protocol.place_of(action)) == action
    assert protocol.format_action(0x57) == "5 7" and protocol.format_action(0x28) == "2 8"
    assert protocol.parse_action("4  4 well played") == 0x44


@pytest.mark.parametrize(
    "line", ["", "4", "44", "4 9 ", "9 0", "-1 -1", "4 4x", "a b", "４ 4", " 4 4"]
)
def test_malformed_actions_are_refused_and_shown(line):
    with pytest.raises(IllegalAction) as error:
        protocol.parse_action(line)
    assert repr(line)[1:-1] in str(error.value)


@pytest.mark.parametrize(
    ("before", "line", "reason"),
    [
        ((0x44,), "4 4", "the cell is taken"),
        ((0x44,), "0 0", "the small board to play in is the one in row 1, column 1"),
        ((0x00, 0x04, 0x40, 0x05, 0x50, 0x03, 0x30), "2 2", "the small board is won"),
    ],
)
def test_illegal_actions_are_refused_with_the_reason(before, line, reason):
    match = CONTEST.new_match(1)
    match.state = played(*before)
    with pytest.raises(IllegalAction, match=f"^{line}: {reason}$"):
        match.parse(0, [line])


def reader(lines):
    return iter([f"{line}\n" for line in lines] + [""]).__next__


def test_a_turn_is_read_as_it_is_written():
    match = CONTEST.new_match(3)
    assert protocol.read_turn(reader(match.turn_input(0))) == (-1, legal(new_state()))
    match.play({0: 0x44})
    assert protocol.read_turn(reader(match.turn_input(1))) == (0x44, legal(played(0x44)))
    assert protocol.read_turn(lambda: "") is None


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["x"], "the rival's action"),
        (["4 9", "0"], "rows and columns are 0 to 8"),
        (["4 3", "0"], "there are 1 to 81 legal actions, got 0"),
        (["4 3", "1", "0 -1"], "rows and columns are 0 to 8, got 0 -1"),
        (["4 3"], "the input ended where the number of legal actions"),
    ],
)
def test_a_malformed_turn_is_reported(lines, text):
    with pytest.raises(ProtocolError, match=text):
        protocol.read_turn(reader(lines))


def test_a_turn_without_a_search_is_granted_nodes_that_a_replay_grants_again(monkeypatch):
    """The tree kept from the turn before may already prove the position."""
    monkeypatch.setenv("CG_NODES", "7")
    player, clock = Player(None, game.GAME, Options(), 200), Clock(protocol.LIMITS, 10)
    add_children(player.tree, 0, int_buffer([0x44]), 1)
    player.tree.nodes[NODE_SIZE + VISITS] = 1
    fix_arm(player.tree.arms, 0, -1.0)
    clock.start()
    assert player.choose(clock) == 0x44 and clock.granted == 7


def test_the_outcome_names_the_winner_and_the_reason():
    match = CONTEST.new_match(1)
    match.state = ended(0b000_010_001, 0b001_101_000, 0b110)
    assert match.outcome().ranks == (0, 1) and match.outcome().scores == (10.0, 3.0)
    assert match.outcome().reason == "player 0 won by a line of small boards after 1 actions"
    match.state = ended(0b000_000_011, 0b011_001_100, 0)
    assert match.outcome().reason == "player 1 won by 3 : 4 small boards after 1 actions"
    match.state = ended(0b000_000_011, 0b000_011_100, 0)
    assert match.outcome().reason == "a draw, 3 : 3 small boards, after 1 actions"
    match.eliminate(0, "late")
    assert match.outcome().scores == (-1.0, 3.0) and match.outcome().ranks == (1, 0)


def test_the_key_is_of_each_stone_and_of_the_next_board():
    """Each adds its number by exclusive or, so that each way to a position has its key."""
    empty = sim.key(SETUP, new_state())
    state, sum_ = new_state(), empty
    for board, place in [(0, 0), (0, 9), (0, 17), (4, 3), (8, 17)]:
        alone = new_state()
        alone[board] = 1 << place
        state[board] |= 1 << place
        sum_ ^= sim.key(SETUP, alone) ^ empty
    assert sim.key(SETUP, state) == sum_ != empty
    keys = set()
    for board in range(ANY + 1):
        state[NEXT] = board
        keys.add(sim.key(SETUP, state))
    assert len(keys) == ANY + 1


def test_a_game_has_a_turn_for_each_cell_at_most():
    assert CONTEST.new_match(1).setup() == {"max_turns": 81}
