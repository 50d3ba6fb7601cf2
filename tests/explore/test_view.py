"""The view of searches: rows agree with the search's own result, for games that no bot plays."""

import pytest

from referee.explore.view import View, Watched, searches
from shared.games.tic_tac_toe import game as tic_tac_toe
from tests.support.plain_views import views


@pytest.mark.parametrize("name", ["max^n", "paranoid"])
def test_a_search_without_a_tree_shows_its_line(name):
    """Player 1 of three is to move, and its score is the value; other actions have none."""
    view = views()[name]
    best, *others = view["rows"]
    assert best["action"] == [[1, view["summary"]["action"]]] == view["line"][0]
    assert best["value"] == view["values"][1] == best["below"][0]["value"]
    assert {action for row in view["rows"] for [_, action] in row["action"]} == {1, 2, 3}
    assert [row["value"] for row in others] == [None, None]
    assert [row["action"][0][0] for row in best["below"]] == [2]


def test_expectimax_has_the_value_of_its_action():
    view = views()["expectimax"]
    assert view["rows"][0]["action"] == view["summary"]["action"] == view["line"][0]
    assert view["rows"][0]["value"] == pytest.approx(view["summary"]["value"])


@pytest.mark.parametrize("name", ["dice", "turns"])
def test_uct_in_turns_has_all_visits(name):
    view = views()[name]
    assert sum(row["visits"] for row in view["rows"]) == view["summary"]["iterations"] == 300
    best = max(view["rows"], key=lambda row: row["visits"])
    assert best["action"] == view["line"][0]
    assert best["value"] == pytest.approx(view["summary"]["value"])
    for row in view["rows"]:
        assert sum(one["visits"] for one in row["below"]) in (0, row["visits"], row["visits"] - 1)


def test_information_sets_have_the_means_of_their_actions():
    view = views()["cards"]
    means = {int(action): mean for action, mean in view["summary"]["means"].items()}
    assert {row["action"]: row["value"] for row in view["rows"]} == pytest.approx(means)
    assert view["counts"]["nodes"] == view["summary"]["sets"]


def test_flat_monte_carlo_has_the_pulls_of_each_action():
    view = views()["flat"]
    assert sum(row["visits"] for row in view["rows"]) == view["summary"]["iterations"] == 60
    assert view["line"] == [view["summary"]["action"]]


OWN_SEARCH = """\
from typing import NamedTuple
from shared.core.jit import int_buffer

class Tree(NamedTuple):
    visits: object

def new_tree(game, options):
    return Tree(int_buffer(game.max_actions))

def make_search(game, options):
    def search(setup, root, tree, n):
        for i in range(n):
            tree.visits[i % 2] += 1
    return search

def show_nodes(search, node, state):
    visits = [int(n) for n in search.tree.visits]
    actions = search.legal(state) if node == 0 else []
    return [
        {"node": 1, "action": action, "visits": n, "value": 0.5}
        for action, n in zip(actions, visits)
    ]
"""


def test_a_search_of_ones_own_is_shown_by_its_function(tmp_path):
    """It lies beside the bot."""
    folder = tmp_path / "bots" / "mine"
    folder.mkdir(parents=True)
    (folder / "own_search.py").write_text(OWN_SEARCH)
    (folder / "bot.py").write_text("")
    [module] = [one for one in searches(folder / "bot.py") if "own_search" in one.__name__]
    game, root = tic_tac_toe.GAME, tic_tac_toe.new_state([0, 8])
    tree, run = module.new_tree(game, None), module.make_search(game, None)
    watched = Watched(module, (game, None), run, (game, None), tic_tac_toe.new_setup(), root, tree)
    watched.search(5)
    view = View(watched)
    _, rows = view.open(view.roots()[0])
    assert [(row.action, row.visits, row.value) for row in rows[:2]] == [(1, 3, 0.5), (2, 2, 0.5)]
    assert len(rows) == 7 and view.line(0) == [1]
