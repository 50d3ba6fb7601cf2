"""Paths on one map by our searches and by other programs, in one table: median CPU microseconds of
a query, and the mean length of the paths.

    PATHS_PYTHON=VENV/bin/python python -m tests.lab.paths.rivals [--queries 40] [--name arena]

Takes the maps of Moving AI beside the project. PATHS_PYTHON names a Python with tcod, networkx,
scipy and triangle; a row says where one is missing.
"""

import os
import statistics
from typing import Annotated

import typer

from tests.lab.paths.grids import MAPS, Map
from tests.lab.paths.meshes import measured, on_mesh, outline, rival_ms, scenario

HEAD = ("search", "paths", "median us", "mean length")


def grid_rows(name, n_queries):
    """Rows of octile paths on the grid."""
    board = Map(name, n_queries)
    found = {key: one for key, one in board.measure().items() if key in ("A*", "JPS", "JPS+")}
    if rival := board.rival():
        found["a plain A* in C++"] = rival
    rows = [
        (key, "octile", statistics.median(one.us), statistics.mean(one.lengths))
        for key, one in found.items()
    ]
    packages = board.packages()
    for package in ("tcod", "scipy", "networkx"):
        if package in packages:
            us, lengths = packages[package]
            rows.append((package, "octile", statistics.median(us), statistics.mean(lengths)))
        else:
            rows.append((package, "not installed: see PATHS_PYTHON", "", ""))
    return rows


def mesh_rows(name, n_queries):
    """Rows of straight paths among the outlines, and of their triangulation."""
    rings = outline(name)[0]
    found = measured([(rings, on_mesh(scenario(name, n_queries), 0), 0)])[0]
    rows = [
        (search, "straight", statistics.median(found[f"{search}, point, proof"]), "")
        for search in ("Polyanya", "TRA*", "TA*")
    ]
    ours, theirs = rival_ms(rings)
    rows.append(("triangulation", "", 1e3 * statistics.median(ours), ""))
    if isinstance(theirs, str):
        rows.append(("triangle", theirs, "", ""))
    else:
        rows.append(("triangle", "", 1e3 * statistics.median(theirs), ""))
    return rows


def main(
    queries: Annotated[int, typer.Option(min=2)] = 40,
    name: Annotated[str, typer.Option()] = "arena",
):
    """Measure and print."""
    if not MAPS.is_dir():
        raise SystemExit(f"{MAPS} is missing: the maps of Moving AI have to lie there")
    print(f"{name}, {queries} queries, CPU time; packages by {os.environ.get('PATHS_PYTHON')}")
    for rows in (lambda *_: [HEAD], grid_rows, mesh_rows):
        for row in rows(name, queries):
            text = (f"{one:,.2f}" if isinstance(one, float) else str(one) for one in row)
            print(" | ".join(text), flush=True)


if __name__ == "__main__":
    typer.run(main)
