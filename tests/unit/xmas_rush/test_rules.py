"""X-mas Rush rule by rule; expected values are computed by hand from RULES.md."""

import pytest

from shared.core.protocol import IllegalAction
from shared.games.xmas_rush import sim
from shared.games.xmas_rush.contest import Match
from shared.games.xmas_rush.maps import LEAGUES, JavaRandom, new_game, rotated
from shared.games.xmas_rush.protocol import (
    MOVE,
    PUSH,
    format_push,
    format_walk,
    parse_action,
)
from shared.games.xmas_rush.state import (
    DONE,
    DOWN,
    HANDS,
    LEFT,
    N_PLAYERS,
    PATH_BITS,
    PATHS,
    PLAYERS,
    REVEALED,
    RIGHT,
    ROWS,
    SIZE,
    STALE,
    TILE_BITS,
    TURN,
    UP,
    VISIBLE,
    WANTED,
    board_places,
    cell_at,
    item_number,
    item_places,
    quests,
    tile_at,
)
from tests.support.xmas_states import BLOCKED, CROSSING, state_of


def push(line, direction):
    return line << 2 | direction


def place(state, player):
    return board_places(int(state[PLAYERS + player]))[0]


def done(state):
    return [int(state[DONE + player]) for player in range(N_PLAYERS)]


NOWHERE = push(3, UP), push(4, DOWN)  # pushes that affect no corner


class TestPushes:
    @pytest.mark.parametrize(
        ("direction", "entry", "stand"),
        [
            (LEFT, (6, 2), (1, 2)),
            (RIGHT, (0, 2), (3, 2)),
            (UP, (2, 6), (2, 1)),
            (DOWN, (2, 0), (2, 3)),
        ],
    )
    def test_the_hand_enters_and_players_on_the_line_move_along(self, direction, entry, stand):
        state = state_of(places=((2, 2), (2, 2)))
        sim.push_turn(state, push(2, direction), push(5, direction))
        assert tile_at(state, *entry) == 0b0001
        assert state[HANDS] == CROSSING
        assert [place(state, 0), place(state, 1)] == [stand, stand]

    @pytest.mark.parametrize(
        ("direction", "end", "start"),
        [
            (LEFT, (0, 3), (6, 3)),
            (RIGHT, (6, 3), (0, 3)),
            (UP, (3, 0), (3, 6)),
            (DOWN, (3, 6), (3, 0)),
        ],
    )
    def test_a_player_pushed_off_stands_on_the_entering_tile(self, direction, end, start):
        state = state_of(places=(end, (6, 6)))
        sim.push_turn(state, push(3, direction), push(5, direction))
        assert place(state, 0) == start and tile_at(state, *start) == 0b0001

    def test_items_ride_on_tiles_into_the_hand_and_out_of_it(self):
        state = state_of([("KEY", 0, 0, 2), ("BOOK", 1, -1, -1)])
        sim.push_turn(state, push(2, LEFT), push(5, DOWN))
        key, book = item_number("KEY", 0), item_number("BOOK", 1)
        assert item_places(state) == {key: (-1, -1), book: (6, 2)}

    def test_rows_are_pushed_before_columns(self):
        """Player 1's column moves a tile just placed by player 0's row."""
        state = state_of()
        sim.push_turn(state, push(0, RIGHT), push(0, DOWN))
        assert tile_at(state, 0, 1) == 0b0001 and tile_at(state, 0, 0) == 0b0010
        assert place(state, 0) == (1, 0)

    @pytest.mark.parametrize(
        ("first", "second"), [(LEFT, LEFT), (LEFT, RIGHT), (UP, DOWN), (DOWN, DOWN)]
    )
    def test_a_clash_moves_nothing_and_counts(self, first, second):
        state = state_of()
        before = list(state)
        sim.push_turn(state, push(3, first), push(3, second))
        before[STALE] = 1
        assert list(state) == before

    @pytest.mark.parametrize("second", [push(3, UP), push(4, LEFT)])
    def test_other_lines_do_not_clash_and_begin_the_count_anew(self, second):
        state = state_of()
        state[STALE] = 7
        sim.push_turn(state, push(3, LEFT), second)
        assert state[STALE] == 0

    def test_items_are_collected_between_rows_and_columns(self):
        """Pushed off row 6 onto the entering item, player 1 collects it before its column moves."""
        state = state_of([("KEY", 1, -1, -1)])
        sim.push_turn(state, push(6, RIGHT), push(0, UP))
        assert done(state) == [0, 1] and place(state, 1) == (0, 5)


