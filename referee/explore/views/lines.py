"""Views of searches for one agent that keep lines: beams, Chokudai search, NMCS and NRPA."""

from typing import Any

import numpy as np

from referee.explore.views.base import Row, SameRoomView, Watched, position_after
from shared.search.solo import beam, chokudai

# Children between two glances at the beam, which a new pass overwrites.
SLICE = 1000
NONE = -1


class LineView(SameRoomView):
    """The best line alone, with the score after each action: of searches that keep nothing else.

    A handle is (ply, position before, action or None).
    """

    unit = "score"

    def __init__(self, watched: Watched) -> None:
        super().__init__(watched)
        self.plan = [int(action) for action in watched.module.plan_of(self.tree)]

    def roots(self) -> list[Any]:
        return [(0, self.watched.root, None)]

    def after(self, state: Any, number: int, action: Any, ply: int = 0) -> Any:
        return position_after(self.game, self.watched.setup, state, action)

    def score(self, state: Any) -> float:
        return float(self.game.score(self.watched.setup, state))

    def open(self, handle: Any) -> tuple[Any, list[Row]]:
        ply, before, action = handle
        state = before if action is None else self.after(before, 0, action)
        if state is None or ply >= len(self.plan):
            return state, []
        planned = self.plan[ply]
        after = self.after(state, 0, planned)
        if after is None:
            return state, []
        return state, [
            Row((ply + 1, state, planned), planned, -float(ply), None, self.score(after))
        ]

    def line(self, number: int) -> list[int]:
        return self.plan

    def counts(self) -> dict[str, Any]:
        return {"depth": len(self.plan)}


class KeptView(LineView):
    """The positions that a search kept: a handle is (node, position before, action or None).

    A node's visits are the positions kept from it on; its value is its evaluation, or the final
    score where the game is over.

    parents, actions: of the nodes of each level, by their place; a node is (level, place), the root
    (0, 0).
    """

    unit = "evaluation"

    def __init__(self, watched: Watched) -> None:
        super().__init__(watched)
        self.parents: list[Any] = [np.full(1, NONE)]
        self.actions: list[Any] = [np.full(1, NONE)]
        self.read()
        self.orders: dict[int, tuple[Any, Any]] = {}
        sizes = [np.ones(len(parents), np.int64) for parents in self.parents]
        for level in range(len(sizes) - 1, 0, -1):
            n = len(sizes[level - 1])
            below = np.bincount(self.parents[level], sizes[level], n)
            sizes[level - 1] += below[:n].astype(np.int64)
        self.sizes = sizes

    def read(self) -> None:
        """Fill `parents` and `actions`."""

    def roots(self) -> list[Any]:
        return [((0, 0), self.watched.root, None)]

    def value(self, state: Any) -> float:
        setup = self.watched.setup
        if bool(self.game.is_over(setup, state)):
            return float(self.game.score(setup, state))
        return float(self.game.evaluate(setup, state))

    def below(self, level: int, place: int) -> list[int]:
        """The places of a node's children in the next level."""
        if level + 1 >= len(self.parents):
            return []
        if level not in self.orders:
            order = np.argsort(self.parents[level + 1], kind="stable")
            self.orders[level] = order, self.parents[level + 1][order]
        order, parents = self.orders[level]
        first, end = np.searchsorted(parents, [place, place + 1])
        return [int(child) for child in order[first:end]]

    def open(self, handle: Any) -> tuple[Any, list[Row]]:
        (level, place), before, action = handle
        state = before if action is None else self.after(before, 0, action)
        rows: list[Row] = []
        for child in self.below(level, place) if state is not None else ():
            child_action = int(self.actions[level + 1][child])
            after = self.after(state, 0, child_action)
            if after is not None:
                n = int(self.sizes[level + 1][child])
                handle = ((level + 1, child), state, child_action)
                rows.append(Row(handle, child_action, float(n), n, self.value(after)))
        return state, rows

    def n_kept(self) -> int:
        return sum(map(len, self.parents))


class BeamView(KeptView):
    """A beam: the positions of each level of the last pass."""

    @classmethod
    def begin(cls, watched: Watched) -> None:
        counters = watched.tree.counters
        watched.before["children"] = int(counters[beam.CHILDREN])
        watched.before.setdefault("allotted", int(counters[beam.BUDGET]) > 0)
        if int(counters[beam.STATUS]) == beam.NEW:
            forget(watched.tree, 0)

    @classmethod
    def search(cls, watched: Watched, n: int) -> None:
        """Look at n more children, as one call would; forget the levels of earlier passes."""
        counters = watched.tree.counters
        if watched.n == 0:
            cls.begin(watched)
            if watched.goal and watched.before["allotted"]:
                beam.allot(watched.tree, watched.goal)
        end = watched.before["children"] + watched.n + n
        while int(counters[beam.CHILDREN]) < end and int(counters[beam.STATUS]) <= beam.RUNNING:
            begun = int(counters[beam.PASS])
            most = min(SLICE, end - int(counters[beam.CHILDREN]))
            watched.run(watched.setup, watched.root, watched.tree, most)
            if int(counters[beam.PASS]) != begun and int(counters[beam.STATUS]) == beam.RUNNING:
                forget(watched.tree, int(counters[beam.LEVEL]) + 1)

    def read(self) -> None:
        width = len(self.tree.values) // 2
        for level in range(1, len(self.tree.history) // width):
            row = np.asarray(self.tree.history[level * width : (level + 1) * width])
            free = np.flatnonzero(row == NONE)
            row = row[: free[0]] if len(free) else row
            parents = row >> beam.ACTION_BITS
            # A level of an earlier pass that was not forgotten may name parents that are no more.
            known = parents < len(self.parents[-1])
            if not known.any():
                break
            self.parents.append(np.where(known, parents, len(self.parents[-1])))
            self.actions.append(row & beam.ACTION_MASK)

    def counts(self) -> dict[str, Any]:
        result = beam.summary(self.tree)
        n = self.n_kept()
        return {
            "iterations": result.children,
            "nodes": n,
            "room": len(self.tree.history),
            "depth": len(result.line),
        }


def forget(tree: Any, level: int) -> None:
    """Mark the places of the history of a beam from a level on as free."""
    first = level * (len(tree.values) // 2)
    free = [NONE] * max(len(tree.history) - first, 0)
    tree.history[first:] = NONE if isinstance(tree.history, np.ndarray) else free


class ChokudaiView(KeptView):
    """Chokudai search: the positions that it expanded."""

    def read(self) -> None:
        n = int(self.tree.counters[chokudai.N_NODES])
        origins = np.asarray(self.tree.origins[:n])
        parents = origins >> chokudai.ACTION_BITS
        level, place = np.zeros(1, np.int64), np.full(n, NONE)
        place[:1] = 0
        while True:
            is_next = np.zeros(n, bool)
            is_next[1:] = np.isin(parents[1:], level)
            below = np.flatnonzero(is_next)
            if not len(below):
                break
            self.parents.append(place[parents[below]])
            self.actions.append(origins[below] & chokudai.ACTION_MASK)
            place[below] = np.arange(len(below))
            level = below

    def counts(self) -> dict[str, Any]:
        result = chokudai.summary(self.tree)
        room = len(self.tree.origins)
        return {"iterations": result.children, "nodes": result.nodes, "room": room}
