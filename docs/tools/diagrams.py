"""Draws the pictures of searches and statistics: `CG_JIT=0 python -m docs.tools.diagrams`.

Each is a search of this project at work on a small game, in plain Python, where it can be observed,
or a statistic of simulated games. All is drawn from fixed seeds: the same files come every time.
Colours and ink read well on light and dark pages.
"""

import math
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from bots.coders_strike_back import mutation, smitsimax
from bots.coders_strike_back.game import assign_roles
from referee.arena.statistics.elo import elos, expected_score
from referee.arena.statistics.tally import Seeds
from shared.core.game import SequentialGame
from shared.core.jit import float_buffer, int_buffer
from shared.games.coders_strike_back.maps import new_course
from shared.games.coders_strike_back.state import new_setup, new_state
from shared.games.tic_tac_toe import game as tic_tac_toe
from shared.path import astar, jps
from shared.path.grid import Grid, cell_at, new_grid, position
from shared.path.statuses import NO_PATH
from shared.search import alphabeta, evolution, max_n, mcts
from shared.search import smitsimax as smitsimax_search
from shared.search.regret_matching import new_solution, solve_matrix
from shared.search.tree import children, node_at

FOLDER = Path(__file__).resolve().parents[1] / "pictures"
INK, FAINT, GRID = "#77818f", "#9aa3ae66", "#9aa3ae44"
BLUE, ORANGE, GREEN, PINK = "#3a82d8", "#e0812b", "#2f9e62", "#c6549c"
COLOURS = (BLUE, ORANGE, GREEN, PINK)

Point = tuple[float, float]


# ---- SVG


class Drawing:
    """A picture of so many units; shapes are painted in the order of the calls."""

    def __init__(self, width: float, height: float):
        self.width, self.height, self.parts = width, height, list[str]()

    def line(self, points: Iterable[Point], colour: str = INK, width: float = 1.0) -> None:
        """Draw an open line through points."""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}"/>'
        )

    def circle(self, at: Point, radius: float, colour: str) -> None:
        """Draw a disc."""
        self.parts.append(
            f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{radius:.1f}" fill="{colour}"/>'
        )

    def rect(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """Draw a rectangle by its upper left corner."""
        self.parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
            f' fill="{colour}"/>'
        )

    def text(self, at: Point, words: str, colour: str = INK, anchor: str = "middle") -> None:
        """Write a line of text."""
        self.parts.append(
            f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" fill="{colour}" text-anchor="{anchor}">'
            f"{words}</text>"
        )

    def polygon(self, points: Iterable[Point], colour: str) -> None:
        """Draw a filled shape."""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polygon points="{path}" fill="{colour}"/>')

    def svg(self) -> str:
        """Returns the picture as a file's text."""
        body = "\n".join(self.parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:g} {self.height:g}"'
            f' font-family="system-ui, sans-serif" font-size="13">\n{body}\n</svg>\n'
        )


class Axes:
    """A chart in a drawing: numbers along x and y, with lines of a grid."""

    LEFT, TOP, RIGHT, BOTTOM = 62.0, 16.0, 26.0, 44.0

    def __init__(
        self, drawing: Drawing, xs: Sequence[float], ys: Sequence[float], log: bool = False
    ):
        self.drawing, self.xs, self.ys, self.log = drawing, xs, ys, log
        for y in ys:
            drawing.line([self.at(xs[0], y), self.at(xs[-1], y)], GRID)
            drawing.text((self.LEFT - 8, self.at(xs[0], y)[1] + 4), f"{y:g}", anchor="end")
        for x in xs:
            drawing.text((self.at(x, ys[0])[0], drawing.height - self.BOTTOM + 18), f"{x:g}")

    def at(self, x: float, y: float) -> Point:
        """Returns the place of a point."""

        def share(value: float, ends: Sequence[float], log: bool) -> float:
            low, high = ends[0], ends[-1]
            if log:
                value, low, high = math.log(value), math.log(low), math.log(high)
            return (value - low) / (high - low)

        width = self.drawing.width - self.LEFT - self.RIGHT
        height = self.drawing.height - self.TOP - self.BOTTOM
        return (
            self.LEFT + width * share(x, self.xs, self.log),
            self.TOP + height * (1 - share(y, self.ys, False)),
        )

    def label(self, words: str) -> None:
        """Name the axis of x."""
        self.drawing.text((self.drawing.width / 2, self.drawing.height - 6), words)


