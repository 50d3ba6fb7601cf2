"""`review` lists turns that a longer search plays otherwise; it goes on after a stop."""

import json

import pytest

from referee.explore.review import Loss, ReviewedGame, losses, review
from tests.support.uttt_logs import log_of


@pytest.fixture(scope="module")
def game(logs):
    log = logs["ultimate_tic_tac_toe"]
    return ReviewedGame("one", log, 0, log.header.bots[0].bot)


@pytest.mark.slow("reviews a game twice")
def test_it_goes_on_where_it_stopped(game, tmp_path):
    """Half a line, results of other numbers of nodes and of other bots do not count."""
    store = tmp_path / "store.jsonl"
    review([game], 2.0, store, 1)
    first, second, *_ = store.read_text().splitlines()
    other = json.dumps({**json.loads(second), "key": "other"})
    store.write_text("\n".join([first, other, second[:30]]) + "\n")
    told = []
    results, _ = review([game], 2.0, store, 1, told.append)
    assert told[0].startswith("1 of ")
    assert len(results) == len(game.log.of_player(0))


def agent(played, best, value, value_played):
    return {
        "agent": "tree",
        "played": played,
        "best": best,
        "value": value,
        "value_played": value_played,
        "value_seen": 0.0,
    }


@pytest.mark.slow("plays a game")
def test_losses_come_worst_first(game):
    """By a better action its own loss counts, else the fall to the next turn."""
    turns = [turn for turn, _ in game.log.of_player(0)][:3]
    agents = [
        agent("a", "a", 0.5, 0.5),
        agent("a", "b", 0.2, -0.6),
        agent("a", "a", -0.6, -0.6),
    ]
    results = {
        ("one", turn): {"turn": turn, "agents": [one], "agrees": True}
        for turn, one in zip(turns, agents)
    }
    found = losses([game], results, {})
    assert [(one.turn, round(one.loss, 3), one.is_other) for one in found] == [
        (turns[1], 0.8, True),
        (turns[0], 0.3, False),
    ]


def test_a_proven_win_that_is_lost_is_the_worst():
    lost = Loss("one", 3, 0.5, "tree", "a", "b", 1e99, -50.0, None, 0.0)
    slip = Loss("one", 5, 0.5, "tree", "a", "b", 400.0, -300.0, None, 0.0)
    assert lost.loss > slip.loss


@pytest.mark.parametrize(
    ("values", "order"),
    [((0.5, -1.0, 0.5, -1.0), (0, 2)), ((0.050, 0.0, 0.053, 0.0), (2, 0))],
    ids=["equal", "unrounded"],
)
def test_of_equal_losses_the_earlier_one_comes_first(game, values, order):
    turns = [turn for turn, _ in game.log.of_player(0)][:4]
    results = {
        ("one", turn): {"turn": turn, "agents": [agent("a", "a", value, value)], "agrees": True}
        for turn, value in zip(turns, values)
    }
    assert [one.turn for one in losses([game], results, {})] == [turns[i] for i in order]


def test_the_action_most_visited_is_no_better_one_if_its_value_is_lower(game):
    turn, _ = game.log.of_player(0)[0]
    results = {("one", turn): {"agents": [agent("a", "b", 0.1, 0.2)], "agrees": True}}
    assert losses([game], results, {}) == []


# The end of a game that player 0 lost: `tests/unit/test_ultimate_tic_tac_toe_endgames.py` proves
# that ply 36 was the last one at which an action held.
LOST = (
    "63 22 76 42 37 04 15 46 52 67 05 08 27 73 51 75 36 10 50 80 60 00 20 82 77 45 57 "
    "64 24 84 74 55 78 48 58 07 25 81 85 17 35 18 47 33 21 06 11 44"
)


@pytest.fixture(scope="module")
def lost_game():
    """A lost game whose bot, random playouts, searches few nodes."""
    log = log_of({"ours": 0, "actions": [" ".join(one) for one in LOST.split()]}, 60)
    return ReviewedGame("lost", log, 0, "bots/ultimate_tic_tac_toe/rollouts.py")


@pytest.mark.exhaustive("proves positions in plain Python")
def test_the_turn_that_lost_a_game_is_found_by_proofs(lost_game, tmp_path):
    store = tmp_path / "store.jsonl"
    results, lost = review([lost_game], 4.0, store, 1)
    verdict = lost["lost"]
    assert (verdict["turn"], verdict["played"], verdict["lost_from"]) == (36, "2 5", 38)
    assert verdict["best"] != "2 5" and verdict["value_played"] == -1.0
    first, *others = losses([lost_game], results, lost)
    assert (first.turn, first.is_lost) == (36, True)
    assert all(one.turn < 36 and not one.is_lost for one in others)
    # A review that is complete is not made again.
    size = store.stat().st_size
    assert review([lost_game], 4.0, store, 1) == (results, lost)
    assert store.stat().st_size == size


def test_the_turn_that_lost_comes_first_and_later_ones_lost_nothing(lost_game):
    turns = [turn for turn, _ in lost_game.log.of_player(0)]
    agents = [agent("a", "b", 0.9, 0.1), agent("c", "c", 0.1, 0.1), agent("d", "d", 0.1, 0.1)]
    agents.append(agent("e", "e", -1.0, -1.0))
    results = {
        ("lost", turn): {"turn": turn, "agents": [one], "agrees": True}
        for turn, one in zip(turns, agents)
    }
    verdict = {
        "turn": turns[1],
        "lost_from": turns[2],
        "agent": "tree",
        "played": "c",
        "best": "f",
        "value": 0.0,
        "value_played": -0.5,
        "proven": True,
    }
    found = losses([lost_game], results, {"lost": verdict})
    assert [(one.turn, one.best, round(one.loss, 3)) for one in found] == [
        (turns[1], "f", 0.5),
        (turns[0], "b", 0.8),
    ]
