"""The rules of Code of Kutulu one by one, on mazes made for them (sections are RULES.md's)."""

import pytest

from shared.core.jit import int_buffer
from shared.core.protocol import IllegalAction
from shared.games.code_of_kutulu import draws, sim
from shared.games.code_of_kutulu.contest import Match
from shared.games.code_of_kutulu.maze import (
    FULL,
    LIFE_TIME,
    cell_at,
    new_maze,
    place_of,
)
from shared.games.code_of_kutulu.protocol import effects_of, minion_fields, parse_action
from shared.games.code_of_kutulu.state import (
    ALIVE,
    CELLS,
    DOWN,
    EFFECTS,
    LEFT,
    LIGHT,
    LIT,
    MINIONS,
    N_MINIONS,
    NO_SEED,
    PLAN,
    PLANS,
    RIGHT,
    SANITIES,
    SCORES,
    SHELTERS,
    SLASHER,
    STALKING,
    STUNNED,
    TURN,
    WAIT,
    WANDERER,
    WANDERING,
    YELL,
    living,
    pack_minion,
    start_state,
)

HALL = ["###########", "#.........#", "#.#.###.#.#", "#.........#", "###########"]
LONELY, GROUP, SPAWN_TIME, LIFE = 4, 1, 3, 30


class Board:
    """A maze with players at given places and unknown draws; only a maze with a w has spawns."""

    def __init__(self, places, rows=HALL, turn=1):
        self.maze = new_maze(rows, LONELY, GROUP, SPAWN_TIME, LIFE)
        self.state = start_state([self.cell(*place) for place in places], NO_SEED)
        self.state[TURN] = turn

    def cell(self, x, y):
        return cell_at(self.maze, x, y)

    def add(self, kind, place, minion_state, timer, target=-1, memory=None):
        saw = 0 if memory is None else 1 + self.cell(*memory)
        n = int(self.state[N_MINIONS])
        minion = pack_minion(kind, self.cell(*place), minion_state, timer, target + 1, saw, 4 + n)
        self.state[MINIONS + n] = minion
        self.state[N_MINIONS] = n + 1

    def play(self, *actions):
        sim.apply(self.maze, self.state, int_buffer(actions or [WAIT] * 4), 0)

    def place(self, player):
        return tuple(int(number) for number in place_of(self.maze, self.state[CELLS + player]))

    def minions(self):
        """(kind, place, timer, state, target) of each."""
        for i in range(int(self.state[N_MINIONS])):
            kind, _, cell, *rest = minion_fields(self.state[MINIONS + i])
            yield (kind, tuple(int(n) for n in place_of(self.maze, cell)), *rest)

    def sanities(self):
        return [int(sanity) for sanity in self.state[SANITIES : SANITIES + 4]]


# Far from each other, so that each is alone.
CORNERS = [(1, 1), (9, 1), (1, 3), (5, 3)]
TOGETHER = [(1, 1), (1, 1), (2, 1), (9, 3)]


def test_a_plan_heals_its_caster_and_players_near_along_paths():
    board = Board([(2, 1), (2, 3), (4, 1), (9, 3)])
    for player in range(4):
        board.state[SANITIES + player] = 210
    board.play(PLAN, WAIT, WAIT, WAIT)
    # Player 1 is two cells away through the wall, four on foot.
    assert board.sanities() == [210 + 6 - GROUP, 210 - GROUP, 213 - GROUP, 210 - LONELY]
    assert (board.state[PLANS], board.state[EFFECTS]) == (1, 3)
    for _ in range(3):
        board.play()
    assert board.state[EFFECTS] == 0


def test_a_yell_stops_players_nearby_for_two_turns_once():
    board = Board(TOGETHER)
    for turn in range(2):
        board.play(YELL if turn == 0 else WAIT, RIGHT, RIGHT, LEFT)
        assert [board.place(player) for player in (1, 2)] == [(1, 1), (2, 1)]
    board.play(YELL, RIGHT, RIGHT, WAIT)
    assert [board.place(player) for player in (1, 2)] == [(2, 1), (3, 1)]
    assert board.place(3) == (7, 3)


def test_two_can_yell_at_each_other_and_a_dead_yeller_still_stops():
    board = Board(TOGETHER)
    board.play(YELL, YELL, WAIT, WAIT)
    board.state[SANITIES + 0] = 1
    board.play(RIGHT, RIGHT, WAIT, WAIT)
    assert living(board.state) == [1, 2, 3]
    assert [board.place(player) for player in (0, 1)] == [(1, 1), (1, 1)]
    board.play(WAIT, RIGHT, WAIT, WAIT)
    assert board.place(1) == (2, 1)


