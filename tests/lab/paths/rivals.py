"""`make paths-report`: paths on one map by our searches and by other programs, in one table: mean
CPU microseconds of a query, each the least of several rounds among other queries, the mean length
of the paths in cells, and milliseconds to prepare the map. Rows without a length are
triangulations.

    PATHS_PYTHON=VENV/bin/python python -m tests.lab.paths.rivals [--queries 40] [--name arena]

Takes the maps of Moving AI beside the project, or in PATHS_MAPS. PATHS_PYTHON names a Python with
tcod, networkx, scipy, triangle and CGAL; a row says where one is missing. PATHS_GRID_PROGRAMS and
PATHS_MESH_PROGRAMS name more programs, as `NAME=FILE,NAME=FILE`. Such a program takes the number of
rounds as its argument, reads a map and queries, and prints a line for each query: length, least CPU
microseconds. A grid is written by `grid_text`, a mesh by `mesh_text`.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import Annotated

import numba
import numpy as np
import typer

from shared.core.jit import kernel
from shared.games.wayfinder.outlines import largest_part, outlines, without_pinches
from shared.mesh import decomposition, midpoints, polyanya, tangent_graph, visibility_graph
from shared.mesh.constraints import insert_chain
from shared.mesh.funnel import BEST, new_funnel_search
from shared.mesh.geometry import NONE
from shared.mesh.location import locate
from shared.mesh.reduction import find_degrees, new_reduction
from shared.mesh.ta_star import begin_search, continue_search
from shared.mesh.triangulation import around, clear_mesh, is_ghost
from shared.mesh.walls import new_walls
from shared.path import astar, hpa, jps, pra
from shared.path.grid import cell_at, length, new_grid
from tests.conftest import PROJECT
from tests.lab.measure import built, show
from tests.paths.maps import read_map, read_scenario, stratified
from tests.paths.on_meshes import mesh_of

MAPS = Path(os.environ.get("PATHS_MAPS", PROJECT.parent / "shared" / "maps" / "movingai"))
HEAD = ("search", "paths", "us", "mean length", "prepared, ms")
ROUNDS, TIMED_US = 5, 200
IN_TURN = 10  # queries of similar length, asked in turn: this defeats branch prediction
SECTOR_SIDE = 16
CELL = 16  # mesh units of a grid cell's width
N_NODES = 1 << 17
POINT = 1e-4  # the radius of a disc that is nearly a point
MOST_CORNERS = 500  # for methods whose preparation grows by the square of the corners
compiled = numba.njit(error_model="numpy")
inlined = numba.njit(error_model="numpy", inline="always")  # passing the buffers takes a us
find_astar, find_jps = kernel(astar.make_astar()), kernel(jps.make_jps())
find_jps_plus = kernel(jps.make_jps_plus())


@inlined
def by_astar(kept, q):
    return find_astar(kept[0], kept[1], q[0], q[1])


@inlined
def by_jps(kept, q):
    return find_jps(kept[0], kept[1], kept[2], q[0], q[1])


@inlined
def by_jps_plus(kept, q):
    return find_jps_plus(kept[0], kept[1], kept[2], q[0], q[1])


@inlined
def by_hpa(kept, q):
    return hpa.find(kept[0], kept[1], kept[2], kept[3], q[0], q[1], hpa.ALL_SECTORS, True)


@inlined
def by_pra(kept, q):
    return pra.find(kept[0], kept[1], kept[2], kept[3], q[0], q[1], 0, pra.LEVELS)


@inlined
def by_polyanya(kept, q):
    return polyanya.find(kept[0], kept[1], kept[2], q[0], q[1], q[2], q[3])


@inlined
def by_triangles(kept, q):
    """TRA*, or TA* if kept[4] is False."""
    mesh, reduction, search, heap, is_reduced = kept
    begin_search(mesh, reduction, search, heap, q[0], q[1], q[2], q[3], 0.0, is_reduced)
    continue_search(mesh, reduction, search, heap, 1 << 40)
    return search.place[BEST]


@inlined
def ends_of(q):
    return float(q[0]), float(q[1]), float(q[2]), float(q[3])


@inlined
def by_tangents(kept, q):
    walls, bends, graph, route, queue = kept
    return tangent_graph.find(walls, bends, graph, route, queue, POINT, *ends_of(q))


@inlined
def by_sight(kept, q):
    return visibility_graph.find(kept[0], kept[1], kept[2], *ends_of(q))


@inlined
def by_pieces(kept, q):
    return decomposition.find(kept[0], kept[1], kept[2], kept[3], POINT, *ends_of(q))


@inlined
def by_midpoints(kept, q):
    return midpoints.find(kept[0], kept[1], kept[2], kept[3], POINT, q[0], q[1], q[2], q[3])


@cache
def make_ask(find):
    """Returns a kernel that asks queries in turn, n times, and returns the sum of the answers, so
    that no call is optimised away.
    """

    @compiled
    def ask(kept, queries, n):
        total = 0.0
        for _ in range(n):
            for i in range(len(queries)):
                total += find(kept, queries[i])
        return total

    return ask


def mean_us(find, kept, queries):
    """The mean of the least CPU us of each query, asked within a kernel."""
    ask, total = make_ask(find), 0.0
    ask(kept, queries[:1], 1)  # compiled
    for i in range(0, len(queries), IN_TURN):
        group, least, n = queries[i : i + IN_TURN], float("inf"), 1
        for _ in range(ROUNDS):
            began = time.process_time_ns()
            ask(kept, group, n)
            us = (time.process_time_ns() - began) / 1e3 / n
            least, n = min(least, us), max(1, int(TIMED_US / us))
        total += least
    return total / len(queries)


def prepared(make):
    """(the result of `make`, CPU ms of its second call: the first compiles)."""
    make()
    began = time.process_time_ns()
    made = make()
    return made, (time.process_time_ns() - began) / 1e6


def own_rows(kind, methods, queries, length_of):
    """A row for each of {name: (find, kept, ms to prepare it)}."""
    for name, (find, kept, ms) in methods.items():
        us = mean_us(find, kept, queries)
        lengths = [length_of(find(kept, query)) for query in queries]
        yield name, kind, us, statistics.mean(lengths), ms or ""


def programs(kind):
    """Returns {name: path} of the programs for grids or meshes, as the environment names them."""
    named = os.environ.get(f"PATHS_{kind}_PROGRAMS", "")
    return dict(pair.split("=", 1) for pair in named.split(",") if pair)


def asked(command, text):
    """(mean us, mean length) of the queries, as another program prints them for an input."""
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, check=True)
    pairs = [tuple(map(float, line.split())) for line in done.stdout.splitlines()]
    return statistics.mean(us for _, us in pairs), statistics.mean(long for long, _ in pairs)


def package_row(package, kind, text):
    """The row of a package, run by the Python that has it: this one or that of PATHS_PYTHON."""
    for python in filter(None, (os.environ.get("PATHS_PYTHON"), sys.executable)):
        has = [python, "-c", f"import {package}"]
        if not subprocess.run(has, stderr=subprocess.DEVNULL).returncode:
            command = [python, str(Path(__file__).with_name("packages.py")), package, str(ROUNDS)]
            return package, kind, *asked(command, text), ""
    return package, "not installed: see PATHS_PYTHON", "", "", ""


def grid_text(rows, queries):
    """Returns a grid and queries: WIDTH HEIGHT ROWS... N (X Y X Y)..."""
    words = [f"{len(rows[0])} {len(rows)}"]
    words += ["".join(".@"[not free] for free in row) for row in rows]
    words += [str(len(queries)), *(" ".join(map(str, q.start + q.goal)) for q in queries)]
    return "\n".join(words)


def grid_rows(name, n_queries):
    """Rows of octile paths on the grid."""
    rows = read_map(MAPS / "maps" / f"{name}.map")
    queries = stratified(read_scenario(MAPS / "scen" / f"{name}.map.scen"), n_queries)
    grid = new_grid(rows)
    jumps, bits = jps.new_jumps(grid), jps.new_bits(grid)
    table, table_ms = prepared(lambda: jps.new_table(grid))
    sectors, sectors_ms = prepared(lambda: hpa.new_sectors(grid, SECTOR_SIDE))
    levels, levels_ms = prepared(lambda: pra.new_cliques(grid))
    methods = {
        "A*": (by_astar, (grid, astar.new_search(grid)), 0),
        "JPS": (by_jps, (grid, bits, jumps), 0),
        "JPS+": (by_jps_plus, (grid, table, jumps), table_ms),
        "HPA*": (by_hpa, (grid, sectors, *hpa.new_route(grid, sectors)), sectors_ms),
        "PRA*": (by_pra, (grid, levels, *pra.new_corridor(levels)), levels_ms),
    }
    ends = np.array([(cell_at(grid, *q.start), cell_at(grid, *q.goal)) for q in queries])
    yield from own_rows("octile", methods, ends, length)
    text = grid_text(rows, queries)
    with built(Path(__file__).with_name("astar.cpp")) as program:
        if program:
            numbers = map(str, (ROUNDS, TIMED_US, IN_TURN))
            yield "a plain A* in C++", "octile", *asked([program, *numbers], text), ""
    for rival, program in programs("GRID").items():
        yield rival, "octile", *asked([program, str(ROUNDS)], text), ""
    for package in ("tcod", "scipy", "networkx"):
        yield package_row(package, "octile", text)


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


@compiled
def insert_rings(mesh, xs, ys, ends):
    clear_mesh(mesh)
    begin = 0
    for end in ends:
        insert_chain(mesh, xs[begin:end], ys[begin:end], end - begin, True)
        begin = end


def triangulated(rings):
    """(the triangulation of polygons, least CPU ms to make it)."""
    mesh, ends = mesh_of(rings), np.cumsum([len(ring) for ring in rings])
    xs, ys = (np.array([place[k] for ring in rings for place in ring]) for k in (0, 1))
    return mesh, min(prepared(lambda: insert_rings(mesh, xs, ys, ends))[1] for _ in range(ROUNDS))


def mesh_methods(rings):
    """The searches of `shared/mesh` for a point among polygons."""
    mesh, triangulated_ms = triangulated(rings)
    reduction, walls = new_reduction(mesh), new_walls(rings)
    find_degrees(mesh, reduction)
    kept = mesh, reduction, *new_funnel_search(mesh, N_NODES)
    methods = {
        "Polyanya": (by_polyanya, (mesh, *polyanya.new_polyanya(mesh, N_NODES)), triangulated_ms),
        "TRA*": (by_triangles, (*kept, True), triangulated_ms),
        "TA*": (by_triangles, (*kept, False), triangulated_ms),
    }
    n = len(walls.x)
    if n > MOST_CORNERS:
        return methods
    bends, graph, *rest = tangent_graph.new_tangents(n, 60 * n)
    _, ms = prepared(lambda: tangent_graph.build(walls, bends, graph, POINT))
    methods["tangent graph"] = by_tangents, (walls, bends, graph, *rest), ms
    sights, queue = visibility_graph.new_visibility(n, n * n)
    _, ms = prepared(lambda: visibility_graph.build(walls, sights))
    methods["visibility graph"] = by_sight, (walls, sights, queue), ms
    pieces, ways, queue = decomposition.new_pieces(n)
    _, ms = prepared(lambda: decomposition.decompose(walls, pieces))
    methods["convex pieces"] = by_pieces, (walls, pieces, ways, queue), ms
    kept = (mesh, walls, *midpoints.new_midpoints(mesh))
    methods["midpoints of edges"] = by_midpoints, kept, triangulated_ms
    return methods


def mesh_rows(name, n_queries):
    """Rows of straight paths among the outlines of a map, and of their triangulation."""
    rows = read_map(MAPS / "maps" / f"{name}.map")
    free = {(x, y) for y, row in enumerate(rows) for x, is_free in enumerate(row) if is_free}
    rings, cells = outlines(free, CELL), largest_part(without_pinches(free))
    queries = read_scenario(MAPS / "scen" / f"{name}.map.scen")
    inside = [q for q in queries if {q.start, q.goal} <= cells and q.start != q.goal]
    # From the middle of a cell to that of another one
    ends = np.array([q.start + q.goal for q in stratified(inside, n_queries)]) * CELL + CELL // 2
    yield from own_rows("straight", mesh_methods(rings), ends, lambda long: long / CELL)
    for rival, program in programs("MESH").items():
        us, long = asked([program, str(ROUNDS)], mesh_text(rings, ends.tolist()))
        yield rival, "straight", us, long / CELL, ""
    yield "triangulation", "", 1e3 * triangulated(rings)[1], "", ""
    for package in ("triangle", "CGAL"):
        name, kind, us, *_ = package_row(package, "", json.dumps(rings))
        yield name, kind, us, "", ""


def main(
    queries: Annotated[int, typer.Option(min=2)] = 40,
    name: Annotated[str, typer.Option()] = "arena",
):
    """Measure and print."""
    if not MAPS.is_dir():
        raise SystemExit(f"{MAPS} is missing: the maps of Moving AI have to lie there")
    rows = [*grid_rows(name, queries), *mesh_rows(name, queries)]
    texts = [[f"{cell:,.2f}" if isinstance(cell, float) else cell for cell in row] for row in rows]
    show(f"{name}, {queries} queries, load {os.getloadavg()[0]:.1f}", HEAD, texts)


if __name__ == "__main__":
    typer.run(main)
