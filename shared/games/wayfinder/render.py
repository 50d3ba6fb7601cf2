"""Draws Wayfinder on the page, from the snapshots of `contest.py`: the world, the last turn's
queries and both players' answers. North is up, so y is flipped.

Layers of the page show the shortest paths, and the obstacles grown by each radius: the centre of
a disc stays outside.
"""

from functools import cache

from ...core.drawing.shapes import (
    Chart,
    Circle,
    Event,
    Fact,
    Frame,
    Line,
    Polygon,
    Rect,
    Sign,
    Turn,
    player_colour,
)
from ...games.wayfinder.scoring import INVALID

PLAYERS = range(2)
EDGE = 100  # margin around the boundary
WIDE, NARROW = 34, 18  # line widths of the players' paths, one over the other
DOT = 45


def render(turn: Turn) -> Frame:
    """Draw the world after a turn's changes, with its queries and the answers."""
    setup, after = turn.setup, turn.after
    boundary = places(setup["boundary"])
    obstacles = obstacles_after(setup, turn)
    new = {number for number, ring in after.get("changes", ()) if ring}
    shapes = [Polygon(boundary, fill="board", stroke="ink", stroke_width=NARROW)]
    for radius in setup["radii"]:
        shapes += growth(boundary, tuple(obstacles.values()), radius)
    for number, ring in obstacles.items():
        shapes.append(
            Polygon(
                ring,
                fill="muted",
                stroke="accent" if number in new else "ink",
                stroke_width=DOT if number in new else NARROW,
                key=f"obstacle {number}",
                tip=f"obstacle {number}" + (", new" if number in new else ""),
            )
        )
    if after["turn"]:
        shapes += answers(after)
    xs, ys = zip(*boundary)
    return Frame(
        bounds=(min(xs) - EDGE, min(ys) - EDGE, max(xs) + EDGE, max(ys) + EDGE),
        shapes=tuple(shapes),
        events=tuple(find_events(after)) if turn.before is not None else (),
        facts=tuple(facts(after, player) for player in PLAYERS),
        charts=(Chart("points a query", tuple(mean(after, player) for player in PLAYERS)),),
        legend=LEGEND,
    )


LEGEND = (
    Sign("start of a query", (Circle(DOT, fill="ink"),), 3 * DOT),
    Sign("its goal", (Circle(DOT, fill="board", stroke="ink", stroke_width=NARROW),), 3 * DOT),
    Sign(
        "path of a player",
        (Line(((-90, 30), (0, -30), (90, 30)), stroke=player_colour(0), stroke_width=WIDE),),
        200,
    ),
    Sign(
        "path too near to a wall",
        (Line(((-90, 30), (0, -30), (90, 30)), stroke="alert", stroke_width=WIDE),),
        200,
    ),
    Sign("obstacle", (Rect(150, 110, fill="muted", stroke="ink", stroke_width=NARROW),), 200),
    Sign("new obstacle", (Rect(140, 100, fill="muted", stroke="accent", stroke_width=DOT),), 200),
)


def place(at):
    """Map a place (x, y) of the world to the page."""
    return at[0], -at[1]


def places(ring):
    return tuple(map(place, ring))


def obstacles_after(setup, turn):
    """Returns {number: ring} of the present obstacles."""
    if "obstacles" not in turn.after:
        return {number: places(ring) for number, ring in setup["obstacles"]}
    return {number: places(ring) for number, ring in turn.after["obstacles"]}


@cache
def growth(boundary, obstacles, radius):
    """Draw the area within a radius of the rings: edges of width 2 radius, round corners."""
    style = {
        "stroke": "warn",
        "stroke_width": 2 * radius,
        "opacity": 0.35,
        "layer": f"walls grown by {radius}",
    }
    return tuple(Polygon(ring, **style) for ring in (boundary, *obstacles))


def answers(after):
    """Draw the starts and goals of the queries, the shortest paths, and the players' paths."""
    for number, (query, optimum) in enumerate(zip(after["queries"], after["optima"])):
        *ends, radius = query
        start, goal = place(ends[:2]), place(ends[2:])
        asked = f"query {number}, radius {radius}"
        shortest = "no path" if optimum is None else f"shortest path {optimum:,.1f}"
        for player in PLAYERS:
            path = after["answers"][player][number]
            if path is None:
                continue
            points, length = after["points"][player][number], after["lengths"][player][number]
            found = "too near to a ring" if length is None else f"{length:,.1f}"
            yield Line(
                (start, *places(path), goal),
                stroke="alert" if points == INVALID else player_colour(player),
                stroke_width=(WIDE, NARROW)[player],
                opacity=0.8,
                tip=f"{asked}, player {player}: {found}, {points:,} points; {shortest}",
            )
        if optimum is not None:
            yield Line(
                (start, *places(after["shortest"][number]), goal),
                stroke="ink",
                stroke_width=NARROW / 2,
                tip=f"{asked}: {shortest}",
                layer="shortest paths",
            )
        tip = f"{asked}: {shortest}"
        yield Circle(DOT, at=start, fill="ink", tip=f"start of {tip}")
        yield Circle(
            DOT, at=goal, fill="board", stroke="ink", stroke_width=NARROW, tip=f"goal of {tip}"
        )


def mean(after, player):
    """Returns the mean points a query in the last turn."""
    points = after["points"][player] if after["turn"] else [0]
    return sum(points) / len(points)


def n_of(after, player, points):
    """Returns the number of a player's answers in the last turn that scored this many points."""
    return after["points"][player].count(points) if after["turn"] else 0


def find_events(after):
    """List the events of a turn: changes of the world, and bad answers."""
    for number, ring in after.get("changes", ()):
        yield Event("change", f"obstacle {number} {'comes' if ring else 'goes'}")
    for player in PLAYERS:
        for kind, points, text in (
            ("too near", INVALID, "comes too near to a ring"),
            ("not found", 0, "finds no path where there is one"),
        ):
            if count := n_of(after, player, points):
                times = f" {count} times" if count > 1 else ""
                yield Event(kind, f"player {player} {text}{times}", player=player)


def facts(after, player):
    """List the facts shown beside the board for a player."""
    n_invalid, n_missed = n_of(after, player, INVALID), n_of(after, player, 0)
    return (
        Fact("score", f"{after['scores'][player]:,}"),
        Fact("points a query", f"{mean(after, player):,.1f} in this turn"),
        Fact("invalid", f"{n_invalid}, {n_missed} not found"),
    )
