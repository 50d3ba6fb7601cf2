"""A whole game of Wayfinder from a seed: the map, the changes, the queries and their shortest paths
(RULES.md, section 6). None of it is known to the players beforehand.
"""

import math
from random import Random

import numpy as np

from ...games.wayfinder.clearance import are_free, distances, ends_of
from ...games.wayfinder.instances import Choice, Instance, Places
from ...games.wayfinder.maps import (
    KINDS,
    MOST_CORNERS,
    NEW_CORNERS,
    NEW_SIZES,
    n_corners,
    new_map,
    place_polygon,
)
from ...games.wayfinder.optimum import Optimum
from ...games.wayfinder.polygons import Ring
from ...games.wayfinder.state import Change, Query, Start, TurnInput, apply_changes, rings_of

N_TURNS, N_QUERIES = 20, 20
N_LARGE_QUERIES, MOST_LARGE_CORNERS = 50, 5000
RADII = ((20, 60), (60, 160), (200, 420))
LARGE_SCALE = 4  # divides the radii on large maps
LEAST_APART = 500  # bounds of the distance between start and goal
N_PLACES, MOST_DRAWS = 300, 40  # start and goal candidates of a round, and the number of rounds
MOST_WITHOUT_PATH = 0.2  # shares of the queries of a turn


def new_instance(choice: Choice) -> Instance:
    """Generate the game. Raises ValueError if the given map is unsuitable."""
    rng = Random(f"Wayfinder {choice.seed} {choice.level} {choice.is_large}")
    kind = KINDS[choice.seed % len(KINDS)]
    rings = [list(ring) for ring in choice.rings]
    rings = rings or new_map(kind, rng, choice.is_large)
    most_corners = MOST_LARGE_CORNERS if choice.is_large else MOST_CORNERS
    if n_corners(rings) > most_corners:
        raise ValueError(
            f"the map has {n_corners(rings)} corners, at most {most_corners} are allowed: "
            "take a window of it, as in window=10,20,64 for 64 cells from column 10 and row 20 on"
        )
    n_queries = N_LARGE_QUERIES if choice.is_large else N_QUERIES
    obstacles = dict(enumerate(rings[1:], 1))
    start = Start(N_TURNS, n_queries, draw_radii(rng, choice), rings[0], dict(obstacles))
    instance = Instance("map" if choice.rings else kind, start, [], [], [])
    next_number = len(obstacles) + 1
    for turn in range(N_TURNS):
        changes = []
        for _ in range(rng.randrange(4) if choice.level == 3 and turn > 0 else 0):
            change = draw_change(rng, start, obstacles, next_number, most_corners)
            if change:
                changes.append(change)
                apply_changes(obstacles, [change])
                next_number += change.number == next_number
        queries, optima, paths = draw_queries(rng, rings_of(rings[0], obstacles), start)
        instance.turns.append(TurnInput(changes, queries))
        instance.optima.append(optima)
        instance.paths.append(paths)
    return instance


def draw_radii(rng: Random, choice: Choice) -> list[int]:
    """Draw the radii of the queries."""
    if choice.level == 1:
        return [1]
    scale = LARGE_SCALE if choice.is_large else 1
    return [rng.randrange(least // scale, most // scale) for least, most in RADII]


def draw_change(
    rng: Random, start: Start, obstacles: dict[int, Ring], number: int, most_corners: int
) -> Change | None:
    """Draw an obstacle to remove, or a new obstacle of this number; None if there is no room."""
    n_first = len(start.obstacles)
    are_many = len(obstacles) > max(4, n_first // 2)
    if obstacles and rng.random() < (0.5 if are_many else 0.2):
        return Change(rng.choice(sorted(obstacles)), None)
    if len(obstacles) + 1 >= 1.5 * n_first + 5:
        return None
    rings = rings_of(start.boundary, obstacles)
    ring = place_polygon(rng, rings, NEW_SIZES, NEW_CORNERS, 0.5)
    if ring is None or n_corners(rings) + len(ring) > most_corners:
        return None
    return Change(number, ring)


def draw_queries(
    rng: Random, rings: list[Ring], start: Start
) -> tuple[list[Query], list[float], list[Places]]:
    """Draw the queries of a turn, with the lengths and inner points of shortest paths. Raises
    ValueError if the map has no room for them.
    """
    optimum, ends = Optimum(rings), ends_of(rings)
    asked: list[tuple[Query, float, Places]] = []
    for _ in range(MOST_DRAWS):
        # Half as many more than needed: building the graphs costs most, and one round is mostly
        # enough.
        drawn = draw_places(rng, rings[0], ends, start, start.n_queries * 3 // 2)
        for query, answer in zip(drawn, optimum.stable_paths(drawn)):
            if answer is None or len(asked) == start.n_queries:
                continue
            n_without = sum(math.isinf(length) for _, length, _ in asked)
            is_one_more = math.isinf(answer[0])
            if not is_one_more or n_without + 1 <= MOST_WITHOUT_PATH * start.n_queries:
                asked.append((query, *answer))
        if len(asked) == start.n_queries:
            queries, lengths, paths = zip(*asked)
            return list(queries), list(lengths), list(paths)
    raise ValueError("the map has too little room for discs of the requested radii")


def draw_places(
    rng: Random, boundary: Ring, ends: tuple, start: Start, n_queries: int
) -> list[Query]:
    """Draw up to `n_queries` queries, with a unit of spare room for the disc at both ends."""
    xs, ys = [x for x, _ in boundary], [y for _, y in boundary]
    places = [
        (rng.randint(min(xs), max(xs)), rng.randint(min(ys), max(ys))) for _ in range(N_PLACES)
    ]
    points = np.array(places, float)
    room = np.where(are_free(points, *ends), distances(points, *ends).min(1), 0.0)
    queries = []
    for _ in range(n_queries):
        radius = rng.choice(start.radii)
        wide = [place for place, free in zip(places, room) if free >= radius + 1]
        if wide:
            here = rng.choice(wide)
            far = [place for place in wide if math.dist(here, place) >= LEAST_APART]
            if far:
                queries.append(Query(*here, *rng.choice(far), radius))
    return queries
