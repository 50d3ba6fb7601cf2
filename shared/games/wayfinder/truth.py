"""Compares the simulator with recorded games: lines, shortest lengths, points of answers.

A truth file is JSON, plain or gzipped:

    {"games": [{"seed", "level", "kind", "initial": [line], "turns": [
        {"lines": [line], "rings": null or the rings after the turn's changes,
         "queries": [[start, goal, radius]],
         "optimal": [length, null without a path], "answers": {name: {"lines": [line], "points":
         [number]}}}]}]}
"""

import math

from ...core.checks.truth import compare_all, load_parts
from ...games.wayfinder.clearance import ends_of
from ...games.wayfinder.protocol import (
    parse_answers,
    read_start,
    read_turn,
    start_lines,
    turn_lines,
)
from ...games.wayfinder.scoring import judge, valid_length
from ...games.wayfinder.state import rings_of

WHAT = "truth file of Wayfinder"
ACCURACY = 1e-7  # relative tolerance of a length


def game_differences(game):
    """Returns (turns compared, texts of differences, at most 1 per turn) of a recorded game."""
    start = read_start(_reader(game["initial"]))
    found = []
    if start is None or start_lines(start) != game["initial"]:
        found.append("the initial lines are read otherwise")
    obstacles = dict(start.obstacles)
    for number, recorded in enumerate(game["turns"]):
        turn = read_turn(_reader(recorded["lines"]), obstacles)
        rings = rings_of(start.boundary, obstacles)
        found += [
            f"turn {number}: {text}" for text in list(turn_differences(turn, rings, recorded))[:1]
        ]
    return len(game["turns"]), found


def _reader(lines):
    """Returns a reader of lines, which returns "" at the end."""
    rest = iter(lines)
    return lambda: next(rest, "")


def turn_differences(turn, rings, recorded):
    """Yields texts of the differences in a turn, in a world of these rings."""
    if turn is None or turn_lines(turn) != recorded["lines"]:
        yield "the lines are read otherwise"
        return
    if recorded["rings"] and [[list(at) for at in ring] for ring in rings] != recorded["rings"]:
        yield "the rings are other ones"
    queries = [[[*query[:2]], [*query[2:4]], query.radius] for query in turn.queries]
    if queries != recorded["queries"]:
        yield "the queries are other ones"
    expected = [math.inf if length is None else length for length in recorded["optimal"]]
    optima = optima_of(rings, turn.queries)
    for number, (length, known) in enumerate(zip(optima, expected, strict=True)):
        if not (length == known or abs(length - known) <= ACCURACY * known):
            yield f"query {number}: the shortest path has {length}, expected {known}"
    for name, answers in recorded["answers"].items():
        yield from answer_differences(name, answers, rings, turn.queries, optima)


def optima_of(rings, queries):
    """Returns the length of a shortest path for each query."""
    # Not at the top: importing it compiles.
    from ...games.wayfinder.optimum import Optimum

    optimum, lengths = Optimum(rings), [math.inf] * len(queries)
    for radius in {query.radius for query in queries}:
        own = [i for i, query in enumerate(queries) if query.radius == radius]
        found = optimum.find_paths(radius, [queries[i] for i in own])
        for i, (length, _) in zip(own, found, strict=True):
            lengths[i] = length
    return lengths


def answer_differences(name, answers, rings, queries, optima):
    """Yields a text for each recorded answer whose points differ."""
    ends = ends_of(rings)
    lines = zip(queries, optima, parse_answers(answers["lines"]), answers["points"], strict=True)
    for number, (query, length, path, points) in enumerate(lines):
        found = judge(length, path, valid_length(ends, query, path)).points
        if found != points:
            yield f"query {number}, {name}: {found} points, expected {points}"


def subjects(contents):
    """Yields (name, comparison function) of every game."""
    for number, game in enumerate(contents["games"]):
        yield f"game {number}", lambda game=game: game_differences(game)


def verify(path):
    """Returns the VerifyReport of a truth file. Raises TruthError."""
    return compare_all(path, WHAT, subjects(load_parts(path, WHAT, {"games"})))
