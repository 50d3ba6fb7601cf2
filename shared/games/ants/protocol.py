"""The protocol of Ants for referee and bots (RULES.md, section 3).

Owner numbers are relative to the reader: 0 is the reader, others are numbered as first seen.
"""

from typing import Callable, NamedTuple, Optional

from ...core.clock import Limits
from ...core.protocol import ProtocolError
from ...games.ants.state import DIRECTIONS, Radii

LIMITS = Limits(first_ms=3000, turn_ms=500)
READY, DONE, END = "ready", "go", "end"
MOST_SIDE = 1000  # largest map that a bot accepts


class Start(NamedTuple):
    """The parameters sent to a player before the first turn."""

    turns: int
    rows: int
    cols: int
    radii: Radii
    load_ms: int = LIMITS.first_ms
    turn_ms: int = LIMITS.turn_ms
    seed: int = 42


class Sight(NamedTuple):
    """A turn's input as cells or (cell, owner)."""

    turn: int
    water: list
    hills: list
    ants: list
    food: list
    dead: list


def start_lines(start: Start) -> list:
    """Returns the lines that a player reads before the first turn."""
    return [
        "turn 0",
        f"loadtime {start.load_ms}",
        f"turntime {start.turn_ms}",
        f"rows {start.rows}",
        f"cols {start.cols}",
        f"turns {start.turns}",
        f"viewradius2 {start.radii.view}",
        f"attackradius2 {start.radii.attack}",
        f"spawnradius2 {start.radii.spawn}",
        f"player_seed {start.seed}",
        READY,
    ]


def format_order(cell: int, direction: int, cols: int) -> str:
    return f"o {cell // cols} {cell % cols} {DIRECTIONS[direction]}"


def read_start(read_line: Callable[[], str]) -> Optional[Start]:
    """Read up to `ready`; returns None for an empty input. Raises ProtocolError."""
    found = {}
    line = read_line()
    if not line:
        return None
    while line.strip() != READY:
        words = line.split()
        if not line:
            raise ProtocolError("the input ended where 'ready' should follow")
        if words and (len(words) != 2 or not is_number(words[1], -(2**63), 2**63)):
            raise _unlike("a setting and a whole number, or 'ready'", line)
        if words:
            found[words[0]] = int(words[1])
        line = read_line()
    for name in ("rows", "cols", "turns", "viewradius2", "attackradius2", "spawnradius2"):
        least, most = (1, MOST_SIDE) if name in ("rows", "cols") else (0, 10**6)
        if not least <= found.get(name, -1) <= most:
            told = found.get(name, "nothing")
            raise ProtocolError(f"expected {name} of {least} to {most} before 'ready', got {told}")
    radii = Radii(found["viewradius2"], found["attackradius2"], found["spawnradius2"])
    if max(radii) > 10000:
        raise ProtocolError(f"expected radii within 100 squares, got {max(radii)} for a square")
    return Start(
        found["turns"],
        found["rows"],
        found["cols"],
        radii,
        found.get("loadtime", LIMITS.first_ms),
        found.get("turntime", LIMITS.turn_ms),
        found.get("player_seed", 42),
    )


def is_number(word: str, least: int, most: int) -> bool:
    """Returns True if a word is a whole number from `least` to `most`."""
    digits = word[1:] if word[:1] == "-" else word
    is_whole = digits.isascii() and digits.isdigit() and len(digits) < 20
    return is_whole and least <= int(word) <= most


def read_turn(read_line: Callable[[], str], start: Start) -> Optional[Sight]:
    """Read a turn up to its `go`; returns None at the end of the game or input. Raises
    ProtocolError.
    """
    line = read_line()
    while line and not line.strip():
        line = read_line()
    words = line.split()
    if not line or words == [END]:
        return None
    if len(words) != 2 or words[0] != "turn" or not is_number(words[1], 0, 10**9):
        raise _unlike("'turn' and its number, or 'end'", line)
    sight = Sight(int(words[1]), [], [], [], [], [])
    plain = {"w": sight.water, "f": sight.food}
    owned = {"h": sight.hills, "a": sight.ants, "d": sight.dead}
    rows, cols = start.rows, start.cols
    while True:
        line = read_line()
        words = line.split()
        try:
            if len(words) == 4:
                row, column, owner = int(words[1]), int(words[2]), int(words[3])
                if 0 <= row < rows and 0 <= column < cols and 0 <= owner < 100:
                    owned[words[0]].append((row * cols + column, owner))
                    continue
            elif len(words) == 3:
                row, column = int(words[1]), int(words[2])
                if 0 <= row < rows and 0 <= column < cols:
                    plain[words[0]].append(row * cols + column)
                    continue
            elif words == [DONE]:
                return sight
            elif line and not words:
                continue
        except (KeyError, ValueError):
            pass
        if not line:
            raise ProtocolError("the input ended where 'go' should follow")
        what = f"w, f (row, column) or h, a, d (row, column, owner) on {rows} x {cols}, or 'go'"
        raise _unlike(what, line)


def _unlike(what: str, line: str) -> ProtocolError:
    return ProtocolError(f"expected {what}, got {line.rstrip()[:200]!r}")
