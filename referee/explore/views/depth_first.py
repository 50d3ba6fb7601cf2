"""Views of searches that go depth first and keep no tree."""

import math
from typing import Any

from referee.explore.views.base import (
    WON,
    AlternatingView,
    Row,
    SameRoomView,
    Watched,
    position_after,
    worded,
)
from shared.core.game import CHANCE
from shared.core.jit import float_buffer, int_buffer
from shared.search import alphabeta, max_n
from shared.search.transpositions import (
    EXACT,
    LOWER,
    entry_depth_left,
    entry_flag,
    find_entry,
)


class TableView(SameRoomView, AlternatingView):
    """Alpha-beta: no tree is kept, so nodes are the positions that the transposition table still
    has, and the principal variation. A handle is (ply, position before, action or None, on the
    principal variation).
    """

    unit = "evaluation"
    lost = -WON

    def __init__(self, watched: Watched) -> None:
        super().__init__(watched)
        self.found = alphabeta.summary(self.tree)
        self.listed = int_buffer(self.game.max_actions)

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
            root_value = self.sign(self.watched.root) * shown(self.found.value)
            return Row(handle, action, float(done + 1), None, root_value, depth=max(done - ply, 0))
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
    """Returns the number to show: ±WON for a proven win or loss, which no evaluation reaches."""
    if abs(value) >= alphabeta.LEAST_WIN:
        return math.copysign(WON, value)
    return float(value)


class TooMany(Exception):
    """Valuing a position takes more positions than are left."""


# Positions that a view looks at, to value those of a search again.
MOST_VALUED = 400_000


