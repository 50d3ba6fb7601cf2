"""Movement of shapes between two frames, by picture.js in a browser."""

import json

import pytest

from referee.page.page import ASSETS
from tests.page.browser import Tab


@pytest.fixture(scope="module")
def ask(browser):
    """Evaluates an expression over picture.js: `ask("mix(from, to, 0.5)", {"from": 1})`."""
    tab = Tab(browser, "about:blank")
    tab.evaluate((ASSETS / "picture.js").read_text(encoding="utf-8"))

    def evaluate(expression, values):
        names = ", ".join(values)
        return tab.evaluate(f"(({{{names}}}) => ({expression}))({json.dumps(values)})")

    yield evaluate
    tab.close()


def shape_at(ask, before, after, time):
    """The one shape of a turn as it is painted at a time."""
    shapes = shapes_at(ask, [before], [after], time)
    assert len(shapes) == 1
    return shapes[0]


def shapes_at(ask, before, after, time):
    """The shapes of a turn as they are painted at a time."""
    frames = [{"shapes": before}, {"shapes": after}]
    return ask(
        "present(scene).map((shape) => moving(shape, scene))",
        {"scene": {"frames": frames, "turn": 1, "time": time}},
    )


def disc(**values):
    return {"kind": "circle", "radius": 1, "key": "disc", **values}


@pytest.mark.parametrize(("time", "at"), [(0, [0, 0]), (0.25, [10, 5]), (1, [40, 20])])
def test_a_shape_goes_straight_from_place_to_place(ask, time, at):
    assert shape_at(ask, disc(), disc(at=[40, 20]), time)["at"] == at


@pytest.mark.parametrize(("time", "at"), [(0.25, [5, 0]), (0.5, [10, 0]), (0.75, [10, 5])])
def test_a_shape_goes_past_the_places_on_its_way(ask, time, at):
    after = disc(at=[10, 10], via=[[0.5, 10, 0]])
    assert shape_at(ask, disc(at=[0, 0]), after, time)["at"] == at


def test_an_angle_turns_the_short_way_round(ask):
    half = shape_at(ask, disc(angle=3), disc(angle=-3), 0.5)["angle"]
    assert half == pytest.approx(3.14159, abs=1e-4)


def test_measures_change_smoothly_and_colours_at_once(ask):
    before, after = disc(radius=1, fill="ink"), disc(radius=3, opacity=0.5, fill="alert")
    half = shape_at(ask, before, after, 0.5)
    assert (half["radius"], half["opacity"], half["fill"]) == (2, 0.75, "alert")


def test_a_line_of_as_many_points_bends_smoothly(ask):
    line = {"kind": "line", "key": "line"}
    before, after = {**line, "points": [[0, 0], [2, 0]]}, {**line, "points": [[0, 0], [0, 2]]}
    assert shape_at(ask, before, after, 0.5)["points"] == [[0, 0], [1, 1]]
    longer = {**line, "points": [[0, 0], [0, 2], [0, 4]]}
    assert shape_at(ask, before, longer, 0.5)["points"] == longer["points"]


def test_a_new_key_fades_in_and_a_vanished_one_out(ask):
    before, after = [disc(key="gone", at=[1, 1])], [disc(key="new", at=[2, 2])]
    new, gone = shapes_at(ask, before, after, 0.25)
    assert (new["at"], new["opacity"]) == ([2, 2], 0.25)
    assert (gone["at"], gone["opacity"]) == ([1, 1], 0.75)
    (only,) = shapes_at(ask, [disc(key="gone")], [disc(key="new")], 1)
    assert only == disc(key="new")


def test_a_key_in_a_group_is_found(ask):
    def group(angle):
        return {"kind": "group", "key": "pod", "shapes": [disc(key="nose", angle=angle)]}

    frames = [{"shapes": [group(0)]}, {"shapes": [group(1)]}]
    scene = {"frames": frames, "turn": 1, "time": 0.5}
    nose = group(1)["shapes"][0]
    assert ask("moving(nose, scene).angle", {"nose": nose, "scene": scene}) == 0.5