# ---- Trees


class Node:
    """A node of a tree to draw: its size and colour, and its children in their order."""

    def __init__(self, radius: float, colour: str):
        self.radius, self.colour, self.children = radius, colour, list[Node]()

    def leaves(self) -> float:
        """Returns the width that its subtree takes, in leaves."""
        return sum(child.leaves() for child in self.children) or max(1.0, self.radius / 3)


def draw_tree(
    drawing: Drawing, root: Node, left: float, right: float, top: float, step: float
) -> None:
    """Draw a tree between two borders, a level a step."""

    def place(node: Node, left: float, right: float, y: float) -> Point:
        at = ((left + right) / 2, y)
        unit = (right - left) / node.leaves()
        for child in node.children:
            end = left + unit * child.leaves()
            below = place(child, left, end, y + step)
            drawing.line([at, below], child.colour if child.colour == FAINT else INK, 0.7)
            left = end
        drawing.circle(at, node.radius, node.colour)
        return at

    place(root, left, right, top)


def search_tree(tree: Any, root: int, colour: str, depth: int, least: int) -> Node:
    """Returns a search's tree down to a depth, without the nodes of fewer visits than `least`."""

    def copy(number: int, depth: int) -> Node:
        node = node_at(tree, number)
        copied = Node(1.2 + 0.55 * math.sqrt(node.visits), colour)
        if depth:
            shown = (
                child for child in children(tree, number) if node_at(tree, child).visits >= least
            )
            copied.children = [copy(child, depth - 1) for child in shown]
        return copied

    return copy(root, depth)


def draw_alphabeta() -> Drawing:
    """Returns the tree of a position of tic-tac-toe, with the positions that alpha-beta skips."""
    game, setup = tic_tac_toe.GAME, tic_tac_toe.new_setup()
    opening = [4, 0, 8, 2, 1]
    start = tuple(map(int, tic_tac_toe.new_state(opening)))
    path, seen = [start], set[tuple[tuple[int, ...], ...]]()

    def apply(setup: object, state: Sequence[int], action: int, after: list[int]) -> None:
        ply = state[tic_tac_toe.PLIES] - start[tic_tac_toe.PLIES]
        game.apply(setup, state, action, after)
        path[ply + 1 :] = [tuple(map(int, after))]
        seen.add(tuple(path))

    options = alphabeta.Options()
    search = alphabeta.make_search(game._replace(apply=apply), options)
    depth = tic_tac_toe.N_CELLS - len(opening)
    tree = alphabeta.new_tree(game, options, table_bits=10, depth=depth)
    alphabeta.reset(tree)
    while not alphabeta.is_finished(tree):
        if tree.counters[alphabeta.DEPTH] < depth:
            seen.clear()  # only the last iteration is shown
        search(setup, int_buffer(list(start)), tree, 1)

    def grow(line: tuple[tuple[int, ...], ...], visited: bool) -> Node:
        node = Node(4.0 if visited else 2.5, BLUE if visited else FAINT)
        state, actions = int_buffer(list(line[-1])), int_buffer(tic_tac_toe.N_CELLS)
        if game.is_over(setup, state):
            return node
        for i in range(game.legal(setup, state, actions)):
            after = int_buffer(3)
            game.apply(setup, state, actions[i], after)
            below = (*line, tuple(map(int, after)))
            node.children.append(grow(below, below in seen))
        return node

    drawing = Drawing(760, 300)
    draw_tree(drawing, grow((start,), True), 10, 750, 20, 65)
    return drawing


