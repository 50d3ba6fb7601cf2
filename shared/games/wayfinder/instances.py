"""What a whole game of Wayfinder consists of, and how it is kept in a file."""

import gzip
import json
import math
from pathlib import Path
from typing import NamedTuple

from shared.games.wayfinder.state import Change, Query, Start, Turn

LEVELS = (1, 2, 3)

Places = list[tuple[float, float]]


class Choice(NamedTuple):
    """Which game is played: the seed and the options; rings: of a map that is given, () for one
    from the seed.
    """

    seed: int
    level: int = 3
    is_large: bool = False
    rings: tuple = ()


class Instance(NamedTuple):
    """A game. optima: of each query of each turn the length of a shortest path, infinite without
    one; paths: the inner points of one, as it is shown.
    """

    kind: str
    start: Start
    turns: list[Turn]
    optima: list[list[float]]
    paths: list[list[Places]]


def save(instance: Instance, file: Path) -> None:
    """Write a game; a length is null where there is no path."""
    optima = [
        [None if length == math.inf else length for length in turn] for turn in instance.optima
    ]
    text = json.dumps(instance._replace(optima=optima))
    # Without a time of its own, so that equal games are equal files.
    file.write_bytes(gzip.compress(text.encode(), mtime=0))


def load(file: Path) -> Instance:
    """Read a game."""
    kind, start, turns, optima, paths = json.loads(gzip.decompress(file.read_bytes()))
    n_turns, n_queries, radii, boundary, obstacles = start
    return Instance(
        kind,
        Start(n_turns, n_queries, radii, ring_of(boundary), numbered(obstacles)),
        [
            Turn(
                [Change(number, ring and ring_of(ring)) for number, ring in changes],
                [Query(*query) for query in queries],
            )
            for changes, queries in turns
        ],
        [[math.inf if length is None else length for length in turn] for turn in optima],
        [[ring_of(path) for path in turn] for turn in paths],
    )


def ring_of(places: list) -> list:
    """Places (x, y) as JSON has them."""
    return [(x, y) for x, y in places]


def numbered(obstacles: dict) -> dict:
    """Obstacles by their numbers, which are texts in JSON."""
    return {int(number): ring_of(ring) for number, ring in obstacles.items()}
