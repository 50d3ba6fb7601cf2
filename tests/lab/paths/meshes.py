"""Searches on triangulations, as a bot runs them: measured on maps of Wayfinder and on outlines of
maps of Moving AI, by `mesh_times.py` bundled as machine code.

    python -m tests.lab.paths.meshes

prints what TRA*, TA* and Polyanya take on maps of Wayfinder. PATHS_PYTHON may name a Python with
`triangle`.
"""

import json
import os
import statistics
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random

import numpy as np

from shared.games.wayfinder.clearance import are_free, distances, ends_of
from shared.games.wayfinder.maps import KINDS, new_map
from shared.games.wayfinder.outlines import largest_part, outlines, without_pinches
from tests.conftest import PROJECT
from tests.lab.measure import spread
from tests.lab.paths.grids import MAPS
from tests.paths.maps import read_map, read_scenario, stratified

CELL = 16  # mesh units of a grid cell's width
DISC = 6  # the radius of a disc on outlines: less than half a cell
RADII = (20, 100, 300)  # on maps of Wayfinder
N_WORLDS, N_QUERIES, ROUNDS = 10, 20, 3
HEAD = ("search", "nodes", "median us", "90th percentile")


@cache
def program():
    """The program that measures, as machine code."""
    file = PROJECT / "build" / "mesh_times.py"
    file.parent.mkdir(exist_ok=True)
    source = str(Path(__file__).with_name("mesh_times.py"))
    command = [sys.executable, "-m", "bundler", source, "-o", str(file), "--pack", "--no-check"]
    subprocess.run(command, cwd=PROJECT, check=True, stdout=subprocess.DEVNULL)
    return file


def measured(worlds):
    """Returns the program's output for worlds (rings, queries, number of changes)."""
    lines = [
        json.dumps({"rings": rings, "queries": queries, "changes": n_changes})
        for rings, queries, n_changes in worlds
    ]
    done = subprocess.run(
        [sys.executable, str(program())],
        input="\n".join(lines),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def queries_on(rings, rng, radii, n):
    """Places with room for discs of the radii, and for points."""
    xs, ys = [x for x, _ in rings[0]], [y for _, y in rings[0]]
    places = [(rng.randint(min(xs), max(xs)), rng.randint(min(ys), max(ys))) for _ in range(20 * n)]
    array, ends = np.array(places, float), ends_of(rings)
    room = np.where(are_free(array, *ends), distances(array, *ends).min(1), 0.0)
    queries = []
    for i in range(n):
        r = radii[i % len(radii)]
        wide = [place for place, far in zip(places, room) if far >= r + 1]
        if len(wide) > 1:
            start, goal = rng.sample(wide, 2)
            queries += [(*start, *goal, r), (*start, *goal, 0)]
    return queries


@cache
def contest_maps(is_large=False, n=N_WORLDS):
    """(rings, queries) of maps of Wayfinder, each kind in turn."""
    found = []
    for seed in range(n):
        rng = Random(f"meshes {seed}")
        rings = new_map(KINDS[seed % len(KINDS)], rng, is_large)
        found.append((rings, queries_on(rings, rng, RADII, N_QUERIES)))
    return found


@cache
def outline(name):
    """(rings, free cells) of a map of Moving AI."""
    rows = read_map(MAPS / "maps" / f"{name}.map")
    free = {(x, y) for y, row in enumerate(rows) for x, is_free in enumerate(row) if is_free}
    return outlines(free, CELL), largest_part(without_pinches(free))


def scenario(name, n):
    """So many queries of a scenario, stratified by length, that begin and end on the outlined
    part.
    """
    cells = outline(name)[1]
    queries = read_scenario(MAPS / "scen" / f"{name}.map.scen")
    inside = [one for one in queries if {one.start, one.goal} <= cells and one.start != one.goal]
    return stratified(inside, n)


def on_mesh(queries, radius):
    """Queries of a scenario between the middles of cells."""
    half = CELL // 2
    return [[*(CELL * at + half for at in (*one.start, *one.goal)), radius] for one in queries]


def merged(answers):
    """Lists of several worlds as one of each name."""
    found = {}
    for answer in answers:
        for name, values in answer.items():
            found.setdefault(name, []).extend(values if isinstance(values, list) else [values])
    return found


def query_rows(found, kinds=("disc", "point")):
    """Rows of HEAD."""
    names = [
        f"{search}, {kind}, {what}"
        for kind in kinds
        for search in ("TRA*", "TA*")
        for what in ("begin", "first path", "1%", "proof")
    ]
    rows = []
    for name in [*names, "Polyanya, point, proof"]:
        times, nodes = sorted(found.get(name, ())), found.get(f"nodes {name}")
        if times:
            middle = f"{statistics.median(nodes):,.0f}" if nodes else ""
            high = times[int(0.9 * (len(times) - 1))]
            n_full = len(found.get(f"full {name.rpartition(', ')[0]}", ()))
            label = f"{name} ({n_full} left out: too many nodes)" if n_full else name
            rows.append([label, middle, f"{statistics.median(times):,.1f}", f"{high:,.1f}"])
    return rows


def rival_ms(rings, package="triangle"):
    """(ours, those of `triangle` or CGAL) CPU times in ms of a triangulation, in turns; a text
    with the reason instead of the latter where the package is missing.
    """
    python = os.environ.get("PATHS_PYTHON", sys.executable)
    missing = subprocess.run([python, "-c", f"import {package}"], stderr=subprocess.DEVNULL)
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours += measured([(rings, [], 0)])[0]["triangulate"]
        if missing.returncode == 0:
            source = str(Path(__file__).with_name("mesh_rivals.py"))
            command = [python, source, package, str(ROUNDS)]
            done = subprocess.run(
                command, input=json.dumps(rings), stdout=subprocess.PIPE, text=True, check=True
            )
            theirs += json.loads(done.stdout)["triangulate"]
    reason = "not installed: PATHS_PYTHON may name a Python that has it"
    return [us / 1e3 for us in ours], [us / 1e3 for us in theirs] or reason


def change_row(name, worlds, n_changes=20):
    """A row: changed triangulations against triangulations made anew."""
    found = merged(measured([(rings, [], n_changes) for rings, _ in worlds]))
    corners = [sum(map(len, rings)) for rings, _ in worlds]
    whole = statistics.median(found["triangulate"])
    cells = [spread(found[what], digits=1) for what in ("insert", "remove")]
    change = statistics.median(found["insert"] + found["remove"])
    degrees = spread(found["degrees"], digits=1)
    anew = spread(found["triangulate"], digits=0)
    return [name, spread(corners), *cells, anew, f"{whole / change:,.0f}", degrees]


CHANGE_HEAD = ("maps", "corners", "insert, us", "remove, us", "anew, us", "times", "degrees, us")


def search_speed():
    """(title, columns, rows) of a table for `make bench`."""
    worlds = contest_maps()
    found = merged(measured([(rings, queries, 0) for rings, queries in worlds]))
    title = f"Paths in triangulations, from a native bundle: {N_WORLDS} maps, {ROUNDS} rounds"
    return title, HEAD, query_rows(found)


def change_speed():
    """(title, columns, rows) of a table for `make bench`."""
    rows = [change_row("Wayfinder", contest_maps())]
    return "Obstacles that come and go in triangulations", CHANGE_HEAD, rows


def main():
    for title, columns, rows in (search_speed(), change_speed()):
        print(title, " | ".join(columns), *(" | ".join(row) for row in rows), sep="\n")


if __name__ == "__main__":
    main()
