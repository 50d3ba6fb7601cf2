"""Views of searches whose answer is a distribution: matrix games, the sampler, and information-set
MCTS.
"""

import math
from typing import Any

from referee.explore.views.base import Row, SameRoomView, Watched, number_of, position_after, worded
from shared.core.game import CHANCE
from shared.core.jit import float_buffer, int_buffer
from shared.search import matrix_game, regret_matching, sampler
from shared.search.turns import information_set

# Iterations of a solver, in plain Python.
ITERATIONS = 200
MOST_AGENTS = 60


class MatrixView(SameRoomView):
    """A matrix of payoffs: the actions of each player with their share in the solution, and below
    each the other's answers. A handle is (player, action's number or None, answer's or None).

    The value of an action is its payoff against the other's strategy.
    """

    unit = "payoff"
    names = ["player 0", "player 1"]

    def __init__(self, watched: Watched) -> None:
        super().__init__(watched)
        tree, most = self.tree, self.game.max_actions
        sizes = tree.counters[matrix_game.N_ROWS], tree.counters[matrix_game.N_COLUMNS]
        self.sizes = [int(size) for size in sizes]
        self.actions = [
            [int(tree.choices[player * most + i]) for i in range(size)]
            for player, size in enumerate(self.sizes)
        ]
        self.payoffs = [
            [float(tree.payoffs[i * most + j]) for j in range(self.sizes[1])]
            for i in range(self.sizes[0])
        ]
        self.shares = solved(self.payoffs)
        self.iterations = int(tree.counters[matrix_game.ITERATIONS])

    def roots(self) -> list[Any]:
        return [(player, None, None) for player in range(2)]

    def payoff(self, player: int, mine: int, other: int) -> float:
        return self.payoffs[mine][other] if player == 0 else -self.payoffs[other][mine]

    def open(self, handle: Any) -> tuple[Any, list[Row]]:
        player, mine, other = handle
        root, rival = self.watched.root, 1 - player
        if other is not None:
            return self.after(root, player, self.pair(player, mine, other)), []
        rows = []
        if mine is None:
            for i, action in enumerate(self.actions[player]):
                share = self.shares[player][i]
                value = sum(
                    self.shares[rival][j] * self.payoff(player, i, j)
                    for j in range(self.sizes[rival])
                )
                rows.append(Row((player, i, None), action, share, None, value, share))
            return root, rows
        n_pairs = self.sizes[0] * self.sizes[1]
        for j in range(self.sizes[rival]):
            pair = mine * self.sizes[1] + j if player == 0 else j * self.sizes[1] + mine
            n = self.iterations // n_pairs + (pair < self.iterations % n_pairs)
            rows.append(
                Row(
                    (player, mine, j),
                    self.pair(player, mine, j),
                    self.shares[player][mine] * self.shares[rival][j] - 1.0,
                    n,
                    self.payoff(player, mine, j) if n else None,
                    self.shares[rival][j],
                )
            )
        return root, rows

    def pair(self, player: int, mine: int, other: int) -> tuple[tuple[int, int], ...]:
        actions = (self.actions[player][mine], self.actions[1 - player][other])
        return tuple(sorted(zip((player, 1 - player), actions)))

    def best(self, player: int) -> int:
        return max(range(self.sizes[player]), key=lambda i: self.shares[player][i])

    def line(self, number: int) -> list[Any]:
        if not self.iterations:
            return []
        mine, other = self.best(number), self.best(1 - number)
        return [self.actions[number][mine], self.pair(number, mine, other)]

    def after(self, state: Any, number: int, action: Any, ply: int = 0) -> Any:
        if isinstance(action, int):
            return state
        state = state.copy()
        self.game.apply(
            self.watched.setup, state, int_buffer([chosen_action for _, chosen_action in action])
        )
        return state

    def reply(self, state: Any, number: int, action: Any) -> Any:
        mine = self.actions[number].index(action)
        return self.after(state, number, self.pair(number, mine, self.best(1 - number)))

    def counts(self) -> dict[str, Any]:
        return {"iterations": self.iterations, "depth": self.options.depth}


def solved(payoffs: list[list[float]]) -> list[list[float]]:
    """Returns each player's probabilities in the solution of a matrix."""
    n_rows, n_columns = len(payoffs), len(payoffs[0]) if payoffs else 0
    most = max(n_rows, n_columns)
    if not most:
        return [[], []]
    flat = float_buffer(most * most)
    for i, row in enumerate(payoffs):
        for j, payoff in enumerate(row):
            flat[i * most + j] = payoff
    solution = regret_matching.new_solution(most)
    regret_matching.solve_matrix(flat, solution, n_rows, n_columns, ITERATIONS)
    averages = [float(average) for average in solution.averages]
    return [averages[:n_rows], averages[most : most + n_columns]]


