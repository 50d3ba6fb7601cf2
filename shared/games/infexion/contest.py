"""Infexion as a `Contest` of `shared/core/contest.py`."""

from random import Random
from typing import Any

from ...core.contest import Contest, Outcome
from ...core.drawing.shapes import BLUE, ORANGE
from ...core.jit import Ints, int_buffer
from ...core.protocol import IllegalAction
from ...games.infexion.protocol import (
    COLOURS,
    LIMITS,
    board_text,
    format_action,
    parse_action,
    start_lines,
    turn_lines,
)
from ...games.infexion.reconstruct import reconstruct
from ...games.infexion.render import render
from ...games.infexion.sim import (
    MAX_TOTAL_POWER,
    N_ACTIONS,
    SPREADS,
    apply,
    is_legal,
    is_over,
    legal,
    power_within,
    result,
    to_move,
)
from ...games.infexion.state import (
    MAX_TURNS,
    N_PLAYERS,
    STONES,
    TURN,
    new_setup,
    new_state,
    owner_at,
    power_at,
)
from ...games.infexion.truth import verify

TABLES = new_setup()
LONGEST_OPENING = 20


class Match:
    """One game of Infexion. The seed draws the opening. Players receive the seed for their random
    numbers.

    opening: the number of random first actions. Without an opening, strong bots repeat nearly the
    same game, and many games carry no more evidence than a single game.
    """

    n_players = N_PLAYERS

    def __init__(self, seed: int, n_players: int = N_PLAYERS, opening: int = 0) -> None:
        self.seed = seed
        self.state = opened(opening, Random(seed))
        self.action: int | None = None
        self.fault: tuple[int, str] | None = None

    def setup(self) -> dict[str, Any]:
        return {"max_turns": MAX_TURNS, "max_total_power": MAX_TOTAL_POWER}

    def snapshot(self) -> dict[str, Any]:
        return {
            "board": board_text(self.state),
            "turn": int(self.state[TURN]),
            "powers": [self._power(player) for player in range(N_PLAYERS)],
            "action": self.action,
        }

    def _power(self, player: int) -> int:
        return int(power_within(self.state, self.state[STONES + player]))

    def players_to_move(self) -> list[int]:
        return [int(to_move(TABLES, self.state))]

    def initial_input(self, player: int) -> list[str]:
        return start_lines(player, self.seed)

    def turn_input(self, player: int) -> list[str]:
        return turn_lines(self.state)

    def lines_expected(self, player: int) -> int:
        return 1

    def parse(self, player: int, lines: list[str]) -> Any:
        action = parse_action(lines[0])
        if not is_legal(TABLES, self.state, action):
            raise IllegalAction(f"{lines[0]}: {self._obstacle(player, action)}")
        return action

    def _obstacle(self, player: int, action: int) -> str:
        """Returns the reason why an action is illegal."""
        if action >= SPREADS:
            return f"the cell is not {COLOURS[player]}"
        if owner_at(self.state, action) >= 0:
            return f"the cell is occupied, by a power of {power_at(self.state, action)}"
        return f"the board holds the greatest total power, {MAX_TOTAL_POWER}"

    def random_lines(self, player: int, rng: Random) -> list[str]:
        actions = int_buffer(N_ACTIONS)
        count = legal(TABLES, self.state, actions)
        return [format_action(int(actions[rng.randrange(count)]))]

    def play(self, actions: dict[int, Any]) -> None:
        for action in actions.values():
            self.action = action
            apply(TABLES, self.state, action, self.state)

    def eliminate(self, player: int, reason: str) -> None:
        self.fault = self.fault or (player, reason)

    def outcome(self) -> Outcome | None:
        scores = tuple(float(self._power(player)) for player in range(N_PLAYERS))
        if self.fault:
            player, reason = self.fault
            return Outcome(ranks=(1 - player, player), scores=scores, reason=reason)
        if not is_over(TABLES, self.state):
            return None
        mover, won = int(to_move(TABLES, self.state)), int(result(TABLES, self.state))
        ranks = [0, 0]
        if won:
            ranks[mover if won < 0 else 1 - mover] = 1
        return Outcome(ranks=tuple(ranks), scores=scores, reason=self._reason(ranks))

    def _reason(self, ranks: list[int]) -> str:
        red, blue = (self._power(player) for player in range(N_PLAYERS))
        turns = int(self.state[TURN])
        end = f"after all {MAX_TURNS} turns" if red and blue else f"in {turns} turns"
        if ranks[0] == ranks[1]:
            return f"a draw {end}, {red} : {blue}, a lead below 2"
        return f"{COLOURS[ranks.index(0)]} won {end}, {red} : {blue}"


def opened(n_actions: int, rng: Random) -> Ints:
    """Returns a position after this many random actions, in which no action ends the game."""
    state, actions = new_state(), int_buffer(N_ACTIONS)
    while state[TURN] < n_actions:
        action = actions[rng.randrange(legal(TABLES, state, actions))]
        apply(TABLES, state, action, state)
        if is_over(TABLES, state) or (state[TURN] == n_actions and can_end(state)):
            state = new_state()
    return state


def can_end(state: Ints) -> bool:
    """Returns True if an action of the player to move ends the game."""
    actions, after = int_buffer(N_ACTIONS), int_buffer(state)
    for place in range(legal(TABLES, state, actions)):
        apply(TABLES, state, actions[place], after)
        if is_over(TABLES, after):
            return True
    return False


def read_opening(text: str) -> int:
    """Parse the number of actions of an opening. Raises ValueError."""
    if not text.isascii() or not text.isdigit() or int(text) > LONGEST_OPENING:
        raise ValueError(f"a whole number from 0 to {LONGEST_OPENING} is expected")
    return int(text)


CONTEST = Contest(
    name="infexion",
    title="Infexion",
    players=(N_PLAYERS, N_PLAYERS),
    limits=LIMITS,
    new_match=Match,
    verify=verify,
    render=render,
    reconstruct=reconstruct,
    colours=(ORANGE, BLUE),  # the nearest to RED and BLUE
    options={"opening": read_opening},
)