class TestQuests:
    def test_of_the_deck_three_are_visible_in_its_order(self):
        state = state_of()
        assert quests(state, 0) == quests(state, 1) == ["KEY", "MASK", "FISH"]

    def test_a_quest_is_revealed_when_the_next_turn_begins(self):
        state = state_of([("MASK", 0, 0, 0), ("BOOK", 0, 3, 3)])
        sim.collect_items(state)
        assert done(state) == [1, 0] and quests(state, 0) == ["KEY", "FISH"]
        assert state[WANTED] == 0
        sim.begin_turn(state)
        assert quests(state, 0) == ["KEY", "FISH", "BOOK"]
        assert board_places(int(state[WANTED])) == [(3, 3)]

    def test_of_the_other_player_and_of_hidden_quests_nothing_is_collected(self):
        state = state_of([("KEY", 1, 0, 0), ("BOOK", 1, 6, 6)])
        sim.collect_items(state)
        assert done(state) == [0, 0]

    def test_an_item_underfoot_is_collected_as_soon_as_its_quest_is_revealed(self):
        state = state_of([("KEY", 0, 0, 0), ("BOOK", 0, 1, 0)])
        sim.collect_items(state)
        sim.walk(state, 0, 1 << cell_at(1, 0), 0)
        sim.begin_turn(state)
        assert done(state) == [2, 0] and quests(state, 0) == ["MASK", "FISH"]

    def test_unknown_quests_are_not_revealed(self):
        state = state_of([("KEY", 0, 0, 0)], deck=("KEY", "MASK", "FISH"))
        sim.collect_items(state)
        sim.begin_turn(state)
        assert quests(state, 0) == ["MASK", "FISH"] and state[REVEALED] == 3

    def test_an_item_that_enters_from_the_hand_is_wanted(self):
        state = state_of([("KEY", 0, -1, -1), ("BOOK", 0, -2, -2)])
        sim.push_turn(state, push(3, LEFT), push(5, LEFT))
        assert board_places(int(state[WANTED])) == [(6, 3)]

    def test_an_item_that_falls_off_is_no_longer_on_the_board(self):
        state = state_of([("KEY", 0, 6, 3)])
        sim.push_turn(state, push(3, RIGHT), push(5, LEFT))
        assert state[WANTED] == 0 and state[HANDS] >> PATH_BITS == item_number("KEY", 0)
        assert state[VISIBLE] >> item_number("KEY", 0) & 1


class TestSteps:
    @pytest.mark.parametrize(
        ("direction", "to"), [(UP, (3, 2)), (RIGHT, (4, 3)), (DOWN, (3, 4)), (LEFT, (2, 3))]
    )
    def test_a_step_needs_a_path_on_both_tiles(self, direction, to):
        state = state_of(places=((3, 3), (6, 6)))
        assert sim.step(state, 0, direction) and place(state, 0) == to
        for blocked in ((3, 3), to):
            state = state_of(places=((3, 3), (6, 6)))
            state[ROWS + blocked[1]] ^= CROSSING << TILE_BITS * (SIZE - 1 - blocked[0])
            assert not sim.step(state, 0, direction) and place(state, 0) == (3, 3)

    @pytest.mark.parametrize(
        ("start", "direction"), [((0, 0), UP), ((6, 0), RIGHT), ((6, 6), DOWN), ((0, 6), LEFT)]
    )
    def test_no_step_leaves_the_board(self, start, direction):
        state = state_of(places=(start, (3, 3)))
        assert not sim.step(state, 0, direction) and place(state, 0) == start


class TestGame:
    """The referee's game; `CLEAR` is a turn with irrelevant pushes."""

    def game(self, *args, **kwargs):
        game = Match(1)
        game.state = state_of(*args, **kwargs)
        game.state[TURN] = 2
        return game

    def test_after_a_step_that_fails_the_rest_is_dropped(self):
        game = self.game()
        game.play({0: [RIGHT, UP, RIGHT, RIGHT], 1: [UP]})
        assert game.ways == [[(0, 0), (6, 6)], [(1, 0), (6, 5)], [(1, 0), (6, 5)]]

    def test_items_are_collected_on_the_way_and_both_players_finish_their_turn(self):
        game = self.game([("KEY", 0, 1, 0), ("KEY", 1, 5, 6)], deck=("KEY",))
        game.play({0: [RIGHT, RIGHT], 1: [UP, DOWN, LEFT, LEFT]})
        assert game.outcome().scores == (1.0, 1.0) and game.outcome().ranks == (0, 0)

    def test_passing_is_no_step(self):
        game = self.game()
        game.play({0: [], 1: []})
        assert game.ways == [[(0, 0), (6, 6)]] * 2 and game.kind == PUSH

    def test_ten_clashes_in_a_row_are_a_deadlock(self):
        game = Match(1)
        while game.outcome() is None:
            game.play({0: push(3, UP), 1: push(3, DOWN)} if game.kind == PUSH else {0: [], 1: []})
        assert game.state[TURN] == 19 and "the same line" in game.outcome().reason

    def test_a_game_has_150_turns(self):
        game = Match(1)
        n = 0
        while game.outcome() is None:
            n += 1
            game.play(dict(enumerate(NOWHERE)) if game.kind == PUSH else {0: [], 1: []})
        assert n == 150 and game.outcome().reason == "150 turns are played"

    def test_an_eliminated_player_has_minus_one_and_the_other_plays_one_frame(self):
        game = self.game([("KEY", 1, 6, 5), ("MASK", 1, 6, 4)])
        game.eliminate(0, "player 0 is late")
        assert game.outcome() is None
        game.play({1: [UP, UP]})
        assert game.outcome().scores == (-1.0, 1.0) and game.outcome().ranks == (1, 0)
        assert game.outcome().reason == "player 0 is late"

    def test_an_eliminated_player_may_rise_to_0(self):
        game = self.game([("KEY", 0, -2, -2)], places=((6, 0), (6, 6)))
        game.state[TURN] = 1
        game.eliminate(0, "player 0 is late")
        game.play({1: push(0, RIGHT)})
        assert game.outcome().scores == (0.0, 0.0) and game.outcome().ranks == (0, 0)

    def test_both_out_is_a_draw_at_once(self):
        game = self.game()
        game.eliminate(0, "late")
        game.eliminate(1, "dead")
        assert game.outcome().scores == (-1.0, -1.0) and game.outcome().reason == "late; dead"


