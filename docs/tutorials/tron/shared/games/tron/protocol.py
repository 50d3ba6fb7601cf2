"""The text of Tron, read and written from both sides (RULES.md, section 3)."""

from shared.core.clock import Limits
from shared.core.protocol import IllegalAction, parse_numbers
from shared.games.tron.sim import remove
from shared.games.tron.state import HEADS, MOVER, N_PLAYERS, WIDTH

LIMITS = Limits(first_ms=1000, turn_ms=100)
DIRECTIONS = ("UP", "RIGHT", "DOWN", "LEFT")


def turn_lines(setup, state, starts, player):
    """The lines of a turn: the number of players, the reader, each one's first and last cell."""
    lines = [f"{setup[N_PLAYERS]} {player}"]
    for start, head in zip(starts, state[HEADS : HEADS + setup[N_PLAYERS]]):
        x, y, last_x, last_y = start % WIDTH, start // WIDTH, head % WIDTH, head // WIDTH
        lines.append(f"{x - 1} {y - 1} {last_x - 1} {last_y - 1}" if head else "-1 -1 -1 -1")
    return lines


def read_turn(read_line, setup, state):
    """Read a turn's lines into `setup` and `state`, which keeps the ribbons of earlier turns.

    Returns False, without reading, after the game's end. Raises ProtocolError.
    """
    line = read_line()
    if not line:
        return False
    setup[N_PLAYERS], state[MOVER] = parse_numbers(line, 2, "players and own number")
    for player in range(setup[N_PLAYERS]):
        x, y, last_x, last_y = parse_numbers(read_line(), 4, "x0 y0 x1 y1 of a player")
        start, head = WIDTH * (y + 1) + x + 1, WIDTH * (last_y + 1) + last_x + 1
        if head == 0:
            remove(setup, state, player)
        else:
            state[start] = state[head] = player + 1
        state[HEADS + player] = head
    return True


def parse_step(line):
    """The action in a line. Raises IllegalAction."""
    if line not in DIRECTIONS:
        raise IllegalAction(f"expected one of {', '.join(DIRECTIONS)}, got {line[:200]!r}")
    return DIRECTIONS.index(line)
