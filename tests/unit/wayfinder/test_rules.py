"""The rules of Wayfinder, one by one; a number names a section of RULES.md."""

import math

import pytest

from shared.games.wayfinder import contest
from shared.games.wayfinder.clearance import ends_of
from shared.games.wayfinder.contest import Match
from shared.games.wayfinder.instances import Choice, Instance, load, save
from shared.games.wayfinder.scoring import judge, valid_length
from shared.games.wayfinder.state import Change, Query, Start, TurnInput

SQUARE = [(0, 0), (1000, 0), (1000, 1000), (0, 1000)]
BLOCK = [(400, 100), (600, 100), (600, 600), (400, 600)]
QUERY = Query(200, 300, 800, 300, 50)
# Around the block; the disc does not fit under it.
OVER = [(400 - 50, 600 + 50), (600 + 50, 600 + 50)]
OPTIMUM = 2 * math.hypot(150, 300) + 200  # not the shortest path, which does not matter here


def worth(inner, query=QUERY, optimum=OPTIMUM):
    """Returns the points of a path in the world with a block."""
    ends = ends_of([SQUARE, BLOCK])
    return judge(optimum, inner, valid_length(ends, query, inner)).points


def test_a_path_is_worth_its_share_of_the_optimum():
    """5."""
    length = sum(math.dist(a, b) for a, b in zip([(200, 300), *OVER], [*OVER, (800, 300)]))
    assert worth(OVER) == math.floor(10_000 * OPTIMUM / length + 0.5)
    assert worth(OVER, optimum=length / 2) == 5000
    assert worth(OVER, optimum=length) == 10_000


def test_shorter_than_the_optimum_is_worth_no_more():
    """4."""
    assert worth(OVER, optimum=10_000) == 10_000


def test_no_path():
    """5."""
    assert worth(None) == 0
    assert worth(None, optimum=math.inf) == 10_000


def test_paths_too_near_to_walls_get_a_penalty():
    """Section 5, also if there is no path."""
    assert worth([]) == worth([], optimum=math.inf) == -5000
    assert worth([(500, 500)]) == -5000


@pytest.mark.parametrize(
    ("gap", "is_valid"), [(50, True), (49.9901, True), (49.9899, False), (0, False)]
)
def test_a_hundredth_of_a_unit_is_tolerated(gap, is_valid):
    """3."""
    path = [(400 - gap, 600 + gap), (600 + gap, 600 + gap)]
    assert (valid_length(ends_of([SQUARE, BLOCK]), QUERY, path) is not None) == is_valid


def test_nothing_leaves_free_space():
    """3: not through walls, nor around the world, nor along the boundary."""
    for path in ([(500, 50)], [(200, -500), (800, -500)], [(500, 2000)], [(500, 960)]):
        assert worth(path) == -5000


INSTANCE = Instance(
    "test",
    Start(2, 1, [50], SQUARE, {1: BLOCK}),
    [TurnInput([], [QUERY]), TurnInput([Change(1, None)], [QUERY])],
    [[OPTIMUM], [600.0]],
    [[[*OVER]], [[]]],
)


@pytest.fixture
def game(monkeypatch):
    """A game of two turns; the block is removed in the second."""
    monkeypatch.setattr(contest, "find_instance", lambda choice: INSTANCE)
    return Match(1)


def play(game, *paths):
    game.play(dict(enumerate([path] for path in paths)))


def test_scores_are_summed_and_the_higher_wins(game):
    """5."""
    play(game, OVER, None)
    assert game.outcome() is None
    play(game, [], [(500, 900)])
    first = worth(OVER) + 10_000
    second = math.floor(10_000 * 600 / (2 * math.hypot(300, 600)) + 0.5)
    outcome = game.outcome()
    assert outcome.scores == (first, second) and outcome.ranks == (0, 1)
    assert (
        outcome.reason
        == f"player 0 won, {first / 2:.1f} : {second / 2:.1f} points of 10000 a query"
    )


def test_an_eliminated_player_loses_regardless_of_scores(game):
    """Section 5; the last turn is not scored."""
    play(game, OVER, None)
    game.eliminate(0, "player 0, turn 1: late")
    outcome = game.outcome()
    assert outcome.ranks == (1, 0) and outcome.scores == (float(worth(OVER)), 0.0)
    assert outcome.reason == "player 0, turn 1: late"


def test_if_both_go_out_it_is_a_draw(game):
    """5."""
    play(game, OVER, None)
    game.eliminate(0, "late")
    game.eliminate(1, "dead")
    assert game.outcome().ranks == (0, 0) and game.outcome().reason == "late; dead"


def test_queries_are_about_the_world_after_the_changes(game):
    """2."""
    assert game.initial_input(0) == game.initial_input(1)
    assert game.turn_input(0) == ["0 1", "200 300 800 300 50"]
    play(game, OVER, OVER)
    assert game.turn_input(1) == ["1 1", "- 1", "200 300 800 300 50"]
    play(game, [], [])
    assert game.scores == [worth(OVER) + 10_000] * 2


def test_equal_scores_are_a_draw(game):
    """5."""
    play(game, OVER, OVER)
    play(game, [], [])
    assert game.outcome().ranks == (0, 0) and game.outcome().reason.startswith("a draw")


def test_a_large_game_counts_the_shortest_path_of_all(monkeypatch):
    """7."""
    long = INSTANCE._replace(optima=[[5000.0], [math.inf]])
    monkeypatch.setattr(contest, "find_instance", lambda choice: long)
    game = Match(1, large=True)
    play(game, OVER, [(300, 700), (700, 700)])
    assert game.scores[0] == 10_000 > game.scores[1] > 0
    play(game, None, [])
    assert game.scores[0] == 10_000 and game.scores[1] > 10_000


def test_a_game_is_kept_in_a_file_as_it_is(tmp_path):
    instance = INSTANCE._replace(optima=[[OPTIMUM], [math.inf]])
    save(instance, tmp_path / "game")
    assert load(tmp_path / "game") == instance
    assert Choice(1) != Choice(1, is_large=True)
