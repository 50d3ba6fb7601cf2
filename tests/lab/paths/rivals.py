"""Paths on one map by our searches and by other programs, in one table: mean CPU microseconds of a
query, each the least of several rounds among other queries, and the mean length of the paths in
cells. Rows without a length are triangulations.

    PATHS_PYTHON=VENV/bin/python python -m tests.lab.paths.rivals [--queries 40] [--name arena]

Takes the maps of Moving AI beside the project. PATHS_PYTHON names a Python with tcod, networkx,
scipy, triangle and CGAL; a row says where one is missing. PATHS_GRID_PROGRAMS and
PATHS_MESH_PROGRAMS name more programs, as `NAME=FILE,NAME=FILE`. Such a program takes the number of
rounds as its argument, reads a map and queries, and prints a line for each query: length, least CPU
microseconds. A grid is written as for `grid_rivals.py`, a mesh by `mesh_text`.
"""

import os
import statistics
from typing import Annotated

import typer

from shared.mesh.geometry import NONE
from shared.mesh.location import locate
from shared.mesh.triangulation import around, is_ghost
from tests.lab.paths import grids
from tests.lab.paths.grids import MAPS, answers
from tests.lab.paths.mesh_times import ROUNDS
from tests.lab.paths.meshes import CELL, measured, on_mesh, outline, rival_ms, scenario
from tests.paths.on_meshes import mesh_of

HEAD = ("search", "paths", "us", "mean length")


def grid_rows(name, n_queries):
    """Rows of octile paths on the grid."""
    board = grids.Map(name, n_queries)
    found = {key: one for key, one in board.measure().items() if key in ("A*", "JPS", "JPS+")}
    if rival := board.rival():
        found["a plain A* in C++"] = rival
    rows = [
        (key, "octile", statistics.mean(one.us_in_turn), statistics.mean(one.lengths))
        for key, one in found.items()
    ]
    for rival, program in programs("GRID").items():
        us, lengths = board.ask([program, str(ROUNDS)])
        rows.append((rival, "octile", statistics.mean(us), statistics.mean(lengths)))
    packages = board.packages(ROUNDS)
    for package in ("tcod", "scipy", "networkx"):
        if package in packages:
            us, lengths = packages[package]
            rows.append((package, "octile", statistics.mean(us), statistics.mean(lengths)))
        else:
            rows.append((package, "not installed: see PATHS_PYTHON", "", ""))
    return rows


def programs(kind):
    """Returns {name: path} of the programs for grids or meshes, as the environment names them."""
    named = os.environ.get(f"PATHS_{kind}_PROGRAMS", "")
    return dict(one.split("=", 1) for one in named.split(",") if one)


def mesh_text(rings, queries):
    """Returns the free triangles around the first start, and the queries, in the text format of
    Polyanya's authors, version 2.

    A vertex has its place and the polygons around it, with -1 for a gap. A polygon has its vertices
    and the neighbours beyond the edges that end at these, both counterclockwise.
    """
    mesh = mesh_of(rings)
    t = int(locate(mesh, *queries[0][:2])) & ~3
    free, waiting = {t: 0}, [t]

    def beyond(e):
        other = int(mesh.twins[e]) & ~3
        return NONE if mesh.owners[e] != 0 or is_ghost(mesh, other) else other

    for t in waiting:
        for other in map(beyond, range(t, t + 3)):
            if other != NONE and other not in free:
                free[other] = len(free)
                waiting.append(other)
    numbers, lines = {}, []
    for t in waiting:
        for e in range(t, t + 3):
            numbers.setdefault(int(mesh.corners[e]), e)
    for v, first in numbers.items():
        around_it, e = [], first
        while not around_it or e != first:
            number = free.get(e & ~3, -1)
            if mesh.owners[e] != 0 and around_it and around_it[-1] >= 0 and number >= 0:
                around_it.append(-1)
            if number >= 0 or not around_it or around_it[-1] >= 0:
                around_it.append(number)
            e = int(around(mesh, e))
        lines.append([int(mesh.x[v]), int(mesh.y[v]), len(around_it), *around_it])
    places = {v: i for i, v in enumerate(numbers)}
    for t in waiting:
        sides = [free.get(beyond(e), -1) for e in (t + 2, t, t + 1)]
        lines.append([3, *(places[int(mesh.corners[e])] for e in range(t, t + 3)), *sides])
    rows = [" ".join(map(str, line)) for line in lines]
    asked = [" ".join(map(str, query[:4])) for query in queries]
    head = ["mesh", "2", f"{len(numbers)} {len(waiting)}"]
    return "\n".join([*head, *rows, "queries", str(len(asked)), *asked])


def mesh_rows(name, n_queries):
    """Rows of straight paths among the outlines, and of their triangulation."""
    rings, queries = outline(name)[0], on_mesh(scenario(name, n_queries), 0)
    found = measured([(rings, queries, 0)])[0]
    rows = []
    for search in ("Polyanya", "TRA*", "TA*"):
        lengths, times = found[f"length {search}, point"], found[f"{search}, point, proof"]
        least = [min(times[i :: len(lengths)]) for i in range(len(lengths))]
        rows.append((search, "straight", statistics.mean(least), statistics.mean(lengths) / CELL))
    for rival, program in programs("MESH").items():
        us, lengths = answers([program, str(ROUNDS)], mesh_text(rings, queries))
        rows.append((rival, "straight", statistics.mean(us), statistics.mean(lengths) / CELL))
    for package in ("triangle", "CGAL"):
        ours, theirs = rival_ms(rings, package)
        if package == "triangle":
            rows.append(("triangulation", "", 1e3 * statistics.median(ours), ""))
        if isinstance(theirs, str):
            rows.append((package, theirs, "", ""))
        else:
            rows.append((package, "", 1e3 * statistics.median(theirs), ""))
    return rows


def main(
    queries: Annotated[int, typer.Option(min=2)] = 40,
    name: Annotated[str, typer.Option()] = "arena",
):
    """Measure and print."""
    if not MAPS.is_dir():
        raise SystemExit(f"{MAPS} is missing: the maps of Moving AI have to lie there")
    print(f"{name}, {queries} queries, CPU time, load {os.getloadavg()[0]:.1f}")
    for rows in (lambda *_: [HEAD], grid_rows, mesh_rows):
        for row in rows(name, queries):
            text = (f"{one:,.2f}" if isinstance(one, float) else str(one) for one in row)
            print(" | ".join(text), flush=True)


if __name__ == "__main__":
    typer.run(main)