class SamplerView(SameRoomView):
    """The sampler: a distribution over the moves of each agent. `setup` is the game's field, `root`
    the number of agents. A handle is (agent, move or None).

    A move's visits are the times that it was best, its prior is its share of the counts.
    """

    unit = "share of the samples in which the move was best"

    def __init__(self, watched: Watched) -> None:
        super().__init__(watched)
        self.n_agents = min(int(watched.root), MOST_AGENTS)
        self.names = [f"agent {agent}" for agent in range(self.n_agents)]
        self.n_kinds = self.game.n_contexts if self.options.by_context else 1

    def roots(self) -> list[Any]:
        return [(agent, None) for agent in range(self.n_agents)]

    @classmethod
    def search(cls, watched: Watched, n: int) -> None:
        watched.run(watched.setup, watched.tree, watched.root, n)

    def open(self, handle: Any) -> tuple[Any, list[Row]]:
        agent, move = handle
        if move is not None:
            return self.watched.root, []
        n_moves, alpha = self.game.n_moves, self.options.alpha
        kind = agent * self.n_kinds
        if self.options.by_context:
            kind += int(self.game.context(self.watched.setup, agent))
        counts = [float(count) for count in self.tree.counts[kind * n_moves : (kind + 1) * n_moves]]
        total = sum(counts)
        by_value = self.options.minimum or self.options.mean
        rows = []
        for action, count in enumerate(counts):
            n = round(count - alpha)
            share = count / total if total else 0.0
            value: float | None = share if n > 0 else None
            i = agent * n_moves + action
            if by_value:
                value = float(self.tree.values[i]) if self.tree.seen[i] else None
            rows.append(Row((agent, action), action, share, n, value, share))
        return self.watched.root, rows

    def line(self, number: int) -> list[int]:
        tried = [row for row in self.open((number, None))[1] if row.value is not None]
        best = max(tried, key=lambda row: row.weight, default=None)
        return [] if best is None else [number_of(best.action)]

    def counts(self) -> dict[str, Any]:
        result = sampler.summary(self.tree)
        return {"iterations": result.iterations, "converged": result.n_converged}


class InformationSetView(SameRoomView):
    """Information-set MCTS: a handle is (position before, action or None).

    The tree is that of the sets which the game as it is leads through; the hidden part of the
    root's position is the bot's own guess. A value is the score of the player who chose the action.
    """

    unit = "score of the player to move"

    def __init__(self, watched: Watched) -> None:
        super().__init__(watched)
        mover = max(int(self.game.to_move(watched.setup, watched.root)), 0)
        self.viewer = mover if watched.viewer is None else watched.viewer

    def roots(self) -> list[Any]:
        return [(self.watched.root, None)]

    def after(self, state: Any, number: int, action: Any, ply: int = 0) -> Any:
        return position_after(self.game, self.watched.setup, state, action)

    def legal(self, state: Any) -> list[int]:
        listed = int_buffer(self.game.max_actions)
        n = int(self.game.legal(self.watched.setup, state, listed))
        return [int(listed[i]) for i in range(n)]

    def place(self, state: Any, mover: int) -> int:
        """The place of a position's information set; -1 if the search has not met it."""
        viewer = mover if self.options.multiple else self.viewer
        key = int(self.game.information(self.watched.setup, state, viewer))
        key ^= (viewer + 1) * information_set.VIEWER_KEY
        key ^= (mover + 1) * information_set.MOVER_KEY
        place = int(information_set.place_of(self.tree, key))
        return place if place >= 0 and self.tree.keys[place] == key else -1

    def open(self, handle: Any) -> tuple[Any, list[Row]]:
        before, action = handle
        state = before if action is None else self.after(before, 0, action)
        if state is None or bool(self.game.is_over(self.watched.setup, state)):
            return state, []
        setup, actions = self.watched.setup, self.legal(state)
        mover = int(self.game.to_move(setup, state))
        n_players = self.game.n_players
        if mover == CHANCE:
            shares = float_buffer(self.game.max_actions)
            if self.game.chances is not None:
                self.game.chances(setup, state, int_buffer(actions), len(actions), shares)
            return state, [
                Row((state, action), worded(mover, action, n_players), share, None, 0.0, share)
                for action, share in zip(actions, map(float, shares))
            ]
        place = self.place(state, mover)
        if place < 0:
            return state, []
        rows, total = [], int(self.tree.visits[place])
        for set_action in actions:
            at = information_set.N_STATISTICS * (self.game.max_actions * place + set_action)
            visits = int(self.tree.actions[at + information_set.VISITS])
            mean = float(self.tree.actions[at + information_set.MEAN])
            available = float(self.tree.actions[at + information_set.AVAILABLE])
            bound = None
            if visits:
                bound = mean + self.options.exploration * math.sqrt(math.log(available) / visits)
            rows.append(
                Row(
                    (state, set_action),
                    worded(mover, set_action, n_players),
                    float(visits),
                    visits,
                    mean if visits else None,
                    visits / max(total, 1),
                    bound,
                )
            )
        return state, rows

    def line(self, number: int) -> list[Any]:
        handle = self.roots()[0]
        line: list[Any] = []
        while True:
            known = [row for row in self.open(handle)[1] if row.value is not None]
            if not known:
                return line
            best = max(known, key=lambda row: row.weight)
            handle = best.handle
            line.append(best.action)

    def counts(self) -> dict[str, Any]:
        result = (
            information_set.summary(self.tree)
            if self.tree.counters[information_set.ROOT] >= 0
            else None
        )
        return {
            "iterations": int(self.tree.counters[information_set.ITERATIONS]),
            "nodes": result.sets if result else 0,
            "room": len(self.tree.keys),
        }
