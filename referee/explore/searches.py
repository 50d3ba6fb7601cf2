"""Reads the trees of searches: one view a search, all with the same few methods.

It runs in the process of the bot (`probe.py`), beside `shared/search`. A view is made of a
`Watched` search and has

    names            one name a tree
    roots()          the handle of each tree's root
    open(handle)     -> (state or None, rows): a node's position and its children, `Row`s
    line(number)     the actions of the principal line of a tree
    counts()         numbers about the whole search: iterations, nodes, depth
    fresh(factor)    an empty tree for a search of as many nodes times `factor`
    after(state, number, action)  the position after an action at the root, None if unknown

All values are from the view of the player that the bot plays, except in the trees of others: there
each agent has its own score.
"""

import heapq
import importlib
import math
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any, Callable, Iterator, NamedTuple

from shared.core.jit import int_buffer
from shared.search import alphabeta, mcts, smitsimax
from shared.search import tree as flat
from shared.search.bandit import INVERSE_ROOT, MEAN, UNPULLED
from shared.search.transpositions import (
    EXACT,
    LOWER,
    entry_depth_left,
    entry_flag,
    find_entry,
)

# Nodes of a tree that a search of one's own may have: some 32 bytes each.
MOST_NODES = 16_000_000
SEARCHES = "shared.search."
# The value of a proven win, of searches whose evaluations have no bound.
WON = 1e99


class Row(NamedTuple):
    """A child: its handle, and its statistics.

    action: a number of the game's, or a text. weight: rows and nodes of the greatest weight are
    kept. visits: None in searches that count none. value: None before any. proven: the value is
    exact. mark: "≤" or "≥" if the value is a bound of the true one. depth: of its search, in plies.
    """

    handle: Any
    action: int | str
    weight: float
    visits: int | None = None
    value: float | None = None
    prior: float | None = None
    bound: float | None = None
    proven: bool = False
    mark: str = ""
    depth: int | None = None


@dataclass
class Watched:
    """A search at work: of which module, how it was made, and the arguments of its last call.

    made: of `make_search`: the game, the options and others. kept: of `new_tree`. run: the compiled
    search. root: a copy of the position, by the caller left unchanged or not. n: nodes granted in
    this turn.
    """

    module: ModuleType
    made: tuple[Any, ...]
    run: Callable[..., None]
    kept: tuple[Any, ...] = ()
    setup: Any = None
    root: Any = None
    tree: Any = None
    before: dict[str, Any] = field(default_factory=dict)
    n: int = 0
    viewer: int | None = None

    @property
    def name(self) -> str:
        return self.module.__name__.removeprefix(SEARCHES)

    @property
    def game(self) -> Any:
        return self.made[0]

    @property
    def options(self) -> Any:
        return self.made[1]

    def on(self, root: Any, tree: Any) -> "Watched":
        """Returns the same search of another position in another tree, for the same player."""
        viewer = self.viewer
        if viewer is None and hasattr(self.game, "to_move"):
            viewer = int(self.game.to_move(self.setup, self.root))
        return replace(self, root=root, tree=tree, n=0, viewer=viewer)

    def search(self, n: int) -> None:
        """Search n more nodes."""
        self.run(self.setup, self.root, self.tree, n)
        self.n += n


class View:
    """The part that all views share."""

    names: list[str] = ["tree"]
    unit = "value"
    # The players move in turns, so that the position after an action is the rival's.
    single = False

    def __init__(self, watched: Watched) -> None:
        self.watched = watched
        self.game, self.options, self.tree = watched.game, watched.options, watched.tree

    def new_tree(self, factor: float) -> Any:
        """Returns an empty tree for a search of as many nodes times `factor`."""
        make = getattr(self.watched.module, "new_tree", None) or self.watched.module.new_trees
        game, options, capacity, *others = self.watched.kept
        capacity = max(capacity, min(int(capacity * factor), MOST_NODES))
        return make(game, options, capacity, *others)

    def fresh(self, factor: float) -> Any:
        return self.new_tree(factor)


class AlternatingView(View):
    """The part of views of two players who move in turns."""

    single = True

    def __init__(self, watched: Watched) -> None:
        super().__init__(watched)
        mover = self.game.to_move(watched.setup, watched.root)
        self.viewer = int(mover) if watched.viewer is None else watched.viewer

    def after(self, state: Any, number: int, action: int, ply: int = 0) -> Any:
        if bool(self.game.is_over(self.watched.setup, state)):
            return None
        after = int_buffer(state)
        self.game.apply(self.watched.setup, state, action, after)
        return after

    def sign(self, state: Any) -> int:
        """1 if the bot's own player is to move."""
        mover = int(self.game.to_move(self.watched.setup, state))
        return 1 if mover == self.viewer else -1


