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
    LEFT,
    N_PLAYERS,
    PATHS,
    PLAYERS,
    REVEALED,
    RIGHT,
    SIZE,
    TURN,
    UP,
    board_places,
    cell_at,
    item_places,
    quests,
    tile_at,
)
from tests.support.xmas_states import BLOCKED, state_of


def push(line, direction):
    return line << 2 | direction


def place(state, player):
    return board_places(int(state[PLAYERS + player]))[0]


def done(state):
    return [int(state[DONE + player]) for player in range(N_PLAYERS)]


NOWHERE = push(3, UP), push(4, DOWN)  # pushes that affect no corner


class TestPushes:

    def test_items_are_collected_between_rows_and_columns(self):
        """Pushed off row 6 onto the entering item, player 1 collects it before its column moves."""
        state = state_of([("KEY", 1, -1, -1)])
        sim.push_turn(state, push(6, RIGHT), push(0, UP))
        assert done(state) == [0, 1] and place(state, 1) == (0, 5)


class TestQuests:

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


class TestGame:
    """The referee's game; `CLEAR` is a turn with irrelevant pushes."""

    def game(self, *args, **kwargs):
        game = Match(1)
        game.state = state_of(*args, **kwargs)
        game.state[TURN] = 2
        return game

    def test_items_are_collected_on_the_way_and_both_players_finish_their_turn(self):
        game = self.game([("KEY", 0, 1, 0), ("KEY", 1, 5, 6)], deck=("KEY",))
        game.play({0: [RIGHT, RIGHT], 1: [UP, DOWN, LEFT, LEFT]})
        assert game.outcome().scores == (1.0, 1.0) and game.outcome().ranks == (0, 0)

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
        [("PASS", []), ("MOVE UP", [UP]), ("MOVE" + " RIGHT" * 20, [RIGHT] * 20)],
    )
    def test_walks(self, line, action):
        assert parse_action(line, MOVE) == action and format_walk(action) == line

    def test_pushes(self):
        assert parse_action("PUSH 0 UP", PUSH) == push(0, UP)
        assert format_push(push(0, UP)) == "PUSH 0 UP"

    @pytest.mark.parametrize(
        ("kind", "expected", "lines"),
        [
            (PUSH, r"'PUSH 0..6 UP", "|MOVE UP|PUSH 7 UP|PUSH 3 up|PUSH 3 UP |PUSH ٣ UP"),
            (MOVE, "'PASS' or 'MOVE' and 1 to 20", "|MOVE|PUSH 3 UP|MOVE UP |MOVE UP hello|PASS\n"),
            (MOVE, "'PASS' or 'MOVE' and 1 to 20", "MOVE" + " UP" * 21),
        ],
    )
    def test_invalid_lines(self, kind, expected, lines):
        for line in lines.split("|"):
            with pytest.raises(IllegalAction, match=f"expected {expected}"):
                parse_action(line, kind)


class TestStart:
    def test_random_numbers_are_those_of_java(self):
        """The first numbers of `new Random(42).nextInt(10)`."""
        random = JavaRandom(42)
        assert [random.below(10) for _ in range(5)] == [0, 3, 8, 4, 0]

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
