"""Watches a bot's search, and shows its tree by the function `show_nodes` of the search's module.

    show_nodes(search, node, state) -> rows

Returns the children of a node in a search's tree, each as a dict: `node`, the module's own name for
the child, which later calls get; `action`, the number of an action, or pairs (player, number) of
all players that act at once; and the fields of `Row` that the search knows. At a root `node` is the
number of the tree. `search` is a `Watched`: the game, options, setup, root and tree of the search,
and functions of the game in plain Python. In an `AlternatingGame` values are of the player to move,
elsewhere of the player that the bot plays. `n_trees(search)`, if the module has it, returns the
number of the search's trees. A module whose search keeps only a line has `plan_of(tree)` instead of
`show_nodes`.

So a search of your own is shown once its module has `show_nodes`: in `shared/search`, or beside the
bot. It runs in the process of the bot (`inspector.py`).
"""

import heapq
import importlib
import importlib.util
import inspect
import math
import pkgutil
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any, Callable, Iterator, NamedTuple

import shared.search
from shared.core.game import CHANCE, AlternatingGame, SequentialGame, SoloGame, TurnGame
from shared.core.jit import float_buffer, int_buffer

# Nodes of a tree that a search of one's own may have: some 32 bytes each.
MOST_NODES = 16_000_000
SEARCHES = "shared.search."
# Trees of a search on a page: the bot's own come first.
MOST_TREES = 60
# Fields of a search's summary on the page, by what they count.
COUNTS = {
    "iterations": ("iterations", "generated", "children"),
    "nodes": ("nodes", "visited", "sets"),
    "depth": ("depth",),
    "converged": ("n_converged",),
}
UNITS = {
    "mcts": "win 1, loss -1",
    "flat_monte_carlo": "win 1, loss -1",
    "smitsimax": "score",
    "simultaneous_uct": "score",
    "alphabeta": "evaluation",
    "max_n": "evaluation",
    "matrix_game": "payoff",
    "sampler": "share of the samples in which the move was best",
    "turns.turn_uct": "score of the player to move",
    "turns.expectimax": "evaluation",
    "turns.information_set": "score of the player to move",
    "solo.chokudai": "evaluation",
    "solo.single_player_mcts": "best final score",
}
# After an agent's action the others still have to choose, in trees of these.
JOINT = ("simultaneous_uct", "matrix_game")
MIRRORED = {"≤": "≥", "≥": "≤", "": ""}
ONE_ACTS = (AlternatingGame, SequentialGame, SoloGame, TurnGame)


class Row(NamedTuple):
    """A child: its node, and its statistics.

    weight: decides which rows and nodes are kept, the greatest first; by default the visits.
    visits: None in searches that count none. value: None if there is none yet. proven: True if the
    value is exact. mark: "≤" or "≥" if the value is a bound of the true value. depth: the depth of
    the child's search, in plies. place: see `View`.
    """

    node: Any
    action: Any
    visits: int | None = None
    value: float | None = None
    prior: float | None = None
    bound: float | None = None
    proven: bool = False
    mark: str = ""
    depth: int | None = None
    weight: float | None = None
    place: Any = None


