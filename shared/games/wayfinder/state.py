"""What players of Wayfinder are told: a world of polygons, how it changes, and queries about it.

A ring is a list of corners (x, y), counterclockwise with y up. Free space is inside the boundary
and outside of every obstacle.
"""

from typing import NamedTuple, Optional

WORLD = 10_000  # the greatest coordinate
MOST_POINTS = 200  # inner points of an answer
TOLERANCE = 0.01  # how much nearer than its radius a disc may come to a ring


class Query(NamedTuple):
    """A path for the centre of a disc is asked for: from where, to where, the disc's radius."""

    start_x: int
    start_y: int
    goal_x: int
    goal_y: int
    radius: int


class Change(NamedTuple):
    """An obstacle comes, or goes where its ring is None."""

    number: int
    ring: Optional[list]


class Start(NamedTuple):
    """What a player is told before the first turn. obstacles: {number: ring}."""

    n_turns: int
    n_queries: int
    radii: list
    boundary: list
    obstacles: dict


class Turn(NamedTuple):
    """What a player is told in a turn: changes in their order, then queries about the world after
    them.
    """

    changes: list
    queries: list


def apply_changes(obstacles: dict, changes: list) -> None:
    """Let obstacles come and go. Raises ValueError for one that is there already, or is not."""
    for number, ring in changes:
        if (ring is None) != (number in obstacles):
            state = "is there already" if ring else "is not there"
            raise ValueError(f"obstacle {number} {state}")
        if ring is None:
            del obstacles[number]
        else:
            obstacles[number] = ring


def rings_of(boundary: list, obstacles: dict) -> list:
    """The boundary, then the obstacles by their numbers."""
    return [boundary, *(obstacles[number] for number in sorted(obstacles))]