class MctsView(AlternatingView):
    """UCT or PUCT: a handle is (node, position before its action, action or None)."""

    unit = "win 1, loss -1"

    def roots(self) -> list[Any]:
        return [(0, self.watched.root, None)]

    def open(self, handle: Any) -> tuple[Any, list[Row]]:
        node, before, action = handle
        state = before if action is None else self.after(before, 0, action)
        if state is None:
            return None, []
        sign, below = self.sign(state), flat.children(self.tree, node)
        rows = [self.row(node, child, state, sign) for child in below]
        return state, rows

    def row(self, node: int, child: int, state: Any, sign: int) -> Row:
        arms = self.tree.arms
        fields = flat.node_at(self.tree, child)
        mean, inverse = float(arms[2 * child + MEAN]), float(arms[2 * child + INVERSE_ROOT])
        is_known = fields.visits > 0 or (mean != UNPULLED and self.options.prior_visits > 0)
        with_priors = len(self.tree.priors) > 1
        bound = None
        parent = flat.node_at(self.tree, node)
        if with_priors:
            prior = float(self.tree.priors[child])
            start = mean if fields.visits else -parent.mean - self.options.first_play
            if parent.visits and abs(start) < 2.0:
                weight = self.options.exploration * math.sqrt(parent.visits + 1)
                bound = sign * (start + weight * prior * inverse)
        else:
            prior = None
            if is_known:
                weight = self.options.exploration * math.sqrt(math.log(parent.visits + 1))
                bound = sign * (mean + weight * inverse)
        return Row(
            (child, state, fields.action),
            fields.action,
            float(fields.visits),
            fields.visits,
            sign * mean if is_known else None,
            prior,
            bound,
            inverse == 0.0,
        )

    def line(self, number: int) -> list[int]:
        return flat.best_line(self.tree, 0)

    def counts(self) -> dict[str, Any]:
        found = mcts.summary(self.tree)
        return {
            "iterations": found.iterations,
            "nodes": found.nodes,
            "room": len(self.tree.nodes) // flat.NODE_SIZE,
            "depth": found.depth,
            "proven": found.proven,
        }


class TreesView(View):
    """Smitsimax: a tree an agent; a handle is (agent, node, ply, position before, action or None).

    A node's position is the one where the other agents play their principal lines; None beyond
    the end of these.
    """

    unit = "score"

    def __init__(self, watched: Watched) -> None:
        super().__init__(watched)
        self.n_agents = self.game.n_agents
        self.names = [f"agent {agent}" for agent in range(self.n_agents)]
        self.lines = [flat.best_line(self.tree, agent) for agent in range(self.n_agents)]

    def roots(self) -> list[Any]:
        return [(agent, agent, 0, self.watched.root, None) for agent in range(self.n_agents)]

    def fresh(self, factor: float) -> Any:
        trees = self.new_tree(factor)
        priors = self.watched.before.get("priors")
        if priors is not None:
            trees.priors[:] = priors
        return trees

    def after(self, state: Any, number: int, action: int, ply: int = 0) -> Any:
        if state is None or any(len(line) <= ply for line in self.lines):
            return None
        setup, joint = self.watched.setup, int_buffer(self.n_agents)
        for agent, line in enumerate(self.lines):
            joint[agent] = action if agent == number else line[ply]
        if bool(self.game.is_over(setup, state)):
            return None
        state = state.copy()
        for _ in range(self.options.holds[ply]):
            self.game.apply(setup, state, joint)
        return state

    def open(self, handle: Any) -> tuple[Any, list[Row]]:
        agent, node, ply, before, action = handle
        state = before if action is None else self.after(before, agent, action, ply - 1)
        arms, parent = self.tree.arms, flat.node_at(self.tree, node)
        spread = float(self.tree.ranges[2 * agent + 1] - self.tree.ranges[2 * agent])
        unit = self.options.scale or (spread if spread > 0.0 else 1.0)
        weight = self.options.exploration * math.sqrt(math.log(max(parent.visits, 1))) * unit
        rows = []
        for child in flat.children(self.tree, node):
            fields = flat.node_at(self.tree, child)
            has_mean = fields.visits > 0
            bound = fields.mean + weight * float(arms[2 * child + INVERSE_ROOT])
            rows.append(
                Row(
                    (agent, child, ply + 1, state, fields.action),
                    fields.action,
                    float(fields.visits),
                    fields.visits,
                    fields.mean if has_mean else None,
                    bound=bound if has_mean else None,
                )
            )
        return state, rows

    def line(self, number: int) -> list[int]:
        return self.lines[number]

    def counts(self) -> dict[str, Any]:
        found = smitsimax.summary(self.tree)
        return {
            "iterations": found.iterations,
            "nodes": int(self.tree.counters[flat.N_NODES]),
            "room": len(self.tree.nodes) // flat.NODE_SIZE,
            "depth": len(self.options.holds),
        }