@dataclass
class Watched:
    """A running search of a bot, with the arguments of its functions."""

    # The module of `shared/search`, or of the bot.
    module: ModuleType
    # The arguments of `make_search`: the game, the options and others.
    made: tuple[Any, ...]
    # The compiled search.
    run: Callable[..., None]
    # The arguments of `new_tree`.
    kept: tuple[Any, ...] = ()
    # The arguments of the last call; `root` is a copy of the position.
    setup: Any = None
    root: Any = None
    tree: Any = None
    # The priors of a Smitsimax tree at the start of the turn's search.
    priors: Any = None
    # True if the bot tells a beam its budget.
    is_allotted: bool = False
    # Room for `show_nodes`.
    notes: dict[str, Any] = field(default_factory=dict)
    # Nodes granted in this turn.
    n: int = 0
    # The player to move at the root, None if unknown.
    viewer: int | None = None
    # All nodes that will be granted in this turn, 0 if unknown.
    goal: int = 0

    @property
    def name(self) -> str:
        name = self.module.__name__.removeprefix(SEARCHES)
        # Simultaneous UCT is Smitsimax's search with another selection of actions.
        return "simultaneous_uct" if name == "smitsimax" and len(self.made) > 2 else name

    @property
    def game(self) -> Any:
        return self.made[0]

    @property
    def options(self) -> Any:
        return self.made[1]

    def on(self, root: Any, tree: Any) -> "Watched":
        """Returns this search with another position and another tree, for the same player."""
        viewer = mover_at_root(self)
        setup = copied(self.setup)
        return replace(self, setup=setup, root=root, tree=tree, n=0, viewer=viewer, notes={})

    def search(self, n: int) -> None:
        """Search n more nodes."""
        if self.n == 0 and self.goal and self.is_allotted:
            self.module.allot(self.tree, self.goal)
        arguments = (self.setup, self.root, self.tree, n)
        if self.name == "sampler":  # search(field, trees, n_agents, n)
            arguments = (self.setup, self.tree, self.root, n)
        self.run(*arguments)
        self.n += n

    def legal(self, state: Any) -> list[int]:
        """Returns the actions of a position of a game in which one agent acts at a time."""
        listed = int_buffer(self.game.max_actions)
        n = int(self.game.legal(self.setup, state, listed))
        return [int(listed[i]) for i in range(n)]

    def chances(self, state: Any, actions: list[int]) -> list[float]:
        """Returns the probabilities of chance's `actions` in a position."""
        shares = float_buffer(self.game.max_actions)
        if self.game.chances is not None:
            self.game.chances(self.setup, state, int_buffer(actions), len(actions), shares)
        return [float(shares[i]) for i in range(len(actions))]

    def after(self, state: Any, action: Any) -> Any:
        """Returns the position after an action of a game in which one agent acts at a time; None if
        the game is over or the position is unknown.
        """
        if state is None or bool(self.game.is_over(self.setup, state)):
            return None
        after = int_buffer(state)
        number = int(action[0][1] if isinstance(action, tuple) else action)
        self.game.apply(self.setup, state, number, after)
        return after

    def score(self, state: Any) -> float | None:
        """Returns the evaluation of one agent's position, or the score of a finished game; None for
        an unknown position.
        """
        if state is None:
            return None
        is_over = bool(self.game.is_over(self.setup, state))
        return float((self.game.score if is_over else self.game.evaluate)(self.setup, state))