class ValuedAgainView(SameRoomView):
    """Max^n, paranoid search and expectimax: no tree is kept, so each position is valued again, by
    plain recursion over as many plies as the search had left there, or fewer if those are too many.

    A handle is (ply, position before, action or None). Values are the bot's score.
    """

    unit = "evaluation"

    def __init__(self, watched: Watched) -> None:
        super().__init__(watched)
        self.setup = self.watched.setup
        mover = int(self.game.to_move(self.setup, watched.root))
        self.viewer = max(mover, 0) if watched.viewer is None else watched.viewer
        self.found = watched.module.summary(self.tree)
        self.is_rooted = watched.viewer is None
        is_max_n = watched.module is max_n
        self.with_chance = not is_max_n and self.game.chances is not None
        self.selfish = is_max_n and not self.options.paranoid
        # Expectimax is of player 0's score.
        self.me = self.viewer if is_max_n else 0
        self.sign = 1.0 if self.me == self.viewer else -1.0
        depth = int(self.tree.counters[watched.module.DEPTH])
        step = self.options.step if is_max_n else 1
        is_finished = watched.module.is_finished(self.tree)
        self.depth = depth if is_finished or depth <= step else depth - step
        self.known: dict[Any, Any] = watched.before.setdefault("valued", {})
        self.looked = 0

    def roots(self) -> list[Any]:
        return [(0, self.watched.root, None)]

    def after(self, state: Any, number: int, action: Any, ply: int = 0) -> Any:
        return position_after(self.game, self.setup, state, action)

    def mover(self, state: Any) -> int:
        return int(self.game.to_move(self.setup, state))

    def legal(self, state: Any) -> list[int]:
        listed = int_buffer(self.game.max_actions)
        n = int(self.game.legal(self.setup, state, listed))
        return [int(listed[i]) for i in range(n)]

    def chances(self, state: Any, actions: list[int]) -> list[float]:
        shares = float_buffer(self.game.max_actions)
        self.game.chances(self.setup, state, int_buffer(actions), len(actions), shares)
        return [float(shares[i]) for i in range(len(actions))]

    def scores(self, state: Any) -> list[float]:
        scores = float_buffer(self.game.n_players)
        self.game.evaluate(self.setup, state, scores)
        return [float(score) for score in scores]

    def valued(self, state: Any, left: int) -> tuple[float, ...]:
        """The scores of a position after so many plies: all players', or one. Raises TooMany."""
        key = (*map(int, state), left)
        if key not in self.known:
            if self.selfish:
                self.known[key] = self.max_n(state, left)
            else:
                self.known[key] = (self.two_sided(state, left, -math.inf, math.inf),)
        scores: tuple[float, ...] = self.known[key]
        return scores

    def count(self) -> None:
        self.looked += 1
        if self.looked > MOST_VALUED:
            raise TooMany

    def max_n(self, state: Any, left: int) -> tuple[float, ...]:
        """All players' scores if each plays for itself."""
        self.count()
        if left <= 0 or bool(self.game.is_over(self.setup, state)):
            return tuple(self.scores(state))
        mover, best = self.mover(state), None
        for action in self.legal(state):
            scores = self.max_n(self.after(state, 0, action), left - 1)
            if best is None or scores[mover] > best[mover]:
                best = scores
        assert best is not None
        return best

    def two_sided(self, state: Any, left: int, alpha: float, beta: float) -> float:
        """The score of `me` if all others play against it, by alpha-beta; the mean of chance."""
        self.count()
        if left <= 0 or bool(self.game.is_over(self.setup, state)):
            return self.scores(state)[self.me]
        mover, actions = self.mover(state), self.legal(state)
        after = [self.after(state, 0, action) for action in actions]
        if mover == CHANCE and self.with_chance:
            shares = self.chances(state, actions)
            values = [
                self.two_sided(state_after, left - 1, -math.inf, math.inf) for state_after in after
            ]
            return sum(share * value for share, value in zip(shares, values))
        best = -math.inf if mover == self.me else math.inf
        for state_after in after:
            value = self.two_sided(state_after, left - 1, alpha, beta)
            if mover == self.me:
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best

    def score(self, scores: tuple[float, ...], player: int) -> float:
        """A player's score: for whom it chooses; of two sides the bot's, or its opposite."""
        if self.selfish:
            return scores[player]
        return self.sign * scores[0] * (1.0 if player == self.viewer else -1.0)

    def children(self, state: Any, left: int) -> list[tuple[int, tuple[float, ...], int]]:
        """Returns (action, scores, plies that they were searched) of each child, the best first."""
        actions = self.legal(state)
        for plies in range(left - 1, -1, -1):
            spent = self.looked
            try:
                child_scores = [
                    self.valued(self.after(state, 0, action), plies) for action in actions
                ]
                break
            except TooMany:
                # The next ones are far fewer; and the children of other nodes need some.
                self.looked = min(spent + MOST_VALUED // 4, MOST_VALUED)
        else:
            return []
        rows = [(action, scores, plies) for action, scores in zip(actions, child_scores)]
        mover = self.mover(state)
        if mover == CHANCE:
            return rows
        return sorted(rows, key=lambda row: -self.score(row[1], mover))

    def open(self, handle: Any) -> tuple[Any, list[Row]]:
        ply, before, action = handle
        state = before if action is None else self.after(before, 0, action)
        if state is None or bool(self.game.is_over(self.setup, state)):
            return state, []
        mover, children = self.mover(state), self.children(state, self.depth - ply)
        shares: list[Any] = [None] * len(children)
        if mover == CHANCE and self.with_chance and children:
            shares = self.chances(state, [action for action, *_ in children])
        played = self.found.action if ply == 0 and self.is_rooted else None
        rows = []
        for rank, ((child_action, scores, plies), share) in enumerate(zip(children, shares)):
            rows.append(
                Row(
                    (ply + 1, state, child_action),
                    worded(mover, child_action, self.game.n_players),
                    1e3 * (self.depth - ply) - rank + (500.0 if child_action == played else 0.0),
                    None,
                    self.score(scores, self.viewer),
                    prior=share,
                    depth=plies,
                )
            )
        return state, rows

    def line(self, number: int) -> list[Any]:
        [handle] = self.roots()
        line: list[Any] = []
        while len(line) < max(self.depth, 1):
            _, rows = self.open(handle)
            best = max(rows, key=lambda row: row.prior or row.weight, default=None)
            if best is None:
                break
            handle = best.handle
            line.append(best.action)
        if not line and self.is_rooted and self.found.action >= 0:
            line.append(worded(self.viewer, int(self.found.action), self.game.n_players))
        return line

    def counts(self) -> dict[str, Any]:
        return {"depth": self.depth}
