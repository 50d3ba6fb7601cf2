"""Views of searches: rows agree with the search's own result, for games that no bot plays."""

import importlib
import pkgutil

import pytest

import shared.search
from referee.explore.searches import VIEWS, WITHOUT_VIEW
from tests.support.plain_views import views


def test_every_search_has_a_view_or_a_reason():
    made = set()
    for module in pkgutil.walk_packages(shared.search.__path__, "shared.search."):
        found = importlib.import_module(module.name)
        if hasattr(found, "make_search") and hasattr(found, "Options"):
            made.add(module.name.removeprefix("shared.search."))
    assert made | {"simultaneous_uct"} == set(VIEWS) | set(WITHOUT_VIEW)
    assert not set(VIEWS) & set(WITHOUT_VIEW)


@pytest.mark.parametrize("name", ["max^n", "paranoid"])
def test_positions_valued_again_agree_with_the_search(name):
    """Player 1 of three is to move, and its score is the value; all plies were searched."""
    view = views()[name]
    best = view["rows"][0]
    assert best["action"] == [[1, view["summary"]["action"]]] == view["line"][0]
    assert best["value"] == view["values"][1] == max(row["value"] for row in view["rows"])
    assert {action for row in view["rows"] for [_, action] in row["action"]} == {1, 2, 3}
    # A child's value is that of the best of its children, for its player or against player 1.
    for row in view["rows"]:
        assert row["value"] == row["below"][0]["value"]
        assert row["below"][0]["action"][0][0] == 2


def test_expectimax_has_values_and_chances():
    view = views()["expectimax"]
    assert view["rows"][0]["action"] == view["summary"]["action"] == view["line"][0]
    assert view["rows"][0]["value"] == pytest.approx(view["summary"]["value"])
    [roll] = [row for row in view["rows"] if row["action"] == 1]
    faces = roll["below"]
    assert [row["action"] for row in faces] == [[[-1, face]] for face in (1, 2, 3)]
    assert sum(row["prior"] for row in faces) == pytest.approx(1.0)
    mean = sum(row["prior"] * row["value"] for row in faces)
    assert mean == pytest.approx(roll["value"])


@pytest.mark.parametrize("name", ["dice", "turns"])
def test_uct_in_turns_has_all_visits(name):
    view = views()[name]
    assert sum(row["visits"] for row in view["rows"]) == view["summary"]["iterations"] == 300
    best = max(view["rows"], key=lambda row: row["visits"])
    assert best["action"] == view["line"][0]
    assert best["value"] == pytest.approx(view["summary"]["value"])
    for row in view["rows"]:
        assert sum(one["visits"] for one in row["below"]) in (0, row["visits"], row["visits"] - 1)