class View:
    """The nodes in the trees of a search, as they are now.

    A place is (number of the tree, node, ply, position before the place's action or None, action or
    None at the root).
    """

    # The value of a lost position.
    lost = -1.0

    def __init__(self, watched: Watched) -> None:
        # Functions of a game may draw random numbers, whose state is in the setup.
        viewer = mover_at_root(watched)
        self.watched = replace(watched, setup=copied(watched.setup), viewer=viewer, notes={})
        self.game, self.tree, self.name = watched.game, watched.tree, watched.name
        self.module = sys.modules.get(SEARCHES + self.name, watched.module)
        if viewer is not None:
            self.viewer = viewer
        # The search of the position after an action tells that action's value.
        self.single = isinstance(self.game, AlternatingGame)
        if self.name == "alphabeta":
            self.lost = -1e99
        self.unit = UNITS.get(self.name, "value")
        n_trees = getattr(self.module, "n_trees", None)
        n = 1 if n_trees is None else min(n_trees(self.watched), MOST_TREES)
        self.names = ["tree"] if n == 1 else [f"agent {number}" for number in range(n)]
        self.found: Any = None
        if hasattr(watched.module, "summary"):
            self.found = watched.module.summary(self.tree)

    def roots(self) -> list[Any]:
        """Returns the place of each tree's root."""
        return [(number, number, 0, self.watched.root, None) for number in range(len(self.names))]

    def open(self, place: Any) -> tuple[Any, list[Row]]:
        """Returns (position or None, rows of the children) of a place."""
        number, node, ply, before, action = place
        state = before if action is None else self.after(before, number, action, ply - 1)
        one_acts = isinstance(self.game, ONE_ACTS)
        if one_acts and (state is None or bool(self.game.is_over(self.watched.setup, state))):
            return state, []
        rows = [Row(**row) for row in self._nodes(node, state, ply)]
        if ply == 0 and one_acts:
            shown = {row.action for row in rows}
            legal = self.watched.legal(state)
            rows += [Row(None, action) for action in legal if action not in shown]
        return state, [self._placed(row, number, state, ply) for row in rows]

    def _nodes(self, node: Any, state: Any, ply: int) -> Any:
        if hasattr(self.module, "show_nodes"):
            return [] if node is None else self.module.show_nodes(self.watched, node, state)
        plan = [int(action) for action in self.module.plan_of(self.tree)]
        if node is None or ply >= len(plan):
            return []
        after = self.watched.after(state, plan[ply])
        value = self.watched.score(after)
        return [{"node": ply + 1, "action": plan[ply], "value": value, "weight": -float(ply)}]

    def _placed(self, row: Row, number: int, state: Any, ply: int) -> Row:
        """Returns a row with its place and weight, and with values of the player that the bot
        plays.
        """
        if self.single and int(self.game.to_move(self.watched.setup, state)) != self.viewer:
            value, bound = (None if one is None else -one for one in (row.value, row.bound))
            row = row._replace(value=value, bound=bound, mark=MIRRORED[row.mark])
        if hasattr(self.game, "to_move") and hasattr(self.game, "n_players"):
            mover = int(self.game.to_move(self.watched.setup, state))
            if self.game.n_players > 2 or mover == CHANCE:
                row = row._replace(action=((mover, row.action),))
        weight = row.weight
        if weight is None:
            weight = -1.0 if row.visits is None else float(row.visits)
        return row._replace(place=(number, row.node, ply + 1, state, row.action), weight=weight)

    def after(self, state: Any, number: int, action: Any, ply: int = 0) -> Any:
        """Returns the position after an action in a tree; None after the game's end, or if `state`
        or the other agents' actions at this ply are unknown.

        A game without `apply`, and one agent's action in a joint tree, leave `state` unchanged.
        """
        if isinstance(self.game, ONE_ACTS):
            return self.watched.after(state, action)
        is_own = not isinstance(action, tuple)
        if state is None or not hasattr(self.game, "apply") or (is_own and self.name in JOINT):
            return state
        joint = [chosen for _, chosen in action] if not is_own else self._joint(number, action, ply)
        if joint is None or bool(self.game.is_over(self.watched.setup, state)):
            return None
        state, holds = state.copy(), getattr(self.watched.options, "holds", (1,))
        for _ in range(holds[ply if is_own else 0]):
            self.game.apply(self.watched.setup, state, int_buffer(joint))
        return state

    def _joint(self, number: int, action: Any, ply: int) -> list[int] | None:
        """Returns the actions of all agents at a ply if the other agents play their lines, None if
        unknown.
        """
        lines = getattr(self.found, "lines", None)
        if lines is None or any(len(line) <= ply for line in lines):
            return None
        return [action if agent == number else line[ply] for agent, line in enumerate(lines)]

    def reply(self, state: Any, number: int, action: Any) -> Any:
        """Returns the position after an action at the root, together with the expected actions of
        the agents who choose at the same time.
        """
        if self.name in JOINT:
            others = [self.line(agent)[0] for agent in range(len(self.names))]
            others[number] = action
            action = tuple(enumerate(others))
        return self.after(state, number, action)

    def line(self, number: int) -> list[Any]:
        """Returns the actions of a tree's expected line."""
        if self.name not in JOINT and hasattr(self.found, "lines"):
            return list(self.found.lines[number])
        if not hasattr(self.game, "n_players") and hasattr(self.found, "line"):
            return list(self.found.line)
        if hasattr(self.module, "plan_of"):
            return [int(action) for action in self.module.plan_of(self.tree)]
        place = self.roots()[number]
        line: list[Any] = []
        while True:
            rows = self.open(place)[1]
            known = [
                row
                for row in rows
                if (row.value is not None or row.node is not None) and row.visits != 0
            ]
            if not known:
                return line
            best = max(known, key=lambda row: (row.weight or 0.0, row.value or 0.0))
            place = best.place
            line.append(best.action)

    def counts(self) -> dict[str, Any]:
        """Returns counts of the whole search by name, as far as known: iterations, nodes, depth,
        converged; also `room`, the nodes that the tree can hold, and `proven`, True if the expected
        action's value is exact.
        """
        known = {} if self.found is None else self.found._asdict()
        counts: dict[str, Any] = {}
        for name, fields in COUNTS.items():
            for key in fields:
                if known.get(key) is not None:
                    counts[name] = known[key]
        if "depth" not in counts and (plan := known.get("line")):
            counts["depth"] = len(plan)
        if hasattr(self.tree, "nodes"):
            counts["room"] = len(self.tree.nodes) // 4
        rows = self.open(self.roots()[0])[1] if self.single else []
        line = self.line(0)
        counts["proven"] = any(row.proven and [row.action] == line[:1] for row in rows)
        return counts

    def fresh(self, factor: float) -> Any:
        """Returns an empty tree with room for `factor` times as many nodes, at most MOST_NODES."""
        make = new_tree_of(self.watched.module)
        arguments = inspect.signature(make).bind(*self.watched.kept).arguments
        if "capacity" in arguments:
            capacity = arguments["capacity"]
            arguments["capacity"] = max(capacity, min(int(capacity * factor), MOST_NODES))
        tree = make(**arguments)
        if self.watched.priors is not None:
            tree.priors[:] = self.watched.priors
        return tree


