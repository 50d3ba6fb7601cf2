"""Maps of Wayfinder: the requirements of the rules, and options."""

from itertools import combinations, permutations
from random import Random

import pytest

from referee.errors import UsageError
from referee.sources.contests import start_match
from shared.games.wayfinder.contest import CONTEST
from shared.games.wayfinder.maps import GAP, KINDS, n_corners, new_map
from shared.games.wayfinder.outlines import free_cells, largest_part, outlines, without_pinches
from shared.games.wayfinder.polygons import (
    area2,
    contains,
    is_edge_apart,
    is_point_apart,
    is_ring_apart,
    is_simple,
)
from shared.games.wayfinder.state import WORLD

MAP = """type octile
height 5
width 6
map
......
.@@.@.
.@.@..
......
TT....
"""


@pytest.mark.parametrize("kind", KINDS)
def test_maps_keep_the_rules(kind):
    for seed in range(4):
        boundary, *obstacles = rings = new_map(kind, Random(seed))
        assert 20 <= n_corners(rings) <= 450
        for ring in rings:
            assert all(isinstance(at, int) and 0 <= at <= WORLD for place in ring for at in place)
            assert is_simple(ring) and area2(ring) > 0
        for one, other in combinations(rings, 2):
            assert is_ring_apart(one, other, GAP)
        for one, other in permutations(obstacles, 2):
            assert contains(boundary, one[0]) and not contains(other, one[0])


def test_distances_are_exact():
    a, b = (0, 0), (3 * 3333, 4 * 3333)
    assert is_point_apart((3004, 3997), a, b, 5) and not is_point_apart((3004, 3998), a, b, 5)
    assert is_point_apart((-3, -4), a, b, 5) and not is_point_apart((-3, -4), a, b, 6)
    assert is_edge_apart((0, 10), (100, 10), (50, 5), (60, 0), 5)
    assert not is_edge_apart((0, 10), (100, 10), (50, 5), (60, 0), 6)
    assert not is_edge_apart((0, 0), (10, 10), (0, 10), (10, 0), 1)


def test_regions_that_touch_at_a_corner_are_joined():
    rows = MAP.splitlines()[4:]
    free = without_pinches(free_cells(rows))
    for x, y in free:
        for dx, dy in ((1, 1), (1, -1)):
            assert (x + dx, y + dy) not in free or {(x + dx, y), (x, y + dy)} & free
    assert len(free_cells(rows)) - len(free) == 2
    assert largest_part(free | {(100, 100)}) == largest_part(free)
    boundary, *obstacles = outlines(free_cells(rows), 10)
    assert len(obstacles) == 1 and all(map(is_simple, (boundary, *obstacles)))
    assert area2(boundary) // 200 - area2(obstacles[0]) // 200 == len(largest_part(free))


@pytest.fixture
def map_file(tmp_path):
    path = tmp_path / "small.map"
    path.write_text(MAP)
    return path


def test_a_map_of_a_file_is_told(map_file, monkeypatch):
    asked = []
    monkeypatch.setattr("shared.games.wayfinder.contest.find_instance", asked.append)
    for options in ({}, {"window": "0,3,2"}):
        with pytest.raises(AttributeError):  # there is no game
            start_match(CONTEST, 1, 2, {"map": str(map_file), **options})
    assert [len(choice.rings) for choice in asked] == [2, 1]
    assert asked[1].rings[0] == ((0, 0), (10_000, 0), (10_000, 5_000), (0, 5_000))


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"level": "4"}, "option level: 1 to 3 is expected, got '4'"),
        ({"large": "yes"}, "option large: 0 or 1 is expected"),
        ({"window": "1,2,3"}, "a window is of a map: give map=FILE"),
        ({"map": "small.map", "window": "90,90,5"}, "the window is beyond the map"),
        ({"map": "small.map", "window": "0,4,2"}, "no cell is free"),
        ({"map": "broken.map"}, "expected 5 rows of 6 cells"),
        ({"map": "none.map"}, "none.map: a map without cells"),
    ],
)
def test_strange_options_are_named(map_file, monkeypatch, options, text):
    monkeypatch.chdir(map_file.parent)
    (map_file.parent / "broken.map").write_text(MAP[:-8])
    (map_file.parent / "other.map").write_text("hello")
    (map_file.parent / "none.map").write_text("type octile\nheight 0\nwidth 0\nmap\n")
    with pytest.raises(UsageError, match=text) as error:
        start_match(CONTEST, 1, 2, options)
    assert "\n" not in str(error.value)
