"""Ultimate Tic-Tac-Toe as a `Contest` of `shared/core/contest.py`."""

from random import Random
from typing import Any

from ...core.contest import Contest, Outcome, Rebuilt
from ...core.jit import int_buffer
from ...core.protocol import IllegalAction
from ...games.ultimate_tic_tac_toe.protocol import (
    LIMITS,
    format_action,
    parse_action,
    turn_lines,
)
from ...games.ultimate_tic_tac_toe.render import render
from ...games.ultimate_tic_tac_toe.sim import (
    DIGIT,
    N_ACTIONS,
    apply,
    boards_won,
    is_legal,
    is_over,
    legal,
    open_cells,
    playable,
    to_move,
)
from ...games.ultimate_tic_tac_toe.state import (
    HAS_LINE,
    MAX_TURNS,
    N_CELLS,
    N_PLAYERS,
    TURN,
    WINS,
    new_setup,
    new_state,
)
from ...games.ultimate_tic_tac_toe.truth import verify

TABLES = new_setup()
LINE_SCORE, FAULT_SCORE = 10.0, -1.0


class Match:
    """One game of Ultimate Tic-Tac-Toe. The seed orders the list of legal actions."""

    n_players = N_PLAYERS

    def __init__(self, seed: int, n_players: int = N_PLAYERS) -> None:
        self.rng = Random(seed)
        self.state = new_state()
        self.action: int | None = None
        self.fault: tuple[int, str] | None = None
        self.listed = self._shuffled()

    def _legal(self) -> list[int]:
        actions = int_buffer(N_ACTIONS)
        n = int(legal(TABLES, self.state, actions))
        return [int(actions[i]) for i in range(n)]

    def _shuffled(self) -> list[int]:
        actions = self._legal()
        self.rng.shuffle(actions)
        return actions

    def setup(self) -> dict[str, Any]:
        return {"max_turns": MAX_TURNS}

    def snapshot(self) -> dict[str, Any]:
        """Returns the page's data. cells: 81 characters 0, 1 or ., by small board."""
        own = [int(cells) for cells in self.state[:N_CELLS]]
        bits = range(N_CELLS)
        return {
            "cells": "".join(owner(cells, bit) for cells in own for bit in bits),
            "won": [[b for b in bits if self._boards(p) >> b & 1] for p in range(N_PLAYERS)],
            "playable": [b for b in bits if int(playable(self.state)) >> b & 1],
            "turn": int(self.state[TURN]),
            "action": self.action,
        }

    def _boards(self, player: int) -> int:
        return int(boards_won(self.state, player))

    def players_to_move(self) -> list[int]:
        return [int(to_move(TABLES, self.state))]

    def initial_input(self, player: int) -> list[str]:
        return []

    def turn_input(self, player: int) -> list[str]:
        return turn_lines(self.action, self.listed)

    def lines_expected(self, player: int) -> int:
        return 1

    def parse(self, player: int, lines: list[str]) -> Any:
        action = parse_action(lines[0])
        if not is_legal(TABLES, self.state, action):
            raise IllegalAction(f"{lines[0][:200]}: {self._obstacle(action)}")
        return action

    def _obstacle(self, action: int) -> str:
        """Returns the reason why an action is illegal."""
        board = action >> DIGIT
        if not int(open_cells(self.state, board)) >> (action & 15) & 1:
            return "the cell is taken"
        if board in self.snapshot()["won"][0] + self.snapshot()["won"][1]:
            return "the small board is won"
        row, column = divmod(self.snapshot()["playable"][0], 3)
        return f"the small board to play in is the one in row {row}, column {column}"

    def random_lines(self, player: int, rng: Random) -> list[str]:
        return [format_action(rng.choice(self._legal()))]

    def play(self, actions: dict[int, Any]) -> None:
        for action in actions.values():
            self.action = action
            apply(TABLES, self.state, action, self.state)
            self.listed = self._shuffled()

    def eliminate(self, player: int, reason: str) -> None:
        self.fault = self.fault or (player, reason)

    def outcome(self) -> Outcome | None:
        won = [self._boards(player) for player in range(N_PLAYERS)]
        has_line = [bool(TABLES[WINS + boards] & HAS_LINE) for boards in won]
        scores = [LINE_SCORE if line else float(n.bit_count()) for line, n in zip(has_line, won)]
        if self.fault:
            player, reason = self.fault
            scores[player] = FAULT_SCORE
            return Outcome(ranks=(1 - player, player), scores=tuple(scores), reason=reason)
        if not is_over(TABLES, self.state):
            return None
        ranks = tuple(int(score < max(scores)) for score in scores)
        return Outcome(ranks, tuple(scores), self._reason(ranks, any(has_line), won))

    def _reason(self, ranks: tuple[int, ...], by_line: bool, won: list[int]) -> str:
        counts = " : ".join(str(boards.bit_count()) for boards in won)
        if ranks[0] == ranks[1]:
            return f"a draw, {counts} small boards, after {int(self.state[TURN])} actions"
        how = "a line of small boards" if by_line else f"{counts} small boards"
        return f"player {ranks.index(0)} won by {how} after {int(self.state[TURN])} actions"


def owner(cells: int, bit: int) -> str:
    """Returns a small board cell's character."""
    return "0" if cells >> bit & 1 else "1" if cells >> bit + N_CELLS & 1 else "."


def rebuild(seed: int, options: dict[str, str], inputs: dict[int, list[str]]) -> Rebuilt:
    """Recreate the game of an official seed, which draws the first player and the order of the
    legal actions.
    """
    [first] = inputs
    players = (0, 1) if first == 0 else (1, 0)
    return Rebuilt(Match(seed), players, is_ordered=False)


CONTEST = Contest(
    name="ultimate_tic_tac_toe",
    title="Ultimate Tic-Tac-Toe",
    players=(N_PLAYERS, N_PLAYERS),
    limits=LIMITS,
    new_match=Match,
    verify=verify,
    render=render,
    rebuild=rebuild,
)