def test_of_two_equally_near_a_slasher_takes_none_and_forgets():
    board = Board([(3, 1), (7, 1), (9, 3), (9, 3)])
    board.add(SLASHER, (5, 1), STALKING, 2, -1, (1, 1))
    board.play()
    board.play()
    board.play(DOWN, DOWN, WAIT, WAIT)
    assert [(place, found) for _, place, _, found, _ in board.minions()] == [((5, 1), STUNNED)]


def test_light_drives_wanderers_to_others():
    rows = ["#####################", "#...................#", "#####################"]
    board = Board([(6, 1), (19, 1), (19, 1), (19, 1)], rows)
    board.add(WANDERER, (11, 1), WANDERING, 20)
    board.play(LIGHT, WAIT, WAIT, WAIT)
    ((_, place, *_, target),) = board.minions()
    assert (place, target) == ((12, 1), 1)
    assert board.state[EFFECTS] == LIT | 1


def test_shelters_heal_from_turn_51_on_until_they_are_empty():
    rows = ["##########", "#U......U#", "##########"]
    board = Board([(1, 1)] * 3 + [(5, 1)], rows, turn=50)
    board.play()
    assert board.sanities()[0] == 249 and board.state[SHELTERS] == 0xAA
    for player in range(4):
        board.state[SANITIES + player] = 100
    for _ in range(4):
        board.play()
    assert board.sanities() == [100 + 4 * 5 - 4] * 3 + [100 - 4 * LONELY]
    assert board.state[SHELTERS] == 0xA0


def test_after_turn_200_remaining_players_score_with_their_sanity():
    board = Board(CORNERS, turn=200)
    board.state[ALIVE] = 0b1011
    board.play()
    assert sim.is_over(board.maze, board.state)
    assert [int(board.state[SCORES + player]) for player in (0, 1, 3)] == [446, 446, 446]


def test_the_last_player_loses_50_a_turn():
    board = Board(CORNERS)
    board.state[ALIVE] = 1
    board.play()
    assert board.sanities() == [200, 250, 250, 250]


def test_the_draws_are_javas():
    """java.util.Random(42): nextInt(10) gives 0, 3, 8, 4, 0; the documented generator."""
    state = start_state([0] * 4, (42 ^ 0x5DEECE66D) & draws.SEED_MASK)
    assert [int(draws.draw_below(state, 10)) for _ in range(5)] == [0, 3, 8, 4, 0]


@pytest.mark.parametrize(
    ("line", "action"),
    [
        *((line, WAIT) for line in ("WAIT", "wait", "Wait for me")),
        *((line, WAIT) for line in ("MOVE 1 1", "MOVE 0 0", "MOVE -3 99 x")),
        ("MOVE 9 3", RIGHT),
        ("move 1 3 hey", DOWN),
        ("PLAN", PLAN),
        ("light", LIGHT),
        ("RIGHT", RIGHT),
    ],
)
def test_lines_and_their_actions(line, action):
    board = Board(CORNERS)
    assert parse_action(board.maze, board.cell(1, 1), line) == action


@pytest.mark.parametrize(
    "line",
    [
        "",
        "MOVE 3",
        "MOVE 2147483648 1",
        " WAIT",
        "MOVE  1 1",
        "MOVE ١ 1",
    ],
)
def test_lines_that_are_no_action(line):
    board = Board(CORNERS)
    with pytest.raises(IllegalAction) as error:
        parse_action(board.maze, board.cell(1, 1), line)
    assert "\n" not in str(error.value) and len(str(error.value)) < 500


@pytest.mark.parametrize(
    ("league", "lines"), [(1, {"PLAN", "LIGHT", "YELL"}), (2, {"YELL"}), (3, set())]
)
def test_actions_unknown_in_a_league_are_wait(league, lines):
    game = Match(1, league=league)
    found = {line for line in ("PLAN", "LIGHT", "YELL") if game.parse(0, [line]) == WAIT}
    assert found == lines
    assert bool(game.maze[FULL]) == (league >= 3) and (league >= 3 or game.maze[LIFE_TIME] == 40)


@pytest.mark.parametrize("league", [0, 8])
def test_there_are_seven_leagues(league):
    with pytest.raises(ValueError, match="leagues are 1 to 7"):
        Match(1, league=league)


def test_an_eliminated_player_loses_its_plan():
    game = Match(2)
    game.play({player: PLAN if player < 2 else WAIT for player in range(4)})
    assert [effect[0] for effect in game.effects] == ["PLAN", "PLAN"]
    game.eliminate(0, "late")
    assert [effect[2] for effect in game.effects] == [1]
    assert game.effects == effects_of(game.maze, game.state)
    assert game.players_to_move() == [1, 2, 3] and int(game.state[SCORES]) == -1
