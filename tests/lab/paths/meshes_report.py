"""Triangulations measured, a part of the page of `make paths-report`.

    python -m tests.lab.paths.meshes_report [--output build/meshes-report.html] [--queries 40]

writes it as a page of its own. The maps are those of Moving AI beside the project. PATHS_PYTHON may
name a Python with `triangle`.
"""

import statistics
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from shared.path.astar import N_BITS, SEARCH, new_search
from shared.path.grid import cell_at, new_grid
from tests.conftest import PROJECT
from tests.lab.measure import spread
from tests.lab.paths import mesh_laws
from tests.lab.paths.grids import MAPS, NAMES, Way, kernels
from tests.lab.paths.meshes import (
    CELL,
    CHANGE_HEAD,
    DISC,
    HEAD,
    change_row,
    contest_maps,
    measured,
    on_mesh,
    outline,
    query_rows,
    rival_ms,
    scenario,
)
from tests.lab.report_page import STYLE, table_html
from tests.paths.maps import read_map

N_QUERIES = 40


def on_grid(name, queries):
    """(cells that A* has reached, us in a kernel) of each query on the grid."""
    grid = new_grid(read_map(MAPS / "maps" / f"{name}.map"))
    search = new_search(grid)
    way, reached, us = Way(kernels()[0], (grid, search)), [], []
    for one in queries:
        ends = cell_at(grid, *one.start), cell_at(grid, *one.goal)
        way.ask(*ends)
        stamps = np.asarray(search.records[::2]) >> N_BITS + 3
        reached.append(int((stamps == search.counts[SEARCH]).sum()))
        us.append(way.us_inside([ends]))
    return reached, us


def map_section(name, n_queries):
    """(HTML of the times of searches on a map's outline, a row of its sizes)."""
    rings, cells = outline(name)
    queries = scenario(name, n_queries)
    asked = on_mesh(queries, 0) + on_mesh(queries, DISC)
    found = measured([(rings, asked, 10)])[0]
    reached, us = on_grid(name, queries)
    high = sorted(us)[int(0.9 * (len(us) - 1))]
    grid_row = [f"{statistics.median(reached):,.0f} cells", f"{statistics.median(us):,.1f}"]
    rows = [["octile A*, grid", *grid_row, f"{high:,.1f}"], *query_rows(found)]
    corners, degrees = sum(map(len, rings)), found["degrees of triangles"]
    free = corners + 2 * (len(rings) - 1) - 2
    sizes = [len(cells), corners, len(rings) - 1, free, degrees[3], 2 * (len(rings) - 2)]
    html = f"<h3>{name}</h3>{table_html(HEAD, rows)}"
    return html, [name, *(f"{size:,}" for size in sizes), f"{len(cells) / free:.1f}"]


RIVAL_HEAD = ["map", "corners", "ours", "triangle", "ours / triangle"]


def rival_table(names):
    """Our triangulation beside the C library's, as HTML; where that is missing, ours, and why."""
    rows, missing = [], ""
    for name in names:
        rings = outline(name)[0]
        ours, theirs = rival_ms(rings)
        cells = []
        if isinstance(theirs, str):
            missing = f"<p>triangle: {theirs}.</p>"
        else:
            ratio = statistics.median(ours) / statistics.median(theirs)
            cells = [spread(theirs, digits=2), f"{ratio:.2f}"]
        rows.append([name, f"{sum(map(len, rings)):,}", spread(ours, digits=2), *cells])
    return missing + table_html(RIVAL_HEAD[: len(rows[0])], rows)


def section(n_queries=N_QUERIES):
    """All of it, as HTML."""
    parts, sizes = zip(*(map_section(name, n_queries) for name in NAMES))
    size_head = ["map", "free cells", "corners", "holes", "free triangles", "forks"]
    size_head += ["2 (holes - 1)", "cells / triangles"]
    changes = [
        change_row("Wayfinder", contest_maps()),
        change_row("Wayfinder, large", contest_maps(True, 3)),
        *(change_row(name, [(outline(name)[0], [])], 40) for name in NAMES),
    ]
    return "".join(
        (
            "<h1>Paths in triangulations</h1><p>CPU time from a native bundle, calls from Python"
            " (0.6 us each)"
            " included. The outline of a map is its largest part, after cells were blocked until"
            " no two blocked regions"
            f" touch at a corner only; a cell is {CELL} units wide. A TRA* node is a fork or an"
            " entrance to a corridor.</p>"
            "<h2>Triangles against cells</h2>",
            table_html(size_head, sizes),
            f"<h2>Searches on outlines</h2><p>{n_queries} queries of each scenario, stratified by"
            " length, for points and for"
            f" discs of radius {DISC}, each asked three times. A node is an edge with a funnel, or"
            " an interval; of A*, whose"
            " paths are longer, as they keep to eight directions, a cell that it reached, and its"
            " time is that in a"
            " kernel.</p>",
            *parts,
            "<h2>The graph that TRA* searches</h2><p>Its forks are two fewer than twice the"
            " obstacles, whatever corners"
            " these have; all other free triangles belong to corridors and dead ends.</p>",
            table_html(*mesh_laws.reduced_graph()),
            "<h2>Where a point lies</h2><p>Points at random: triangles walked through, and us in a"
            " kernel. The notes:"
            " the cube root of the number of points, where the walk begins at the nearest of so"
            " many vertices drawn by"
            " lot; its square root where it begins anywhere. A grid of buckets knows a vertex near"
            " by for most places; where a"
            " bucket is empty, as one in three to seven is here, the walk begins at the vertex"
            " that was inserted last. The tree decides by"
            " vertices and edges, without a walk.</p>",
            table_html(*mesh_laws.location()),
            "<p>The same among points in ten heaps, where many vertices share a bucket. A tree has"
            " to be built anew after each change.</p>",
            table_html(*mesh_laws.location(is_clustered=True)),
            "<h2>Obstacles that come and go</h2><p>A polygon inserted or removed, against the"
            " whole triangulation made anew,"
            " and the degrees that TRA* needs after any change. Medians, the least and the greatest"
            " in brackets.</p>",
            table_html(CHANGE_HEAD, changes),
            "<h2>Beside the C library</h2><p>Constrained Delaunay triangulations of outlines, ms,"
            " in turns with J. R."
            " Shewchuk's <code>triangle</code>, called from Python.</p>",
            rival_table(("arena", *NAMES)),
        )
    )


def main(
    output: Annotated[Path, typer.Option("--output", "-o", help="The page to write.")] = (
        PROJECT / "build" / "meshes-report.html"
    ),
    queries: Annotated[int, typer.Option(min=2, help="Queries of each map.")] = N_QUERIES,
):
    """Measure triangulations and write the page."""
    if not MAPS.is_dir():
        raise SystemExit(f"{MAPS} is missing: the maps of Moving AI have to lie there")
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(
        "<!doctype html><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        f"<title>Paths in triangulations</title><style>{STYLE} table"
        f" {{ display: block; overflow-x: auto }}</style>"
        f"{section(queries)}\n"
    )
    print(output)


if __name__ == "__main__":
    typer.run(main)
