"""Coders Strike Back as a `Contest` of `shared/core/contest.py`."""

import math
from random import Random
from typing import Any

from ...core.contest import Case, Contest, Outcome
from ...core.jit import float_buffer
from ...core.protocol import IllegalAction
from ...games.coders_strike_back.maps import HEIGHT, LAPS, WIDTH, new_course
from ...games.coders_strike_back.protocol import LIMITS, parse_action, start_lines, turn_lines
from ...games.coders_strike_back.reconstruct import reconstruct
from ...games.coders_strike_back.render import render
from ...games.coders_strike_back.sim import MAX_TURNS, apply, race_points, winner
from ...games.coders_strike_back.state import (
    ANGLE,
    BOOSTED,
    COLLISIONS,
    N_PLAYERS,
    N_PODS,
    NEXT,
    SHIELD,
    TIMEOUT,
    TURN,
    VX,
    VY,
    WON,
    X,
    Y,
    new_setup,
    new_state,
)
from ...games.coders_strike_back.truth import verify

PODS_PER_PLAYER = N_PODS // N_PLAYERS
MAX_COLLISIONS = 16  # as many as the page shows a turn
RANDOM_COMMANDS = ("200", "100", "0", "BOOST", "SHIELD")
FAR = 100_000  # distance of a target
SHOWN_FIELDS = (X, Y, VX, VY, ANGLE, NEXT, SHIELD, BOOSTED, WON)


class Match:
    """One game of Coders Strike Back."""

    n_players = N_PLAYERS

    def __init__(self, seed: int, n_players: int = N_PLAYERS) -> None:
        self.checkpoints = new_course(seed)
        self.course = new_setup(self.checkpoints, LAPS, MAX_COLLISIONS)
        self.state = new_state(self.checkpoints)
        self.fault: tuple[int, str] | None = None

    def setup(self) -> dict[str, Any]:
        return {"laps": LAPS, "checkpoints": self.checkpoints, "max_turns": MAX_TURNS}

    def snapshot(self) -> dict[str, Any]:
        pods = []
        for pod in range(N_PODS):
            values = [self.state[field + pod] for field in SHOWN_FIELDS]
            pods.append([float(v) if f == ANGLE else int(v) for f, v in zip(SHOWN_FIELDS, values)])
        shown = min(int(self.course[COLLISIONS]), MAX_COLLISIONS)
        return {
            "pods": pods,
            "timeouts": [int(self.state[TIMEOUT + player]) for player in range(N_PLAYERS)],
            "collisions": [self._collision(COLLISIONS + 1 + 5 * i) for i in range(shown)],
        }

    def _collision(self, base: int) -> list[float]:
        when, i, j, x, y = (float(number) for number in self.course[base : base + 5])
        return [round(when, 3), int(i), int(j), round(x), round(y)]

    def players_to_move(self) -> list[int]:
        return [0, 1]

    def initial_input(self, player: int) -> list[str]:
        return start_lines(LAPS, self.checkpoints)

    def turn_input(self, player: int) -> list[str]:
        return turn_lines(self.state, len(self.checkpoints), player)

    def lines_expected(self, player: int) -> int:
        return PODS_PER_PLAYER

    def parse(self, player: int, lines: list[str]) -> Any:
        actions = []
        for pod, line in enumerate(lines):
            try:
                actions.append(parse_action(line))
            except IllegalAction as error:
                raise IllegalAction(f"pod {pod}: {error}") from None
        return actions

    def read_expected(self, player: int, text: str) -> dict[int, Any]:
        """Parse `HEADING COMMAND` of all pods, the player's own first: degrees, and a command."""
        pods = text.split(";")
        if len(pods) != N_PODS:
            raise IllegalAction(f"expected {N_PODS} pods, got {text[:200]!r}")
        actions: dict[int, Any] = {player: [], 1 - player: []}
        for number, word in enumerate(pods):
            owner = player if number < PODS_PER_PLAYER else 1 - player
            pod = PODS_PER_PLAYER * owner + number % PODS_PER_PLAYER
            heading, _, command = word.partition(" ")
            angle = math.radians(int(heading))
            x = round(self.state[X + pod] + FAR * math.cos(angle))
            y = round(self.state[Y + pod] + FAR * math.sin(angle))
            actions[owner].append(parse_action(f"{x} {y} {command}"))
        return actions

    def random_lines(self, player: int, rng: Random) -> list[str]:
        return [
            f"{rng.randrange(WIDTH)} {rng.randrange(HEIGHT)} {rng.choice(RANDOM_COMMANDS)}"
            for _ in range(PODS_PER_PLAYER)
        ]

    def play(self, actions: dict[int, Any]) -> None:
        moves = [
            number for player in range(N_PLAYERS) for move in actions[player] for number in move
        ]
        apply(self.course, self.state, float_buffer(moves))

    def eliminate(self, player: int, reason: str) -> None:
        self.fault = self.fault or (player, reason)

    def outcome(self) -> Outcome | None:
        if self.fault:
            player, reason = self.fault
            return self._won_by(1 - player, reason)
        first = winner(self.course, self.state)
        if first < 0:
            return None
        return self._won_by(first, self._reason(first))

    def _won_by(self, player: int, reason: str) -> Outcome:
        scores = [
            max(float(race_points(self.course, self.state, pod)) for pod in (2 * p, 2 * p + 1))
            for p in range(N_PLAYERS)
        ]
        return Outcome(ranks=(player, 1 - player), scores=tuple(scores), reason=reason)

    def _reason(self, first: int) -> str:
        turns = int(self.state[TURN])
        if self.state[TIMEOUT + 1 - first] <= 0:
            return f"player {1 - first} passed no checkpoint for 100 turns (turn {turns - 1})"
        for pod in (2 * first, 2 * first + 1):
            if self.state[WON + pod]:
                return f"player {first} finished the race with pod {pod % 2} in {turns} turns"
        return f"player {first} leads after {MAX_TURNS} turns"


def map_of(seed: int, n_players: int) -> Case:
    """Returns a seed's case, with its checkpoint count."""
    return Case(f"course {seed}", f"{len(new_course(seed))} checkpoints")


CONTEST = Contest(
    name="coders_strike_back",
    title="Coders Strike Back",
    players=(N_PLAYERS, N_PLAYERS),
    limits=LIMITS,
    new_match=Match,
    verify=verify,
    render=render,
    reconstruct=reconstruct,
    read_expected=Match.read_expected,
    map_of=map_of,
)
