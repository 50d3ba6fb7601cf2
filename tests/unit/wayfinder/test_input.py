"""The text of Wayfinder: written text is read back, and malformed text is reported."""

from random import Random

import pytest

from bots.wayfinder.tracker import World
from shared.core.protocol import IllegalAction, ProtocolError
from shared.games.wayfinder.protocol import (
    format_path,
    parse_answers,
    parse_path,
    read_start,
    read_turn,
    start_lines,
    turn_lines,
)
from shared.games.wayfinder.state import Change, Query, Start, TurnInput

SQUARE = [(0, 0), (100, 0), (100, 100), (0, 100)]
TRIANGLE = [(20, 20), (40, 20), (20, 40)]
START = Start(20, 2, [1, 30], SQUARE, {1: TRIANGLE})
TURN = TurnInput(
    [Change(2, TRIANGLE), Change(1, None)], [Query(1, 2, 3, 4, 30), Query(5, 6, 7, 8, 1)]
)


def reader(lines):
    rest = iter([f"{line}\n" for line in lines])
    return lambda: next(rest, "")


def test_the_first_lines():
    lines = start_lines(START)
    assert lines == ["20 2", "2 1 30", "4 0 0 100 0 100 100 0 100", "1", "1 3 20 20 40 20 20 40"]
    assert read_start(reader(lines)) == START
    assert read_start(reader([])) is None


def test_the_lines_of_a_turn():
    lines, obstacles = turn_lines(TURN), dict(START.obstacles)
    assert lines == ["2 2", "+ 2 3 20 20 40 20 20 40", "- 1", "1 2 3 4 30", "5 6 7 8 1"]
    assert read_turn(reader(lines), obstacles) == TURN
    assert obstacles == {2: TRIANGLE}
    assert read_turn(reader([]), obstacles) is None


@pytest.mark.parametrize(
    ("place", "line", "text"),
    [
        (0, "20", "expected turns and queries"),
        (1, "3 1 30", "expected 3 radii, got 2"),
        (2, "4 0 0 100 0 100 100 0", "expected a polygon"),
        (3, "-", "expected the number of obstacles"),
        (3, "2", "the input ended where an obstacle should follow"),
        (4, "1 3 20 20 40 20 20 x", "expected an obstacle"),
    ],
)
def test_strange_first_lines_are_named(place, line, text):
    lines = start_lines(START)
    lines[place] = line
    with pytest.raises(ProtocolError, match=text):
        read_start(reader(lines))


@pytest.mark.parametrize(
    ("place", "line", "text"),
    [
        (0, "2", "numbers of changes and queries"),
        (1, "* 2 3 20 20 40 20 20 40", "expected '\\+ id n x1 y1"),
        (1, "+ 1 3 20 20 40 20 20 40", "obstacle 1 is there already"),
        (1, "+ 2 3 20 20 40 20 20", "expected a polygon"),
        (2, "- 3", "obstacle 3 is not there"),
        (3, "1 2 3 4", "a start, a goal and a radius"),
    ],
)
def test_strange_lines_of_a_turn_are_named(place, line, text):
    lines = turn_lines(TURN)
    lines[place] = line
    with pytest.raises(ProtocolError, match=text):
        read_turn(reader(lines), dict(START.obstacles))


def test_paths():
    assert parse_path("-1") is None
    assert parse_path("0") == []
    assert parse_path("2 1 2 -3.5 4.000001") == [(1, 2), (-3.5, 4.000001)]
    assert parse_path("1 999999 -999999.999999") == [(999999, -999999.999999)]
    assert len(parse_path("200" + " 1 2" * 200)) == 200


def test_formatted_paths_are_parsed_back():
    rng = Random(1)
    for n in (0, 1, 10, 200):
        points = [(rng.uniform(-1, 10_001), rng.uniform(0, 10_000)) for _ in range(n)]
        found = parse_path(format_path(points))
        assert len(found) == n
        assert all(abs(a - b) < 0.001 for one, two in zip(points, found) for a, b in zip(one, two))
    assert parse_path(format_path([(-0.00001, 1e-9)])) == [(0, 0)]


def test_bots_format_as_the_referee_does():
    world, rng = World(START, str), Random(2)
    points = [(rng.uniform(-1, 10_001), rng.uniform(0, 10_000)) for _ in range(200)]
    for i, (x, y) in enumerate(points):
        world.points[2 * i], world.points[2 * i + 1] = x, y
    for n in (0, 1, 10, 200):
        assert world.line_of(n) == format_path(points[:n])


@pytest.mark.parametrize(
    "line",
    [
        "",
        " 0",
        "00",
        "1 2",
        "2 1 2 3",
        "1  2 3",
        "1 2. 3",
        "1 1e3 3",
        "1 nan 3",
        "1 1234567 3",
        "1 1.1234567 3",
        "201" + " 1 2" * 201,
        "1 ١ 3",
        "1 2 3\n",
    ],
)
def test_any_other_line_is_illegal(line):
    with pytest.raises(IllegalAction):
        parse_path(line)


def test_errors_name_the_query_and_the_fault():
    with pytest.raises(IllegalAction, match=r"^query 1: 2 points are announced, 1 are given"):
        parse_answers(["0", "2 1 2"])
    with pytest.raises(IllegalAction, match=r"^query 0: 201 points are announced, 200 are allowed"):
        parse_answers(["201" + " 1 2" * 201])
    with pytest.raises(IllegalAction, match=r"^query 0: expected '-1', '0' or 'k x1 y1"):
        parse_answers(["<script>" * 50])