def mover_at_root(watched: Watched) -> int | None:
    """Returns the player that the bot plays; None in games in which all act at once."""
    if watched.viewer is None and hasattr(watched.game, "to_move"):
        return max(int(watched.game.to_move(watched.setup, watched.root)), 0)
    return watched.viewer


def copied(setup: Any) -> Any:
    """Returns a copy of a game's setup: a buffer, or a NamedTuple of buffers."""
    if isinstance(setup, tuple):
        return type(setup)(*map(copied, setup))
    return setup.copy() if hasattr(setup, "copy") else setup


def new_tree_of(module: ModuleType) -> Any:
    """Returns the function of a search's module that makes its tree, None if there is none."""
    return getattr(module, "new_tree", None) or getattr(module, "new_trees", None)


Walked = tuple[int, int, Row | None, Any, int, int]


def walk(view: View, number: int, most: int) -> Iterator[Walked]:
    """Yields the heaviest nodes of a tree, at most `most`: (index, parent's index, row or None for
    the root, position or None, number of children, number of children without a value).
    """
    heap: list[tuple[float, int, int, Row | None, Any]] = [
        (-math.inf, 0, -1, None, view.roots()[number])
    ]
    order, index = 1, 0
    while heap and index < most:
        _, _, parent, row, place = heapq.heappop(heap)
        state, rows = view.open(place)
        unseen = sum(row.value is None for row in rows)
        yield index, parent, row, state, len(rows), unseen
        for tree_row in rows:
            # All children of the root are kept; below, only children that the search has visited.
            if tree_row.value is not None or index == 0:
                weight = (tree_row.weight or 0.0) + (0.0 if index else 1e15)
                heapq.heappush(heap, (-weight, order, index, tree_row, tree_row.place))
                order += 1
        index += 1


def is_search(module: ModuleType) -> bool:
    """Returns True for the module of a search."""
    return hasattr(module, "make_search")


def is_shown(module: ModuleType) -> bool:
    """Returns True for the module of a search whose nodes or line can be shown."""
    return hasattr(module, "show_nodes") or hasattr(module, "plan_of")


def searches(source: Path) -> list[ModuleType]:
    """Returns the modules of searches in `shared/search` and beside a bot's source."""
    names = [module.name for module in pkgutil.walk_packages(shared.search.__path__, SEARCHES)]
    modules = [importlib.import_module(name) for name in names]
    for file in sorted(source.parent.glob("*.py")):
        if "def make_search(" in file.read_text(encoding="utf-8") and file != source:
            modules.append(import_file(file))
    return list(filter(is_search, modules))


def import_file(file: Path) -> ModuleType:
    """Import a module beside a bot by the name by which the bot imports it."""
    name = f"bots.{file.parent.name}.{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