def draw_uct() -> Drawing:
    """Returns the tree of UCT after 800 iterations of tic-tac-toe."""
    options = mcts.Options(exploration=0.7)
    search = mcts.make_search(tic_tac_toe.GAME, options)
    tree = mcts.new_tree(tic_tac_toe.GAME, options, capacity=4000)
    search(tic_tac_toe.new_setup(), tic_tac_toe.new_state([4]), tree, 800)
    drawing = Drawing(760, 320)
    draw_tree(drawing, search_tree(tree, 0, BLUE, 4, 6), 10, 750, 24, 68)
    return drawing


def draw_smitsimax() -> Drawing:
    """Returns the trees of the four pods of Coders Strike Back, a colour each."""
    checkpoints = new_course(1)
    setup, state = new_setup(checkpoints, 3, 8), new_state(checkpoints)
    assign_roles(setup, state, 0.0)
    game, options = smitsimax.GAME, smitsimax.OPTIONS
    trees = smitsimax_search.new_trees(game, options, 20000)
    smitsimax_search.make_search(game, options)(setup, state, trees, 500)
    drawing = Drawing(760, 260)
    for pod, colour in enumerate(COLOURS):
        tree = search_tree(trees, pod, colour, 3, 3)
        draw_tree(drawing, tree, 190 * pod + 8, 190 * pod + 182, 44, 66)
        drawing.text((190 * pod + 95, 16), f"pod {pod}", colour)
    return drawing


# ---- Charts

LEFT_OVER, MOVER, N_PLAYERS = 0, 1, 3


def nim(counted: list[int]) -> SequentialGame:
    """Returns nim for three players; the number of positions made is added to counted[0]."""

    def to_move(setup: object, state: Sequence[int]) -> int:
        return state[MOVER]

    def legal(setup: object, state: Sequence[int], actions: list[int]) -> int:
        n = min(3, state[LEFT_OVER])
        actions[:n] = int_buffer([1, 2, 3][:n])
        return n

    def apply(setup: object, state: Sequence[int], action: int, after: list[int]) -> None:
        counted[0] += 1
        after[LEFT_OVER] = state[LEFT_OVER] - action
        after[MOVER] = (state[MOVER] + 1) % N_PLAYERS

    def is_over(setup: object, state: Sequence[int]) -> bool:
        return state[LEFT_OVER] == 0

    def evaluate(setup: object, state: Sequence[int], scores: list[float]) -> None:
        for player in range(N_PLAYERS):
            is_last = (player + 1) % N_PLAYERS == state[MOVER]
            scores[player] = 1.0 if state[LEFT_OVER] == 0 and is_last else 0.0

    return SequentialGame(N_PLAYERS, 3, 2, to_move, legal, apply, is_over, evaluate)


def draw_max_n() -> Drawing:
    """Returns the number of positions that max^n and paranoid search make for a depth."""
    drawing, depths = Drawing(640, 300), range(4, 11)
    axes = Axes(drawing, [3, *depths, 11], [0, 2, 4, 6, 8, 10])
    for name, is_paranoid, colour, side in (
        ("max^n", False, ORANGE, -1),
        ("paranoid", True, BLUE, 0),
    ):
        for depth in depths:
            counted = [0]
            options = max_n.Options(depth=depth, paranoid=is_paranoid)
            game = nim(counted)
            search, tree = max_n.make_search(game, options), max_n.new_tree(game, options)
            while not max_n.is_finished(tree):
                search(int_buffer(1), int_buffer([12, 0]), tree, 1000)
            x, y = axes.at(depth, counted[0] / 1000)
            drawing.rect(x + 14 * side, y, 13, axes.at(depth, 0)[1] - y, colour)
        drawing.text((180, 40 + 20 * (side + 1)), name, colour, "start")
    axes.label("depth in plies; thousands of positions")
    return drawing


