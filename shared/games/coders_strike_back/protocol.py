"""The protocol of Coders Strike Back for referee and bots (RULES.md, section 6).

A bot uses `read_start`, `read_turn` and `format_action`, the referee `start_lines`, `turn_lines`
and `parse_action`. Every player sees its own two pods first.
"""

import math
import re
from typing import Callable

from ...core.clock import Limits
from ...core.jit import Floats
from ...core.protocol import IllegalAction, ProtocolError, parse_numbers
from ...games.coders_strike_back.sim import BOOST, MAX_THRUST, RAISE_SHIELD
from ...games.coders_strike_back.state import (
    ANGLE,
    N_PODS,
    NEXT,
    TIMEOUT,
    TIMEOUT_OF_PASS,
    TURN,
    VX,
    VY,
    X,
    Y,
)

LIMITS = Limits(first_ms=1000, turn_ms=75)
ACTION = re.compile(r"(-?\d{1,15}) (-?\d{1,15}) (BOOST|SHIELD|\d{1,15})(?: .*)?", re.ASCII)
COMMANDS = {"BOOST": BOOST, "SHIELD": RAISE_SHIELD}
COMMAND_NAMES = {BOOST: "BOOST", RAISE_SHIELD: "SHIELD"}


def read_start(read_line: Callable[[], str]) -> "tuple[int, list]":
    """Returns (laps, checkpoints [(x, y)]) of the first lines. Raises ProtocolError."""
    (laps,) = parse_numbers(read_line(), 1, "the number of laps")
    (count,) = parse_numbers(read_line(), 1, "the number of checkpoints")
    checkpoints = [
        tuple(parse_numbers(read_line(), 2, "x y of a checkpoint")) for _ in range(count)
    ]
    return laps, checkpoints


def read_turn(read_line: Callable[[], str], n_checkpoints: int, state: Floats) -> bool:
    """Read a turn into `state`, the own pods first. Raises ProtocolError.

    Returns False, without reading, after the game's end. Sets x, y, vx, vy and the angle as shown
    (whole degrees, in radians), and counts the gates passed.
    """
    for pod in range(N_PODS):
        line = read_line()
        if not line and pod == 0:
            return False
        numbers = parse_numbers(line, 6, "x y vx vy angle nextCheckPointId of a pod")
        x, y, vx, vy, degrees, checkpoint = numbers
        state[X + pod], state[Y + pod], state[VX + pod], state[VY + pod] = x, y, vx, vy
        state[ANGLE + pod] = degrees * (math.pi / 180.0)
        if not 0 <= checkpoint < n_checkpoints:
            raise ProtocolError(f"there is no checkpoint {checkpoint} in {line.rstrip()!r}")
        while state[NEXT + pod] % n_checkpoints != checkpoint:
            state[NEXT + pod] += 1
            state[TIMEOUT + pod // 2] = TIMEOUT_OF_PASS
    return True


def format_action(target_x: int, target_y: int, command: int, message: str = "") -> str:
    """Returns a pod's line. command: a thrust, BOOST or RAISE_SHIELD."""
    return f"{target_x} {target_y} {COMMAND_NAMES.get(command, command)} {message}".rstrip()


def start_lines(laps: int, checkpoints: list) -> "list[str]":
    """Returns the lines that a player reads once, before its first turn."""
    return [str(laps), str(len(checkpoints)), *(f"{x} {y}" for x, y in checkpoints)]


def turn_lines(state: Floats, n_checkpoints: int, player: int) -> "list[str]":
    """Returns the lines of a turn, the reader's own pods first."""
    lines = []
    for pod in (0, 1, 2, 3) if player == 0 else (2, 3, 0, 1):
        numbers = [int(state[field + pod]) for field in (X, Y, VX, VY)]
        degrees = -1
        if state[TURN] > 0:
            degrees = math.floor(state[ANGLE + pod] * (180.0 / math.pi) + 0.5) % 360
        lines.append(
            " ".join(map(str, [*numbers, degrees, int(state[NEXT + pod]) % n_checkpoints]))
        )
    return lines


def parse_action(line: str) -> "tuple[int, int, int]":
    """Returns (x, y, command) of a pod's line. Raises IllegalAction."""
    match = ACTION.fullmatch(line)
    if not match:
        raise IllegalAction(f"expected 'X Y THRUST|BOOST|SHIELD [message]', got {line[:200]!r}")
    x, y, word = match.groups()
    command = COMMANDS[word] if word in COMMANDS else int(word)
    if command > MAX_THRUST:
        raise IllegalAction(f"thrust must be 0 to {MAX_THRUST}, got {line[:200]!r}")
    return int(x), int(y), command
