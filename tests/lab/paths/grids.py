"""Speed of `shared/path` on the maps of Moving AI that may lie beside the project, against a plain
A* in C++, and tcod, scipy and networkx where they are installed.

Queries are stratified by length; the figures are medians. A search is timed within a kernel, which
repeats each query for TIMED_US, and from Python, where a call costs some 2.5 us more. For every
program the lowest CPU time of ROUNDS rounds is used. `in_turn` alternates several queries instead,
which defeats the processor's branch prediction.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Callable, NamedTuple

import numba
import numpy as np

from shared.core.jit import kernel
from shared.path import astar, components, hpa, jps, pra
from shared.path.astar import new_search
from shared.path.grid import cell_at, length, new_grid, set_free
from shared.path.jps import new_jumps
from tests.conftest import PROJECT
from tests.lab.measure import build_port
from tests.paths.maps import read_map, read_scenario, stratified

MAPS = Path(os.environ.get("PATHS_MAPS", PROJECT.parent / "shared" / "maps" / "movingai"))
NAMES = ("AR0602SR", "16room_000", "random512-35-0")
N_QUERIES = 100
ROUNDS = 5
TIMED_US = 200
# Queries of similar length, asked in turn
IN_TURN = 10
SECTOR_SIDE = 16
# Nodes of a partial path of PRA*
FIRST_STEPS = 5


@cache
def kernels():
    """The compiled searches for a purpose."""
    return (
        kernel(astar.make_astar()),
        kernel(jps.make_jps()),
        kernel(jps.make_jps_plus()),
    )


@numba.njit(error_model="numpy")
def ask_often(find, before, after, starts, goals, n):
    """Ask queries in turn, this many times; returns the sum of the costs, so that no call is
    optimised away.
    """
    total = 0
    for _ in range(n):
        for i in range(len(starts)):
            total += find(*(before + (starts[i], goals[i]) + after))  # noqa: RUF005 (numba)
    return total


class Way(NamedTuple):
    """A search: find(*before, start, goal, *after) is a cost."""

    find: Callable
    before: tuple
    after: tuple = ()

    def ask(self, start, goal):
        return self.find(*self.before, start, goal, *self.after)

    def us_inside(self, ends):
        """CPU us of a query, when a kernel alternates several."""
        starts, goals = np.array(ends).T.copy()
        found, n = float("inf"), 1
        for _ in range(ROUNDS):
            began = time.process_time_ns()
            ask_often(self.find, self.before, self.after, starts, goals, n)
            us = (time.process_time_ns() - began) / 1e3 / n
            found = min(found, us)
            n = max(1, int(TIMED_US / us))
        return found / len(ends)

    def us_outside(self, start, goal):
        """CPU us of a query from Python."""
        found = float("inf")
        for _ in range(ROUNDS):
            began = time.process_time_ns()
            self.ask(start, goal)
            found = min(found, (time.process_time_ns() - began) / 1e3)
        return found


class Measured(NamedTuple):
    """CPU us of each query in a kernel, of each alternated with others, of each from Python (empty
    for other programs); lengths.
    """

    us: list
    us_in_turn: list
    us_outside: list
    lengths: list


def groups_of(values):
    """Lists of IN_TURN values and the rest."""
    return [values[i : i + IN_TURN] for i in range(0, len(values), IN_TURN)]


def answers(command, text):
    """([least CPU us], [length]) of each query, as a program prints them for an input."""
    out = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, check=True).stdout
    pairs = [tuple(map(float, line.split())) for line in out.splitlines()]
    return [us for _, us in pairs], [found for found, _ in pairs]


class Map:
    """A map with its queries, and every search on it by its name, a `Way`."""

    def __init__(self, name, n_queries=N_QUERIES):
        self.name = name
        self.rows = read_map(MAPS / "maps" / f"{name}.map")
        self.grid = grid = new_grid(self.rows)
        self.queries = stratified(read_scenario(MAPS / "scen" / f"{name}.map.scen"), n_queries)
        self.ends = [(cell_at(grid, *q.start), cell_at(grid, *q.goal)) for q in self.queries]
        find, jump, jump_far = kernels()
        search, jumps, bits = new_search(grid), new_jumps(grid), jps.new_bits(grid)
        self.preparation_ms = {}
        table = self.prepare("JPS+", lambda: jps.new_table(grid))
        self.sectors = around = self.prepare("HPA*", lambda: hpa.new_sectors(grid, SECTOR_SIDE))
        levels = self.prepare("PRA*", lambda: pra.new_cliques(grid))
        self.components = self.prepare("components", lambda: components.new_components(grid))
        route, gates = hpa.new_route(grid, around)
        corridor, nodes = pra.new_corridor(levels)

        def hpa_find(n_sectors, smooths):
            return Way(hpa.find, (grid, around, route, gates), (n_sectors, smooths))

        def pra_find(n_steps, top=pra.LEVELS):
            return Way(pra.find, (grid, levels, corridor, nodes), (n_steps, top))

        self.searches = {
            "A*": Way(find, (grid, search)),
            "JPS": Way(jump, (grid, bits, jumps)),
            "JPS+": Way(jump_far, (grid, table, jumps)),
            "HPA*, route alone": hpa_find(0, False),
            "HPA*, first sector": hpa_find(1, False),
            "HPA*": hpa_find(hpa.ALL_SECTORS, False),
            "HPA*, smoothed": hpa_find(hpa.ALL_SECTORS, True),
            f"PRA*, first {FIRST_STEPS}": pra_find(FIRST_STEPS),
            "PRA*": pra_find(0),
            "PRA*, from level 2": pra_find(0, 2),
            "PRA*, from level 1": pra_find(0, 1),
        }

    def prepare(self, name, make):
        """Returns the result of `make`, and keeps the time of its second call: the first
        compiles.
        """
        make()
        began = time.process_time()
        made = make()
        self.preparation_ms[name] = (time.process_time() - began) * 1e3
        return made

    def measure(self):
        """{search: Measured}."""
        found = {}
        for name, way in self.searches.items():
            way.us_inside(self.ends[:1])  # compiled
            found[name] = Measured(
                [way.us_inside([ends]) for ends in self.ends],
                [us for ends in groups_of(self.ends) for us in [way.us_inside(ends)] * len(ends)],
                [way.us_outside(*ends) for ends in self.ends],
                [length(way.ask(*ends)) for ends in self.ends],
            )
        return found

    def rival(self):
        """Each query by the A* in C++, as Measured; None without a compiler."""
        with tempfile.TemporaryDirectory() as folder:
            program = build_port(Path(__file__).with_suffix(".cpp"), folder)
            if not program:
                return None
            settings = str(ROUNDS), str(TIMED_US)
            us, lengths = self.ask([program, *settings, "1"])
            return Measured(us, self.ask([program, *settings, str(IN_TURN)])[0], [], lengths)

    def ask(self, command):
        """([least CPU us], [length]) of each query by a program that reads a map and queries."""
        words = [f"{len(self.rows[0])} {len(self.rows)}"]
        words += ["".join(".@"[not free] for free in row) for row in self.rows]
        words.append(str(len(self.queries)))
        words += [f"{x} {y} {u} {v}" for (x, y), (u, v), _, _ in self.queries]
        return answers(command, "\n".join(words))

    def packages(self, rounds=1):
        """{package: ([least CPU us], [length])} by tcod, scipy and networkx, those that are
        installed: here, or for the Python that PATHS_PYTHON names.
        """
        found = {}
        for package in ("tcod", "scipy", "networkx"):
            for python in (os.environ.get("PATHS_PYTHON"), sys.executable):
                has = (
                    python
                    and not subprocess.run(
                        [python, "-c", f"import {package}"], stderr=subprocess.DEVNULL
                    ).returncode
                )
                if has:
                    program = str(Path(__file__).with_name("grid_rivals.py"))
                    found[package] = self.ask([python, program, package, str(rounds)])
                    break
        return found

    def change_us(self, n=500):
        """{what: [CPU us]} of blocking and freeing cells."""
        free = [cell for cell in range(len(self.grid.moves)) if self.grid.moves[cell]]
        for compiled, state in (
            (components.change, self.components),
            (hpa.change, self.sectors),
        ):
            compiled(self.grid, state, free[0], True)
        found = {"components": [], "sectors": []}
        for cell in free[:: max(1, len(free) // n)]:
            for is_free in (False, True):
                for name, change, state in (
                    ("components", components.change, self.components),
                    ("sectors", hpa.change, self.sectors),
                ):
                    began = time.process_time_ns()
                    change(self.grid, state, cell, is_free)
                    found[name].append((time.process_time_ns() - began) / 1e3)
                    # Each finds the cell as it was.
                    if name == "components":
                        set_free(self.grid, cell, not is_free)
        return found


def search_speed():
    """A table for `make bench`: medians, and how many times faster than A*."""
    columns = [
        "map",
        "C++ A*",
        "A*",
        "ratio",
        "JPS",
        "A* / JPS",
        "JPS+",
        "JPS / JPS+",
        "HPA*",
        "PRA*",
    ]
    rows = []
    for name in NAMES if MAPS.is_dir() else ():
        board = Map(name)
        rival = board.rival()
        found = board.measure()
        middle = {key: statistics.median(one.us) for key, one in found.items()}
        outside = statistics.median(found["JPS+"].us_outside)
        theirs = statistics.median(rival.us) if rival else float("nan")
        rows.append(
            [
                name,
                f"{theirs:.0f} us",
                f"{middle['A*']:.0f} us",
                f"{middle['A*'] / theirs:.2f}",
                f"{middle['JPS']:.1f} us",
                f"{middle['A*'] / middle['JPS']:.1f}",
                f"{middle['JPS+']:.1f} us ({outside:.1f} us from Python)",
                f"{middle['JPS'] / middle['JPS+']:.1f}",
                f"{middle['HPA*']:.0f} us",
                f"{middle['PRA*']:.0f} us",
            ]
        )
    title = (
        "Paths on maps of Moving AI: median CPU time in a kernel of"
        f" {N_QUERIES} queries, stratified by length"
    )
    return title, columns, rows
