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
    LIGHTS,
    LIT,
    MINIONS,
    N_MINIONS,
    NO_SEED,
    PLAN,
    PLANS,
    RIGHT,
    RUSHING,
    SANITIES,
    SCORES,
    SHELTERS,
    SLASHER,
    SPAWNING,
    STALKING,
    STUNNED,
    TURN,
    UP,
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


def test_company_within_two_costs_less():
    board = Board([(1, 1), (3, 1), (6, 1), (9, 3)])
    board.play()
    assert board.sanities() == [249, 249, 246, 246]


def test_steps_and_walls():
    board = Board([(1, 1), (1, 1), (9, 1), (9, 3)])
    board.play(RIGHT, UP, LEFT, DOWN)
    assert [board.place(player) for player in range(4)] == [(2, 1), (1, 1), (8, 1), (9, 3)]


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


def test_nothing_heals_beyond_250():
    board = Board([(1, 1), (1, 1), (1, 1), (1, 1)])
    board.play(PLAN, PLAN, PLAN, PLAN)
    assert board.sanities() == [249] * 4


def test_an_active_effect_forbids_plan_and_light_and_costs_the_turn():
    board = Board(TOGETHER)
    board.play(WAIT, YELL, WAIT, LIGHT)
    board.play(WAIT, PLAN, WAIT, PLAN)
    assert [int(board.state[PLANS + player]) for player in (1, 3)] == [2, 2]
    assert int(board.state[LIGHTS + 3]) == 2
    board.play(WAIT, PLAN, WAIT, PLAN)
    assert [int(board.state[PLANS + player]) for player in (1, 3)] == [1, 1]


def test_without_any_left_there_is_none():
    board = Board(CORNERS)
    board.state[PLANS] = board.state[LIGHTS + 1] = 0
    board.play(PLAN, LIGHT, WAIT, WAIT)
    assert [int(board.state[EFFECTS + player]) for player in (0, 1)] == [0, 0]


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


def test_a_wanderer_spawns_walks_hits_all_on_a_cell_and_is_gone():
    board = Board([(3, 1), (3, 1), (9, 1), (9, 3)], turn=1)
    board.add(WANDERER, (1, 1), SPAWNING, 1)
    board.play()
    assert list(board.minions()) == [("WANDERER", (1, 1), LIFE, WANDERING, -1)]
    board.play()
    assert list(board.minions()) == [("WANDERER", (2, 1), LIFE - 1, WANDERING, 0)]
    board.play()
    assert list(board.minions()) == []
    assert board.sanities()[:2] == [250 - 3 * GROUP - 20] * 2


def test_a_wanderers_life_ends():
    board = Board(CORNERS)
    board.add(WANDERER, (5, 1), WANDERING, 1)
    board.play()
    assert list(board.minions()) == []


def test_wanderers_come_every_five_turns_where_players_are_farthest():
    rows = ["##########", "#w......w#", "#........#", "##########"]
    board = Board([(1, 2)] * 4, rows, turn=4)
    board.play()
    assert list(board.minions()) == []
    board.play()
    assert list(board.minions()) == [("WANDERER", (8, 1), SPAWN_TIME - 1, SPAWNING, -1)]


def test_a_slasher_comes_once_to_a_player_below_200():
    board = Board(CORNERS)
    board.state[SANITIES] = 199
    board.play()
    board.play()
    assert list(board.minions()) == [("SLASHER", (1, 1), 4, SPAWNING, 0)]


def test_a_slasher_jumps_to_a_visible_player_and_is_stunned():
    board = Board([(8, 1), (1, 3), (2, 3), (2, 3)])
    board.add(SLASHER, (1, 1), RUSHING, LIFE, 0, (4, 1))
    board.play()
    assert list(board.minions()) == [("SLASHER", (8, 1), 6, STUNNED, -1)]
    assert board.sanities()[0] == 250 - LONELY - 20


def test_a_slasher_that_sees_nobody_jumps_to_where_it_saw_one():
    board = Board([(9, 3), (9, 3), (9, 3), (9, 3)])
    board.add(SLASHER, (1, 1), RUSHING, LIFE, 0, (4, 1))
    board.play()
    assert list(board.minions()) == [("SLASHER", (4, 1), 6, STUNNED, -1)]


def test_a_slasher_stalks_for_two_turns_before_it_rushes():
    board = Board([(5, 1), (9, 3), (9, 3), (9, 3)])
    board.add(SLASHER, (1, 1), WANDERING, LIFE)
    for timer, minion_state in ((2, STALKING), (1, STALKING), (LIFE, RUSHING), (6, STUNNED)):
        board.play()
        ((_, _, found_timer, found_state, _),) = board.minions()
        assert (found_timer, found_state) == (timer, minion_state)


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


def test_the_last_one_loses_fifty():
    board = Board(CORNERS)
    for player in range(3):
        board.state[SANITIES + player] = 1
    board.play()
    assert living(board.state) == [3] and board.sanities()[3] == 246
    assert [int(score) for score in board.state[SCORES : SCORES + 3]] == [1, 1, 1]
    board.play()
    assert board.sanities()[3] == 196


def test_after_turn_200_remaining_players_score_with_their_sanity():
    board = Board(CORNERS, turn=200)
    board.state[ALIVE] = 0b1011
    board.play()
    assert sim.is_over(board.maze, board.state)
    assert [int(board.state[SCORES + player]) for player in (0, 1, 3)] == [446, 446, 446]


def test_the_draws_are_javas():
    """java.util.Random(42): nextInt(10) gives 0, 3, 8, 4, 0; the documented generator."""
    state = start_state([0] * 4, (42 ^ 0x5DEECE66D) & draws.SEED_MASK)
    assert [int(draws.draw_below(state, 10)) for _ in range(5)] == [0, 3, 8, 4, 0]


@pytest.mark.parametrize(
    "line", ["WAIT", "wait", "Wait for me", "MOVE 1 1", "MOVE 0 0", "MOVE -3 99 x"]
)
def test_lines_that_are_to_wait(line):
    board = Board(CORNERS)
    assert parse_action(board.maze, board.cell(1, 1), line) == WAIT


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("MOVE 9 3", RIGHT),
        ("move 1 3 hey", DOWN),
        ("PLAN", PLAN),
        ("light", LIGHT),
        ("YELL Boo!", YELL),
        ("UP", UP),
        ("RIGHT", RIGHT),
        ("Down", DOWN),
        ("LEFT", LEFT),
    ],
)
def test_lines_and_their_actions(line, action):
    board = Board(CORNERS)
    assert parse_action(board.maze, board.cell(1, 1), line) == action


@pytest.mark.parametrize(
    "line",
    [
        "",
        " ",
        "JUMP",
        "MOVE",
        "MOVE 3",
        "MOVE 1.5 2",
        "MOVE 2147483648 1",
        "MOVE 1 -2147483649",
        "WAIT!",
        " WAIT",
        "MOVE  1 1",
        "MOVE ١ 1",
        "WAIT\xa0x",
        "9" * 5000,
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
