"""The protocol of Code of Kutulu for referee and bots (RULES.md, section 8)."""

import re
from typing import Iterator, Optional

from ...core.clock import Limits
from ...core.jit import Ints
from ...core.protocol import IllegalAction
from ...games.code_of_kutulu.maze import (
    GROUP,
    LIFE_TIME,
    LONELY,
    N_SHELTERS,
    SHELTER_CELLS,
    SPAWN_TIME,
    UNREACHABLE,
    cell_at,
    distance,
    first_step,
    neighbour,
    pair_of,
    place_of,
)
from ...games.code_of_kutulu.state import (
    ACTIONS,
    CELL,
    CELLS,
    EFFECTS,
    ID_BIT,
    KIND_BIT,
    KINDS,
    LIGHTS,
    LIT,
    MINIONS,
    N_MINIONS,
    N_PLAYERS,
    PLANS,
    SANITIES,
    SHELTER,
    SHELTER_BITS,
    SHELTERS,
    STATE,
    STATE_BIT,
    TARGET,
    TARGET_BIT,
    TIMER,
    TIMER_BIT,
    UP,
    WAIT,
    is_yell,
    living,
)

LIMITS = Limits(first_ms=1000, turn_ms=50)
# As Java reads a line: ASCII digits, letters and blanks, then a message to its end.
MESSAGE = r"(?:\s+[^\n\r\u0085\u2028\u2029]+)?\s*"
MOVE = re.compile(rf"MOVE (-?[0-9]+) (-?[0-9]+){MESSAGE}", re.I | re.A)
WORD = re.compile(rf"([A-Z_0-9]+){MESSAGE}", re.I | re.A)
GREATEST_INT = (1 << 31) - 1
EXPECTED = "'WAIT', 'MOVE x y', 'UP', 'RIGHT', 'DOWN', 'LEFT', 'PLAN', 'LIGHT' or 'YELL'"


def start_lines(rows: "list[str]", maze: Ints) -> "list[str]":
    """Returns the lines that every player reads before the first turn."""
    rows = [row.replace("S", ".") for row in rows]
    if maze[N_SHELTERS] == 0:
        rows = [row.replace("U", ".") for row in rows]
    numbers = (LONELY, GROUP, SPAWN_TIME, LIFE_TIME)
    return [str(len(rows[0])), str(len(rows)), *rows, " ".join(str(maze[n]) for n in numbers)]


def minion_fields(minion: int) -> tuple:
    """Returns (kind, id, cell, timer, state, target or -1) of a minion."""
    minion = int(minion)
    return (
        KINDS[minion >> KIND_BIT & 1],
        minion >> ID_BIT,
        minion & CELL,
        minion >> TIMER_BIT & TIMER,
        minion >> STATE_BIT & STATE,
        (minion >> TARGET_BIT & TARGET) - 1,
    )


def minions_of(state: Ints) -> Iterator[tuple]:
    """Yields the `minion_fields` of all minions, with -1 for eliminated targets."""
    for i in range(int(state[N_MINIONS])):
        *fields, target = minion_fields(state[MINIONS + i])
        yield (*fields, target if target >= 0 and state[SANITIES + target] > 0 else -1)


def effects_of(maze: Ints, state: Ints) -> "list[tuple]":
    """Returns (kind, turns left, caster or -1, receiver, cell or -1) of active effects.

    kind: "PLAN", "LIGHT", "YELL" or "SHELTER" (turns left: energy).
    """
    found = []
    for yeller in range(N_PLAYERS):
        for receiver in range(N_PLAYERS):
            if turns := is_yell(state, yeller, receiver):
                found.append(("YELL", turns, yeller, receiver))
    for player in living(state):
        if effect := int(state[EFFECTS + player]):
            found.append(("LIGHT" if effect & LIT else "PLAN", effect & ~LIT, player, -1))
    for i in range(int(maze[N_SHELTERS])):
        if energy := int(state[SHELTERS]) >> SHELTER_BITS * i & SHELTER:
            found.append(("SHELTER", energy, -1, int(maze[SHELTER_CELLS + i])))
    return found


def effect_line(maze: Ints, state: Ints, effect: tuple) -> Optional[str]:
    """Returns an effect's line, or None for a yell at an eliminated player."""
    kind, turns, caster, other = effect
    if kind == "YELL":
        told = state[SANITIES + other] > 0
        return f"EFFECT_YELL -1 -1 -1 {turns} {caster} {other}" if told else None
    x, y = place_of(maze, other if kind == "SHELTER" else state[CELLS + caster])
    return f"EFFECT_{kind} -1 {x} {y} {turns} {caster} -1"


def turn_lines(maze: Ints, state: Ints, effects: "list[tuple]", player: int) -> "list[str]":
    """Returns the lines of a turn: a count, explorers (reader first), minions, effects."""
    lines = []
    for i in range(N_PLAYERS):
        other = (player + i) % N_PLAYERS
        if other in living(state):
            x, y = place_of(maze, state[CELLS + other])
            fields = (SANITIES, PLANS, LIGHTS)
            numbers = " ".join(str(state[field + other]) for field in fields)
            lines.append(f"EXPLORER {other} {x} {y} {numbers}")
    for kind, number, cell, timer, minion_state, target in minions_of(state):
        x, y = place_of(maze, cell)
        lines.append(f"{kind} {number} {x} {y} {timer} {minion_state} {target}")
    told = (effect_line(maze, state, effect) for effect in effects)
    lines += [line for line in told if line]
    return [str(len(lines)), *lines]


def parse_action(maze: Ints, cell: int, line: str) -> int:
    """Parse the action of a player that stands on a cell; an impossible MOVE becomes WAIT.

    Raises IllegalAction.
    """
    match = MOVE.fullmatch(line)
    if match:
        x, y = int(match[1]), int(match[2])
        if max(x, y) > GREATEST_INT or min(x, y) < -GREATEST_INT - 1:
            raise IllegalAction(f"a coordinate of {line[:200]!r} has more than 32 bits")
        return step_towards(maze, cell, cell_at(maze, x, y))
    match = WORD.fullmatch(line)
    if match and match[1].upper() in ACTIONS:
        return ACTIONS.index(match[1].upper())
    raise IllegalAction(f"expected {EXPECTED}, got {line[:200]!r}")


def step_towards(maze: Ints, cell: int, target: int) -> int:
    """Returns the first step to a cell, or WAIT without a path. target: -1 for a wall."""
    pair = pair_of(maze, cell, target) if target >= 0 else UNREACHABLE
    if target == cell or distance(pair) == UNREACHABLE:
        return WAIT
    step = first_step(pair, 0)
    return next(UP + i for i in range(4) if neighbour(maze, cell, i) == step)
