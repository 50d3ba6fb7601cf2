"""The data of a whole game of Wayfinder, and its file format."""

import gzip
import json
import math
from pathlib import Path
from typing import NamedTuple

from ...games.wayfinder.state import Change, Query, Start, TurnInput

LEVELS = (1, 2, 3)

Places = list[tuple[float, float]]


class Choice(NamedTuple):
    """The parameters that select a game. rings: the rings of a given map, () for a map from the
    seed.
    """

    seed: int
    level: int = 3
    is_large: bool = False
    rings: tuple = ()


class Instance(NamedTuple):
    """A game. optima: for each query of each turn, the shortest path's length or infinity.
    paths: the shortest paths' inner points, for display.
    """

    kind: str
    start: Start
    turns: list[TurnInput]
    optima: list[list[float]]
    paths: list[list[Places]]


def save(instance: Instance, file: Path) -> None:
    """Write a game; a length is null if there is no path."""
    optima = [
        [None if length == math.inf else length for length in turn] for turn in instance.optima
    ]
    text = json.dumps(instance._replace(optima=optima))
    # The archive's time stamp is left empty, so that equal games are equal files.
    file.write_bytes(gzip.compress(text.encode(), mtime=0))


def load(file: Path) -> Instance:
    """Read a game."""
    kind, start, turns, optima, paths = json.loads(gzip.decompress(file.read_bytes()))
    n_turns, n_queries, radii, boundary, obstacles = start
    return Instance(
        kind,
        Start(n_turns, n_queries, radii, ring_of(boundary), numbered(obstacles)),
        [
            TurnInput(
                [Change(number, ring and ring_of(ring)) for number, ring in changes],
                [Query(*query) for query in queries],
            )
            for changes, queries in turns
        ],
        [[math.inf if length is None else length for length in turn] for turn in optima],
        [[ring_of(path) for path in turn] for turn in paths],
    )


def ring_of(places: list) -> list:
    """Returns JSON places as tuples (x, y)."""
    return [(x, y) for x, y in places]


def numbered(obstacles: dict) -> dict:
    """Returns {number: ring} of obstacles read from JSON."""
    return {int(number): ring_of(ring) for number, ring in obstacles.items()}
