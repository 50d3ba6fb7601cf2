"""Views of searches that keep a tree: UCT and PUCT, UCT in turns, SP-MCTS, Smitsimax, simultaneous
UCT, and flat Monte Carlo with a tree of one ply.
"""

import math
from typing import Any, Iterator

from referee.explore.views.base import (
    AlternatingView,
    Row,
    SameRoomView,
    View,
    Watched,
    position_after,
    worded,
)
from shared.core.game import CHANCE
from shared.core.jit import int_buffer
from shared.search import flat_monte_carlo, mcts, smitsimax
from shared.search import tree as flat
from shared.search.bandit import INVERSE_ROOT, MEAN, UNPULLED
from shared.search.solo import single_player_mcts
from shared.search.turns import turn_uct


def counts_of(tree: Any, result: Any, **others: Any) -> dict[str, Any]:
    """Returns a search's iterations, its nodes and the room for them, and others' numbers."""
    room = len(tree.nodes) // flat.NODE_SIZE
    return {"iterations": result.iterations, "nodes": result.nodes, "room": room, **others}


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
            start = mean if fields.visits else -parent.mean - self.options.first_play_urgency
            if parent.visits and abs(start) < 2.0:
                n = parent.visits + 1
                grown = max(0.0, math.log(n / mcts.GROWING)) * self.options.growth
                weight = self.options.exploration * (1.0 + grown) * math.sqrt(n)
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
        result = mcts.summary(self.tree)
        return counts_of(self.tree, result, depth=result.depth, proven=result.proven)


class TreesView(View):
    """Smitsimax: a tree an agent; a handle is (agent, node, ply, position before, action or None).

    A node's position is the one where the other agents play their principal lines; None beyond
    the end of these.
    """

    unit = "score"

    def __init__(self, watched: Watched) -> None:
        super().__init__(watched)
        self.n_agents = self.game.n_agents
        n_searchers = min(self.options.searchers, self.n_agents)
        self.names = [f"agent {agent}" for agent in range(n_searchers)]
        self.lines = [flat.best_line(self.tree, agent) for agent in range(self.n_agents)]

    def roots(self) -> list[Any]:
        root = self.watched.root
        return [(agent, agent, 0, root, None) for agent in range(len(self.names))]

    @classmethod
    def begin(cls, watched: Watched) -> None:
        watched.before["priors"] = watched.tree.priors.copy()

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
        unit = self.options.score_scale or (spread if spread > 0.0 else 1.0)
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
        result = smitsimax.summary(self.tree)
        return {
            "iterations": result.iterations,
            "nodes": int(self.tree.counters[flat.N_NODES]),
            "room": len(self.tree.nodes) // flat.NODE_SIZE,
            "depth": len(self.options.holds),
        }


class PositionsView(TreesView):
    """Simultaneous UCT: a tree of positions, shown to each agent as its own actions, below each the
    actions of the others that met it, and below these its own again.

    A handle is (agent, position, state, arm or None): at an arm the others choose.
    """

    def roots(self) -> list[Any]:
        return [(agent, 0, self.watched.root, None) for agent in range(self.n_agents)]

    def arms(self, position: int, agent: int) -> range:
        return flat.children(self.tree, position + agent)

    def positions(self, position: int) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yields (position below, an arm of each agent), of those that were reached."""
        nodes = self.tree.nodes

        def walk(cell: int, arms: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
            if int(nodes[cell]) == 0:
                return
            if len(arms) == self.n_agents:
                yield int(nodes[cell]), arms
                return
            block = flat.NODE_SIZE * int(nodes[cell])
            for i, arm in enumerate(self.arms(position, len(arms))):
                yield from walk(block + i, (*arms, arm))

        for arm in self.arms(position, 0):
            yield from walk(flat.NODE_SIZE * arm + flat.FIRST_CHILD, (arm,))

    def joint(self, arms: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
        return tuple((agent, flat.node_action(self.tree, arm)) for agent, arm in enumerate(arms))

    def after(self, state: Any, number: int, action: Any, ply: int = 0) -> Any:
        """The position after a joint action; the same one after an agent's own, before it."""
        if isinstance(action, int) or state is None:
            return state
        setup, joint = self.watched.setup, int_buffer(
            [chosen_action for _, chosen_action in action]
        )
        if bool(self.game.is_over(setup, state)):
            return None
        state = state.copy()
        for _ in range(self.options.holds[0]):
            self.game.apply(setup, state, joint)
        return state

    def reply(self, state: Any, number: int, action: Any) -> Any:
        joint = [(agent, self.lines[agent][0]) for agent in range(self.n_agents)]
        joint[number] = number, action
        return self.after(state, number, tuple(joint))

    def open(self, handle: Any) -> tuple[Any, list[Row]]:
        agent, position, state, arm = handle
        if arm is None:
            _, rows = super().open((agent, position + agent, 0, state, None))
            return state, [
                row._replace(handle=(agent, position, state, row.handle[1])) for row in rows
            ]
        rows = []
        for below, arms in self.positions(position):
            fields = flat.node_at(self.tree, below + agent)
            if arms[agent] != arm or not fields.visits:
                continue
            joint = self.joint(arms)
            handle = (agent, below, self.after(state, agent, joint), None)
            rows.append(Row(handle, joint, float(fields.visits), fields.visits, fields.mean))
        return state, rows

    def line(self, number: int) -> list[Any]:
        handle = self.roots()[number]
        line: list[Any] = []
        while True:
            _, rows = self.open(handle)
            tried = [row for row in rows if row.visits]
            if not tried:
                return line
            best = max(tried, key=lambda row: (row.visits, row.value))
            handle = best.handle
            line.append(best.action)


