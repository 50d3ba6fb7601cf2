"""Code of Kutulu as a `Contest` of `shared/core/contest.py`."""

from random import Random
from typing import Any

from ...core.contest import Case, Contest, Outcome, Rebuilt
from ...core.jit import int_buffer
from ...core.protocol import ProtocolError
from ...games.code_of_kutulu.draws import draw_for_minions, draw_order
from ...games.code_of_kutulu.maps import (
    FULL_LEAGUE,
    LEGEND,
    LIGHT_LEAGUE,
    MazeError,
    new_game,
    read_mazes,
)
from ...games.code_of_kutulu.maze import place_of
from ...games.code_of_kutulu.protocol import (
    LIMITS,
    effects_of,
    minions_of,
    parse_action,
    start_lines,
    turn_lines,
)
from ...games.code_of_kutulu.render import render
from ...games.code_of_kutulu.sim import MAX_TURN, is_over, make_apply, remove_player
from ...games.code_of_kutulu.state import (
    ACTIONS,
    CELLS,
    LIGHT,
    LIGHTS,
    N_PLAYERS,
    PLAN,
    PLANS,
    SANITIES,
    SCORES,
    TURN,
    WAIT,
    YELL,
    living,
)
from ...games.code_of_kutulu.truth import make_verify, read_start

apply = make_apply(draw_order, draw_for_minions)

FAULT = -1  # the score of a player eliminated for a fault


class Match:
    """One game, always at the start of a turn.

    league: 1 to 7. mazes, forced: see `maps.new_game`.
    """

    n_players = N_PLAYERS

    def __init__(
        self,
        seed: int,
        n_players: int = N_PLAYERS,
        league: int = LEGEND,
        mazes: Any = None,
        forced: Any = None,
    ) -> None:
        self.league = league
        self.rows, self.maze, self.state = new_game(seed, league, mazes, forced)
        # Effects in the order in which they began, which is their order in the input.
        self.effects: list[tuple] = []
        self.faults: dict[int, str] = {}
        self.actions: dict[int, int] = {}

    def setup(self) -> dict[str, Any]:
        """Returns the constant data of the game, for the page."""
        return {"league": self.league, "rows": self.rows, "max_turn": MAX_TURN}

    def snapshot(self) -> dict[str, Any]:
        """Returns the state after a turn as plain data, for the page."""
        state = self.state
        explorers = []
        for player in range(N_PLAYERS):
            fields = (SANITIES, PLANS, LIGHTS, SCORES)
            numbers = [int(state[field + player]) for field in fields]
            explorers.append([*self._place(state[CELLS + player]), *numbers])
        return {
            "turn": int(state[TURN]),
            "living": living(state),
            "explorers": explorers,
            "minions": [
                [kind, number, *self._place(cell), *rest]
                for kind, number, cell, *rest in minions_of(state)
            ],
            "effects": [
                [*effect[:3], self._place(effect[3]) if effect[0] == "SHELTER" else effect[3]]
                for effect in self.effects
            ],
            "actions": {str(player): ACTIONS[action] for player, action in self.actions.items()},
        }

    def _place(self, cell: int) -> list[int]:
        """Returns [x, y] of a cell."""
        return [int(number) for number in place_of(self.maze, cell)]

    def players_to_move(self) -> list[int]:
        return [] if is_over(self.maze, self.state) else living(self.state)

    def initial_input(self, player: int) -> list[str]:
        return start_lines(self.rows, self.maze)

    def turn_input(self, player: int) -> list[str]:
        return turn_lines(self.maze, self.state, self.effects, player)

    def lines_expected(self, player: int) -> int:
        return 1

    def parse(self, player: int, lines: list[str]) -> Any:
        action = parse_action(self.maze, int(self.state[CELLS + player]), lines[0])
        unknown = (action in (PLAN, LIGHT) and self.league < LIGHT_LEAGUE) or (
            action == YELL and self.league < FULL_LEAGUE
        )
        return WAIT if unknown else action

    def random_lines(self, player: int, rng: Random) -> list[str]:
        if rng.random() < 0.3:
            return [rng.choice(ACTIONS)]
        width, height = len(self.rows[0]), len(self.rows)
        return [f"MOVE {rng.randrange(width)} {rng.randrange(height)}"]

    def eliminate(self, player: int, reason: str) -> None:
        remove_player(self.state, player, FAULT)
        self.faults[player] = reason
        self._keep_order(shelters_anew=False)

    def play(self, actions: dict[int, Any]) -> None:
        self.actions = actions
        if is_over(self.maze, self.state):
            return
        joint_action = int_buffer([actions.get(player, WAIT) for player in range(N_PLAYERS)])
        turn = int(self.state[TURN])
        apply(self.maze, self.state, joint_action, 0)
        self._keep_order(shelters_anew=turn != 0 and turn % 50 == 0)

    def _keep_order(self, shelters_anew: bool) -> None:
        """Update the effects, old before new ones. shelters_anew: shelters count as new."""
        now = {(kind, *others): turns for kind, turns, *others in effects_of(self.maze, self.state)}
        kept = [(kind, *others) for kind, _, *others in self.effects]
        kept = [key for key in kept if key in now and not (shelters_anew and key[0] == "SHELTER")]
        kept += [key for key in now if key not in kept]
        self.effects = [(kind, now[kind, *others], *others) for kind, *others in kept]

    def outcome(self) -> Outcome | None:
        if not is_over(self.maze, self.state):
            return None
        scores = [int(self.state[SCORES + player]) for player in range(N_PLAYERS)]
        ranks = tuple(sum(other > score for other in scores) for score in scores)
        return Outcome(ranks, tuple(map(float, scores)), self._how_it_ended(scores))

    def _how_it_ended(self, scores: list[int]) -> str:
        """Returns the reason for the end as text."""
        if len(self.faults) == N_PLAYERS:
            return "; ".join(self.faults.values())
        best = [player for player in range(N_PLAYERS) if scores[player] == max(scores)]
        who = " and ".join(f"player {player}" for player in best)
        if max(scores) >= MAX_TURN:
            return f"{who} survived all turns with most sanity"
        return f"{who} went mad last, in turn {max(scores)}"


