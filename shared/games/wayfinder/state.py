"""The data sent to players of Wayfinder: a world of polygons, its changes, and queries.

A ring is a list of corners (x, y), counterclockwise with y up. Free space is inside the boundary
and outside of every obstacle.
"""

from typing import NamedTuple, Optional

WORLD = 10_000  # the greatest coordinate
MOST_POINTS = 200  # inner points of an answer
TOLERANCE = 0.01  # tolerance: a disc may come this much nearer to a ring than its radius


class Query(NamedTuple):
    """A request for a path of the centre of a disc: start, goal, the disc's radius."""

    start_x: int
    start_y: int
    goal_x: int
    goal_y: int
    radius: int


class Change(NamedTuple):
    """An obstacle to add, or to remove if `ring` is None."""

    number: int
    ring: Optional[list]


class Start(NamedTuple):
    """The data sent before the first turn. obstacles: {number: ring}."""

    n_turns: int
    n_queries: int
    radii: list
    boundary: list
    obstacles: dict


class TurnInput(NamedTuple):
    """The data sent in a turn: ordered changes, then queries about the changed world."""

    changes: list
    queries: list


def apply_changes(obstacles: dict, changes: list) -> None:
    """Add and remove obstacles. Raises ValueError for a duplicate or missing number."""
    for number, ring in changes:
        if (ring is None) != (number in obstacles):
            state = "is there already" if ring else "is not there"
            raise ValueError(f"obstacle {number} {state}")
        if ring is None:
            del obstacles[number]
        else:
            obstacles[number] = ring


def rings_of(boundary: list, obstacles: dict) -> list:
    """Returns the boundary, then obstacles by number."""
    return [boundary, *(obstacles[number] for number in sorted(obstacles))]