class TableView(AlternatingView):
    """Alpha-beta: no tree is kept, so nodes are the positions that the transposition table still
    has, and the principal variation. A handle is (ply, position before, action or None, on the
    principal variation).
    """

    unit = "evaluation"

    def __init__(self, watched: Watched) -> None:
        super().__init__(watched)
        self.found = alphabeta.summary(self.tree)
        self.listed = int_buffer(self.game.max_actions)

    def fresh(self, factor: float) -> Any:
        game, options, *others = self.watched.kept
        return self.watched.module.new_tree(game, options, *others)

    def roots(self) -> list[Any]:
        return [(0, self.watched.root, None, True)]

    def open(self, handle: Any) -> tuple[Any, list[Row]]:
        ply, before, action, is_main = handle
        state = before if action is None else self.after(before, 0, action)
        setup, game = self.watched.setup, self.game
        if state is None or bool(game.is_over(setup, state)):
            return state, []
        sign = self.sign(state)
        n = int(game.legal(setup, state, self.listed))
        actions = [int(self.listed[i]) for i in range(n)]
        line = self.found.line
        main = line[ply] if is_main and ply < len(line) else None
        rows = []
        for action in actions:
            row = self.row(state, action, ply + 1, sign, action == main)
            if row is not None or ply == 0:
                rows.append(row or Row((ply + 1, state, action, False), action, -1.0))
        return state, rows

    def row(self, state: Any, action: int, ply: int, sign: int, is_main: bool) -> Row | None:
        """Returns the row of an action; None if the table has nothing of it."""
        setup, game = self.watched.setup, self.game
        after = self.after(state, 0, action)
        handle = (ply, state, action, is_main)
        done = self.found.depth
        if bool(game.is_over(setup, after)):
            # The result is for the player to move afterwards.
            value = -int(game.result(setup, after)) * alphabeta.WIN
            return Row(handle, action, float(done), None, sign * shown(value), proven=True)
        entry = int(find_entry(self.tree.table, int(game.key(setup, after))))
        if entry >= 0:
            value, data = int(self.tree.table[entry + 1]), int(self.tree.table[entry + 2])
            depth, flag = int(entry_depth_left(data)), int(entry_flag(data))
            if is_main and flag != EXACT:
                entry = -1
        if entry < 0:
            if not is_main:
                return None
            found = self.sign(self.watched.root) * shown(self.found.value)
            return Row(handle, action, float(done + 1), None, found, depth=max(done - ply, 0))
        # The entry's value is for the rival; its lower bound is an upper one for the mover.
        is_upper = (flag == LOWER) == (sign > 0)
        return Row(
            handle,
            action,
            float(depth + (1000 if is_main else 0)),
            None,
            sign * shown(-value),
            proven=flag == EXACT and abs(value) >= alphabeta.LEAST_WIN,
            mark="" if flag == EXACT else "≤" if is_upper else "≥",
            depth=depth,
        )

    def line(self, number: int) -> list[int]:
        return self.found.line

    def counts(self) -> dict[str, Any]:
        return {
            "iterations": self.found.generated,
            "nodes": self.found.visited,
            "depth": self.found.depth,
            "proven": abs(self.found.value) >= alphabeta.LEAST_WIN,
        }


def shown(value: int) -> float:
    """A value as a number for people: wins stay apart from evaluations, as ±WON."""
    if abs(value) >= alphabeta.LEAST_WIN:
        return math.copysign(WON, value)
    return float(value)


VIEWS: dict[str, type[View]] = {
    "mcts": MctsView,
    "smitsimax": TreesView,
    "alphabeta": TableView,
}


def view_of(watched: Watched) -> Any:
    """Returns the view of a search. Raises LookupError for one without a view."""
    return VIEWS[watched.name](watched)


def walk(view: Any, number: int, most: int) -> Iterator[tuple[int, int, Row | None, Any, int, int]]:
    """Yields the heaviest nodes of a tree, at most `most`: (index, parent's index, row or None for
    the root, position or None, children, children without a visit).
    """
    heap: list[tuple[float, int, int, Row | None, Any]] = [
        (-math.inf, 0, -1, None, view.roots()[number])
    ]
    order, index = 1, 0
    while heap and index < most:
        _, _, parent, row, handle = heapq.heappop(heap)
        state, rows = view.open(handle)
        unseen = sum(one.value is None for one in rows)
        yield index, parent, row, state, len(rows), unseen
        for one in rows:
            # All children of the root are kept; below, those that the search has looked at.
            if one.value is not None or index == 0:
                weight = one.weight if index else one.weight + 1e15
                heapq.heappush(heap, (-weight, order, index, one, one.handle))
                order += 1
        index += 1


def watch_modules() -> dict[str, ModuleType]:
    """Returns the modules of searches that have a view."""
    return {name: importlib.import_module(SEARCHES + name) for name in VIEWS}