def read_league(text: str) -> int:
    """Parse the number of a league. Raises ValueError."""
    if text not in "1234567" or len(text) != 1:
        raise ValueError(f"1 to {LEGEND} is expected, got {text!r}")
    return int(text)


def rebuild(seed: int, options: dict[str, str], inputs: dict[int, list[str]]) -> Rebuilt:
    """Recreate the game of an official seed, on the maze that the players read.

    Raises ProtocolError for input that shows no maze.
    """
    lines = inputs[min(inputs)]
    try:
        rows, _ = read_start(lines)
        game = Match(seed, league=int(options.get("league", LEGEND)), mazes=[rows])
    except (LookupError, ValueError, MazeError) as error:
        raise ProtocolError(f"no first input of Code of Kutulu: {error!r}") from error
    return Rebuilt(game, players=tuple(range(N_PLAYERS)))


def map_of(seed: int, n_players: int, league: int = LEGEND, mazes: Any = None) -> Case:
    """Returns the case of a seed, named by maze number or seed, with the maze's size."""
    rows, _, _ = new_game(seed, league, mazes)
    name = f"maze {mazes.index(rows) + 1}" if mazes else f"maze of seed {seed}"
    return Case(name, f"{len(rows[0])} x {len(rows)}")


CONTEST = Contest(
    name="code_of_kutulu",
    title="Code of Kutulu",
    players=(N_PLAYERS, N_PLAYERS),
    limits=LIMITS,
    new_match=Match,
    verify=make_verify(Match),
    render=render,
    rebuild=rebuild,
    map_of=map_of,
    options={"league": read_league, "mazes": read_mazes},
)
