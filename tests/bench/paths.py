"""Speed of `shared/path` on the maps of Moving AI that may lie beside the project, against a plain A* in
C++, and tcod and networkx where they are installed.

Every query is asked ROUNDS times in a row, by ours as by the others, and the least CPU time counts;
figures are medians over queries stratified by length.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

from shared.core.jit import kernel
from shared.path import astar, cliques, components, hpa, jps, jps_plus, pra, sectors
from shared.path.grid import cell_at, length, new_grid, set_free
from shared.path.records import new_search
from tests.bench.measure import build_port
from tests.conftest import PROJECT
from tests.paths.maps import read_map, read_scenario, stratified

MAPS = Path(os.environ.get("PATHS_MAPS", PROJECT.parent / "shared" / "maps" / "movingai"))
NAMES = ("AR0602SR", "16room_000", "random512-35-0")
N_QUERIES = 100
ROUNDS = 5
SECTOR_SIDE = 16
# Nodes of a partial path of PRA*
FIRST_STEPS = 5


@cache
def kernels():
    """The searches that are compiled for a purpose."""
    return (
        kernel(astar.make_astar()),
        kernel(jps.make_jps()),
        kernel(jps_plus.make_jps_plus()),
    )


class Map:
    """A map with its queries, and every search on it: name -> find(start, goal), which returns a cost."""

    def __init__(self, name, n_queries=N_QUERIES):
        self.name = name
        self.rows = read_map(MAPS / "maps" / f"{name}.map")
        self.grid = grid = new_grid(self.rows)
        self.queries = stratified(read_scenario(MAPS / "scen" / f"{name}.map.scen"), n_queries)
        self.ends = [(cell_at(grid, *q.start), cell_at(grid, *q.goal)) for q in self.queries]
        find, jump, jump_far = kernels()
        search, bits = new_search(grid), jps.new_bits(grid)
        self.preparation_ms = {}
        table = self.prepare("JPS+", lambda: jps_plus.new_table(grid))
        self.sectors = around = self.prepare("HPA*", lambda: sectors.new_sectors(grid, SECTOR_SIDE))
        levels = self.prepare("PRA*", lambda: cliques.new_cliques(grid))
        self.components = self.prepare("components", lambda: components.new_components(grid))
        route, gates = hpa.new_route(grid, around)
        corridor, nodes = pra.new_corridor(levels)

        def hpa_find(n_sectors, smooths):
            return lambda s, g: hpa.find(grid, around, route, gates, s, g, n_sectors, smooths)

        def pra_find(n_steps, top=cliques.LEVELS):
            return lambda s, g: pra.find(grid, levels, corridor, nodes, s, g, n_steps, top)

        self.searches = {
            "A*": lambda s, g: find(grid, search, s, g),
            "JPS": lambda s, g: jump(grid, bits, search, s, g),
            "JPS+": lambda s, g: jump_far(grid, table, search, s, g),
            "HPA*, route alone": hpa_find(0, False),
            "HPA*, first sector": hpa_find(1, False),
            "HPA*": hpa_find(hpa.ALL, False),
            "HPA*, smoothed": hpa_find(hpa.ALL, True),
            f"PRA*, first {FIRST_STEPS}": pra_find(FIRST_STEPS),
            "PRA*": pra_find(0),
            "PRA*, from level 2": pra_find(0, 2),
        }

    def prepare(self, name, make):
        """What `make` makes, its time kept."""
        began = time.process_time()
        made = make()
        self.preparation_ms[name] = (time.process_time() - began) * 1e3
        return made

    def measure(self):
        """{search: [least CPU us of each query]}, and {search: [length of each path]}."""
        times = {name: [float("inf")] * len(self.ends) for name in self.searches}
        lengths = {name: [0.0] * len(self.ends) for name in self.searches}
        for name, find in self.searches.items():
            for i, ends in enumerate(self.ends):
                for _ in range(ROUNDS):
                    began = time.process_time_ns()
                    cost = find(*ends)
                    us = (time.process_time_ns() - began) / 1e3
                    times[name][i] = min(times[name][i], us)
                lengths[name][i] = length(cost)
        return times, lengths

    def rival(self):
        """([least CPU us], [length]) of each query by the A* in C++, None without a compiler."""
        with tempfile.TemporaryDirectory() as folder:
            program = build_port(Path(__file__).with_suffix(".cpp"), folder)
            return self.ask([program, str(ROUNDS)]) if program else None

    def ask(self, command):
        """([least CPU us], [length]) of each query by a program that reads a map and queries."""
        words = [f"{len(self.rows[0])} {len(self.rows)}"]
        words += ["".join(".@"[not free] for free in row) for row in self.rows]
        words.append(str(len(self.queries)))
        words += [f"{x} {y} {u} {v}" for (x, y), (u, v), _, _ in self.queries]
        out = subprocess.run(
            command, input="\n".join(words), stdout=subprocess.PIPE, text=True, check=True
        ).stdout
        pairs = [tuple(map(float, line.split())) for line in out.splitlines()]
        return [us for _, us in pairs], [found for found, _ in pairs]

    def packages(self, rounds=1):
        """{package: ([least CPU us], [length])} by tcod and networkx, those that are installed: here,
        or for the Python that PATHS_PYTHON names.
        """
        found = {}
        for package in ("tcod", "networkx"):
            for python in (os.environ.get("PATHS_PYTHON"), sys.executable):
                has = (
                    python
                    and not subprocess.run(
                        [python, "-c", f"import {package}"], stderr=subprocess.DEVNULL
                    ).returncode
                )
                if has:
                    program = str(Path(__file__).with_name("paths_rivals.py"))
                    found[package] = self.ask([python, program, package, str(rounds)])
                    break
        return found

    def change_us(self, n=500):
        """{what: [CPU us]} of blocking and freeing cells."""
        free = [cell for cell in range(len(self.grid.moves)) if self.grid.moves[cell]]
        found = {"components": [], "sectors": []}
        for cell in free[:: max(1, len(free) // n)]:
            for is_free in (False, True):
                for name, change, state in (
                    ("components", components.change, self.components),
                    ("sectors", sectors.change, self.sectors),
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
        times, _ = board.measure()
        middle = {key: statistics.median(values) for key, values in times.items()}
        theirs = statistics.median(rival[0]) if rival else float("nan")
        rows.append(
            [
                name,
                f"{theirs:.0f} us",
                f"{middle['A*']:.0f} us",
                f"{middle['A*'] / theirs:.2f}",
                f"{middle['JPS']:.1f} us",
                f"{middle['A*'] / middle['JPS']:.1f}",
                f"{middle['JPS+']:.1f} us",
                f"{middle['JPS'] / middle['JPS+']:.1f}",
                f"{middle['HPA*']:.0f} us",
                f"{middle['PRA*']:.0f} us",
            ]
        )
    title = (
        f"Paths on maps of Moving AI: median CPU time of {N_QUERIES} queries, stratified by length"
    )
    return title, columns, rows