class TurnsView(View):
    """UCT in turns: a handle is (node, position before its action, action or None).

    An action's value is its player's score; an outcome of chance has none.
    """

    unit = "score of the player to move"

    def __init__(self, watched: Watched) -> None:
        super().__init__(watched)
        mover = int(self.game.to_move(watched.setup, watched.root))
        self.viewer = max(mover, 0) if watched.viewer is None else watched.viewer

    def roots(self) -> list[Any]:
        return [(0, self.watched.root, None)]

    def after(self, state: Any, number: int, action: Any, ply: int = 0) -> Any:
        return position_after(self.game, self.watched.setup, state, action)

    def open(self, handle: Any) -> tuple[Any, list[Row]]:
        node, before, action = handle
        state = before if action is None else self.after(before, 0, action)
        below = flat.children(self.tree, node)
        if state is None or not below:
            return state, []
        mover = int(self.game.to_move(self.watched.setup, state))
        parent = flat.node_at(self.tree, node)
        weight = self.options.exploration * math.sqrt(math.log(max(parent.visits, 1)))
        rows = []
        for child in below:
            fields = flat.node_at(self.tree, child)
            is_known = fields.visits > 0
            bound = fields.mean + weight * float(self.tree.arms[2 * child + INVERSE_ROOT])
            is_chance = mover == CHANCE
            rows.append(
                Row(
                    (child, state, fields.action),
                    worded(mover, fields.action, self.game.n_players),
                    float(fields.visits),
                    fields.visits,
                    (0.0 if is_chance else fields.mean) if is_known else None,
                    prior=fields.visits / max(parent.visits, 1) if is_chance else None,
                    bound=bound if is_known and not is_chance else None,
                )
            )
        return state, rows

    def line(self, number: int) -> list[Any]:
        handle = self.roots()[0]
        line: list[Any] = []
        while True:
            tried = [row for row in self.open(handle)[1] if row.visits]
            if not tried:
                return line
            best = max(tried, key=lambda row: (row.visits, row.value))
            handle = best.handle
            line.append(best.action)

    def counts(self) -> dict[str, Any]:
        result = turn_uct.summary(self.tree)
        return counts_of(self.tree, result, depth=result.depth)


class SoloTreeView(View):
    """SP-MCTS: a handle is (node, position before its action, action or None).

    A node's value is the best result below it, as the answer is the best line.
    """

    unit = "best final score"

    def roots(self) -> list[Any]:
        return [(0, self.watched.root, None)]

    def after(self, state: Any, number: int, action: Any, ply: int = 0) -> Any:
        return position_after(self.game, self.watched.setup, state, action)

    def open(self, handle: Any) -> tuple[Any, list[Row]]:
        node, before, action = handle
        state = before if action is None else self.after(before, 0, action)
        rows = []
        for child in flat.children(self.tree, node) if state is not None else ():
            fields = flat.node_at(self.tree, child)
            rows.append(
                Row(
                    (child, state, fields.action),
                    fields.action,
                    float(fields.visits),
                    fields.visits,
                    (
                        self.options.score_scale * float(self.tree.greatest[child])
                        if fields.visits
                        else None
                    ),
                )
            )
        return state, rows

    def line(self, number: int) -> list[int]:
        return single_player_mcts.plan_of(self.tree)

    def counts(self) -> dict[str, Any]:
        result = single_player_mcts.summary(self.tree)
        return counts_of(self.tree, result, depth=len(result.line))


class FlatView(SameRoomView, AlternatingView):
    """Flat Monte Carlo: the actions of the root; a handle is (position before, action or None)."""

    unit = "win 1, loss -1"

    def roots(self) -> list[Any]:
        return [(self.watched.root, None)]

    def open(self, handle: Any) -> tuple[Any, list[Row]]:
        before, action = handle
        if action is not None:
            return self.after(before, 0, action), []
        rows = []
        listed = int_buffer(self.game.max_actions)
        for arm in range(int(self.game.legal(self.watched.setup, before, listed))):
            n, mean = int(self.tree.pulls[arm]), float(self.tree.arms[2 * arm + MEAN])
            action = int(listed[arm])
            rows.append(Row((before, action), action, float(n), n, mean if n else None))
        return before, rows

    def line(self, number: int) -> list[int]:
        best = flat_monte_carlo.best_action(self.tree)
        return [] if best is None else [best]

    def counts(self) -> dict[str, Any]:
        result = flat_monte_carlo.summary(self.tree)
        return {"iterations": result.iterations}