def draw_regret_matching() -> Drawing:
    """Returns the average strategy for rock, paper, scissors in which rock's win counts twice."""
    drawing = Drawing(640, 300)
    axes = Axes(drawing, [1, 10, 100, 1000], [0, 0.25, 0.5, 0.75, 1], log=True)
    payoffs = float_buffer([0, -1, 2, 1, 0, -1, -2, 1, 0])
    counts = [round(10 ** (i / 12)) for i in range(37)]
    lines: list[list[Point]] = [[], [], []]
    for count in counts:
        solution = new_solution(3)
        solve_matrix(payoffs, solution, 3, 3, count)
        for action in range(3):
            lines[action].append(axes.at(count, float(solution.averages[action])))
    for i, (name, colour) in enumerate(zip(("rock", "paper", "scissors"), COLOURS)):
        drawing.line(lines[i], colour, 2)
        drawing.text((480, 36 + 18 * i), name, colour, "start")
    axes.label("iterations; share of each action")
    return drawing


def draw_evolution() -> Drawing:
    """Returns the fitness of the best plan of each team in a turn of Coders Strike Back."""
    checkpoints = new_course(1)
    setup, state = new_setup(checkpoints, 3, 8), new_state(checkpoints)
    assign_roles(setup, state, 0.0)
    game, options = mutation.GAME, mutation.OPTIONS
    search = evolution.make_search(game, options)
    population = evolution.new_population(game, options)
    rows = []
    for iteration in range(10, 1510, 10):
        search(setup, state, population, 10)
        rows.append((iteration, evolution.summary(population).scores))
    values = [value for _, fitness in rows for value in fitness]
    low, high = math.floor(min(values) / 500) * 500, math.ceil(max(values) / 500) * 500
    step = max(500, (high - low) // 4 // 500 * 500)
    drawing = Drawing(640, 300)
    ticks = [float(tick) for tick in range(low, high + step, step)]
    axes = Axes(drawing, [0, 300, 600, 900, 1200, 1500], ticks)
    for team, (name, colour) in enumerate((("own plan", BLUE), ("rival's plan", ORANGE))):
        line = [axes.at(iteration, fitness[team]) for iteration, fitness in rows]
        drawing.line(line, colour, 2)
        drawing.text((line[-1][0] - 6, line[-1][1] - 8), name, colour, "end")
    axes.label("iterations; fitness of the best plan")
    return drawing


def draw_intervals() -> Drawing:
    """Returns the Elo of a bot with its 95% interval over the games of a simulated series."""
    truth, rng, seeds = 40.0, Random(3), Seeds(2)
    drawing = Drawing(640, 320)
    axes = Axes(drawing, [10, 100, 1000, 4000], [-200, -100, 0, 100, 200, 300], log=True)
    rows = []
    for seed in range(2000):
        for _ in range(2):
            is_won = rng.random() < expected_score(truth)
            seeds.add(seed, ((0,), (1,)) if is_won else ((1,), (0,)))
        games = 2 * (seed + 1)
        if games >= 10 and (games < 100 or not games % 40):
            rows.append((games, elos(seeds)[0]))

    def clipped(elo: float) -> float:
        return min(max(elo, -200), 300)

    upper = [axes.at(games, clipped(one.high)) for games, one in rows]
    lower = [axes.at(games, clipped(one.low)) for games, one in rows]
    drawing.polygon(upper + lower[::-1], BLUE + "33")
    drawing.line([axes.at(10, truth), axes.at(4000, truth)], ORANGE, 1.5)
    drawing.line([axes.at(games, clipped(one.value)) for games, one in rows], BLUE, 2)
    drawing.text(
        (axes.at(4000, truth)[0] - 4, axes.at(4000, truth)[1] - 34), "truth: 40", ORANGE, "end"
    )
    axes.label("games; Elo of the first bot with its 95% interval")
    return drawing


# ---- Paths

N_COLUMNS, N_ROWS, CELL = 36, 22, 10


def draw_grid(
    drawing: Drawing, left: float, free: list[list[bool]], expanded: list[Point], path: list[Point]
) -> None:
    """Draw a grid: walls, expanded cells, a path."""
    for y, row in enumerate(free):
        for x, is_free in enumerate(row):
            if not is_free:
                drawing.rect(left + CELL * x, 30 + CELL * y, CELL, CELL, INK)
    for column, row_number in expanded:
        corner = (left + CELL * column + 1, 31 + CELL * row_number)
        drawing.rect(*corner, CELL - 2, CELL - 2, BLUE + "99")
    middle = [(left + CELL * (column + 0.5), 30 + CELL * (y + 0.5)) for column, y in path]
    drawing.line(middle, ORANGE, 2.5)


def expanded_cells(module: object, name: str, find: Callable[[], int]) -> list[int]:
    """Returns the cells that a search takes off its open list, in order."""
    taken, plain = list[int](), getattr(module, name)

    def observed(*arguments: object) -> int:
        cell = plain(*arguments)
        if cell >= 0:
            taken.append(cell)
        return cell

    setattr(module, name, observed)
    try:
        assert find() != NO_PATH
    finally:
        setattr(module, name, plain)
    return taken


def draw_paths() -> Drawing:
    """Returns the cells that A* and jump point search expand on the same map."""
    rng, free = Random(5), [[True] * N_COLUMNS for _ in range(N_ROWS)]
    for _ in range(16):
        x, y = rng.randrange(3, N_COLUMNS - 6), rng.randrange(1, N_ROWS - 4)
        for row in free[y : y + rng.randrange(1, 6)]:
            width = rng.randrange(2, 6)
            row[x : x + width] = [False] * len(row[x : x + width])
    free[1][1] = free[N_ROWS - 2][N_COLUMNS - 2] = True
    drawing = Drawing(2 * CELL * N_COLUMNS + 20, CELL * N_ROWS + 40)
    grid: Grid = new_grid(free)
    start, goal = cell_at(grid, 1, 1), cell_at(grid, N_COLUMNS - 2, N_ROWS - 2)
    search, jumps = astar.new_search(grid), jps.new_jumps(grid)
    bits = jps.new_bits(grid)
    by_astar = expanded_cells(
        astar, "bucket_pop", lambda: astar.make_astar()(grid, search, start, goal)
    )
    by_jumps = expanded_cells(
        jps, "jump_pop", lambda: jps.make_jps()(grid, bits, jumps, start, goal)
    )
    for left, name, cells, found in (
        (0.0, "A*", by_astar, search),
        (CELL * N_COLUMNS + 20.0, "jump point search", by_jumps, jumps),
    ):
        path = [position(grid, cell) for cell in astar.cells_of(found)]
        draw_grid(drawing, left, free, [position(grid, cell) for cell in cells], list(path))
        words = f"{name}: {len(cells)} cells expanded"
        drawing.text((left + CELL * N_COLUMNS / 2, 18), words)
    return drawing


DIAGRAMS: dict[str, Callable[[], Drawing]] = {
    "alphabeta": draw_alphabeta,
    "uct": draw_uct,
    "max-n": draw_max_n,
    "smitsimax": draw_smitsimax,
    "regret-matching": draw_regret_matching,
    "evolution": draw_evolution,
    "paths": draw_paths,
    "intervals": draw_intervals,
}


def main() -> None:
    """Write the pictures that are named, or all."""
    wanted = sys.argv[1:] or DIAGRAMS
    for name in wanted:
        draw = DIAGRAMS[name]
        path = FOLDER / f"{name}.svg"
        path.write_text(draw().svg(), encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