class TestLines:
    @pytest.mark.parametrize(
        ("line", "action"),
        [
            ("PUSH 0 UP", push(0, UP)),
            ("PUSH 6 LEFT", push(6, LEFT)),
            ("PUSH 3 RIGHT", push(3, RIGHT)),
        ],
    )
    def test_pushes(self, line, action):
        assert parse_action(line, PUSH) == action and format_push(action) == line

    @pytest.mark.parametrize(
        ("line", "action"),
        [("PASS", []), ("MOVE UP", [UP]), ("MOVE" + " RIGHT" * 20, [RIGHT] * 20)],
    )
    def test_walks(self, line, action):
        assert parse_action(line, MOVE) == action and format_walk(action) == line

    @pytest.mark.parametrize(
        "line",
        [
            "",
            "PASS",
            "MOVE UP",
            "PUSH 7 UP",
            "PUSH 3 up",
            "push 3 UP",
            "PUSH 3  UP",
            "PUSH 3 UP ",
            " PUSH 3 UP",
            "PUSH -1 UP",
            "PUSH UP 3",
            "PUSH 3 UP hello",
            "PUSH   UP",
            "PUSH ٣ UP",
        ],
    )
    def test_invalid_pushes(self, line):
        with pytest.raises(IllegalAction, match=r"expected 'PUSH 0..6 UP"):
            parse_action(line, PUSH)

    @pytest.mark.parametrize(
        "line",
        [
            "",
            "MOVE",
            "MOVE ",
            "PUSH 3 UP",
            "MOVE UP ",
            "MOVE  UP",
            "MOVE UP hello",
            "pass",
            "PASS ",
            "MOVE NORTH",
            "MOVE" + " UP" * 21,
            "PASS\n",
        ],
    )
    def test_invalid_moves(self, line):
        with pytest.raises(IllegalAction, match="expected 'PASS' or 'MOVE' and 1 to 20"):
            parse_action(line, MOVE)


class TestStart:
    def test_random_numbers_are_those_of_java(self):
        """The first numbers of `new Random(42).nextInt(10)`."""
        random = JavaRandom(42)
        assert [random.below(10) for _ in range(5)] == [0, 3, 8, 4, 0]

    def test_tiles_turn_clockwise(self):
        assert [rotated("1100", k) for k in range(5)] == ["1100", "0110", "0011", "1001", "1100"]

    @pytest.mark.parametrize("league", LEAGUES)
    @pytest.mark.parametrize("seed", [1, -5, 2**62])
    def test_the_board_is_point_symmetric_and_has_its_leagues_items(self, league, seed):
        state, order = new_game(seed, league)
        rules = LEAGUES[league]
        places = item_places(state)
        assert sorted(places) == sorted(order) and len(order) == 2 * rules.n_quests
        for y in range(SIZE):
            for x in range(SIZE):
                paths = f"{tile_at(state, x, y) & PATHS:04b}"
                other = f"{tile_at(state, 6 - x, 6 - y) & PATHS:04b}"
                assert other == rotated(paths, 2) or (x, y) == (3, 3)
        for item, (x, y) in places.items():
            assert places[item ^ 1 << 4] == (6 - x, 6 - y)
            if rules.on_crossings:
                assert (tile_at(state, x, y) & PATHS).bit_count() >= 3
        assert [place(state, 0), place(state, 1)] == [(0, 0), (6, 6)]
        assert len(quests(state, 0)) == rules.n_visible

    def test_an_unknown_league_is_refused(self):
        with pytest.raises(ValueError, match="there is no league 7: leagues are 1 to 6"):
            new_game(1, 7)


def test_all_tiles_may_be_dead_ends():
    """A player without any path stays in place."""
    state = state_of(tile=BLOCKED)
    assert sim.open_right(state) == sim.open_down(state) == 0
