"""The protocol of Cellularena for referee and bots (RULES.md, section 8)."""

import re
from typing import Callable

from ...core.clock import Limits
from ...core.jit import Ints
from ...core.protocol import IllegalAction, ProtocolError, parse_numbers
from ...games.cellularena.routes import find_growth, manhattan
from ...games.cellularena.sim import is_possible
from ...games.cellularena.state import (
    ACTION_KIND,
    CELL,
    CELLS,
    DIRECTIONS,
    FACING,
    FACING_BIT,
    FROM_BIT,
    HEIGHT,
    ID_BIT,
    KIND,
    KINDS,
    MAX_HEIGHT,
    MAX_WIDTH,
    N_PLAYERS,
    N_PROTEINS,
    NEXT_ID,
    NORTH,
    ORGANS,
    PARENT_BIT,
    ROOT,
    ROOTS,
    SPORER,
    STOCKS,
    TARGET_BIT,
    TURN_BIT,
    WAIT,
    WIDTH,
    cell_at,
    clear_board,
    count_open,
    is_organ,
    organ_cells,
    owner_of,
    pack_action,
    pack_organ,
    place_of,
    root_of,
)

LIMITS = Limits(first_ms=1000, turn_ms=50)
# As Java matches a line without the blanks around it: ASCII digits and letters, then a message.
NUMBER, MESSAGE = r"(-?[0-9]+)", r"(?: [^\n\r\u0085\u2028\u2029]*)?"
GROW = re.compile(rf"GROW(?:TH)? {NUMBER} {NUMBER} {NUMBER} (\w+)(?: ([NEWSnews]))?{MESSAGE}", re.A)
SPORE = re.compile(rf"SPORE? {NUMBER} {NUMBER} {NUMBER}{MESSAGE}", re.A)
PASS = re.compile(rf"WAIT{MESSAGE}", re.A)
GREATEST_INT = (1 << 31) - 1
BLANKS = "".join(map(chr, range(33)))
EXPECTED = "'GROW id x y TYPE DIRECTION', 'SPORE id x y' or 'WAIT'"
ORGAN_NAMES = KINDS[ROOT : SPORER + 1]


def start_lines(state: Ints) -> "list[str]":
    """Returns the line that every player reads before the first turn."""
    return [f"{state[WIDTH]} {state[HEIGHT]}"]


def cell_line(state: Ints, cell: int, player: int) -> str:
    """Returns the line of a cell that is not empty."""
    content = int(state[CELLS + cell])
    x, y = place_of(cell)
    kind = KINDS[content & KIND]
    if not is_organ(content):
        return f"{x} {y} {kind} -1 0 X 0 0"
    parent = content >> PARENT_BIT & CELL
    parent_id = int(state[CELLS + parent]) >> ID_BIT if parent else 0
    root_id = int(state[CELLS + root_of(content)]) >> ID_BIT
    direction = DIRECTIONS[content >> FACING_BIT & FACING]
    owner = int(owner_of(content) == player)
    return f"{x} {y} {kind} {owner} {content >> ID_BIT} {direction} {parent_id} {root_id}"


def turn_lines(state: Ints, player: int) -> "list[str]":
    """Returns the lines of a turn: the number of cells, cells by row, proteins (reader
    first), the number of actions.
    """
    cells = [cell_at(x, y) for y in range(int(state[HEIGHT])) for x in range(int(state[WIDTH]))]
    lines = [cell_line(state, cell, player) for cell in cells if state[CELLS + cell] & KIND]
    stocks = []
    for one in (player, 1 - player):
        first = STOCKS + N_PROTEINS * one
        stocks.append(" ".join(str(number) for number in state[first : first + N_PROTEINS]))
    return [str(len(lines)), *lines, *stocks, str(state[ROOTS + player])]


def read_int(text: str) -> int:
    """Parse a number of 32 bits. Raises IllegalAction."""
    number = int(text)
    if not -GREATEST_INT - 1 <= number <= GREATEST_INT:
        raise IllegalAction(f"{text[:200]} has more than 32 bits")
    return number


def parse_action(state: Ints, player: int, line: str) -> int:
    """Parse an action. An impossible growth becomes WAIT; proteins are not checked.

    A growth towards a far cell becomes the growth of the next organ on the path. Raises
    IllegalAction.
    """
    line = line.strip(BLANKS)
    kind, facing, is_spore = ROOT, NORTH, False
    if match := GROW.fullmatch(line):
        if match[4] not in ORGAN_NAMES:
            raise IllegalAction(f"{match[4][:200]!r} is no type of organ")
        kind = KINDS.index(match[4])
        facing = DIRECTIONS.index((match[5] or "N").upper())
    elif match := SPORE.fullmatch(line):
        is_spore = True
    else:
        if PASS.fullmatch(line):
            return WAIT
        raise IllegalAction(f"expected {EXPECTED}, got {line[:200]!r}")
    number, x, y = (read_int(match[i]) for i in (1, 2, 3))
    is_inside = 0 <= x < state[WIDTH] and 0 <= y < state[HEIGHT]
    origins = [
        cell for cell in organ_cells(state, player) if state[CELLS + cell] >> ID_BIT == number
    ]
    if not origins or not is_inside or is_spore != (kind == ROOT):
        return WAIT
    origin, target = origins[0], cell_at(x, y)
    if kind != ROOT and manhattan(origin, target) != 1:
        content = int(state[CELLS + target])
        is_own = is_organ(content) and root_of(content) == root_of(int(state[CELLS + origin]))
        found = None if is_own else find_growth(state, origin, target)
        if found is None:
            return WAIT
        origin, target = found
    action = pack_action(kind, facing, target, origin)
    return action if is_possible(state, player, action) else WAIT


def format_action(state: Ints, action: int) -> str:
    """Returns the line of an action. state: the state before the turn."""
    kind = action & ACTION_KIND
    if kind == WAIT:
        return "WAIT"
    x, y = place_of(action >> TARGET_BIT & CELL)
    number = int(state[CELLS + (action >> FROM_BIT & CELL)]) >> ID_BIT
    if kind == ROOT:
        return f"SPORE {number} {x} {y}"
    return f"GROW {number} {x} {y} {KINDS[kind]} {DIRECTIONS[action >> TURN_BIT & FACING]}"


def read_start(read_line: "Callable[[], str]", line: str = "") -> "tuple[int, int]":
    """Returns the width and height of the board. line: the first line, if it was read before.

    Raises ProtocolError.
    """
    width, height = parse_numbers(line or read_line(), 2, "the board's width and height")
    if not (0 < width <= MAX_WIDTH and 0 < height <= MAX_HEIGHT):
        raise ProtocolError(f"expected a board of at most 24 x 12 cells, got {width} x {height}")
    return width, height


def read_cell(line: str, number: int, width: int, height: int) -> tuple:
    """Returns (cell, kind, owner, id, facing, parent's id, root's id) of a line. Raises
    ProtocolError.
    """
    words = line.split()
    what = f"entity {number}: x y type owner organId organDir organParentId organRootId"
    if len(words) != 8 or words[2] not in KINDS or words[5] not in (*DIRECTIONS, "X"):
        if not line:
            raise ProtocolError(f"the input ended where {what} should follow")
        raise ProtocolError(f"expected {what}, got {line.rstrip()[:200]!r}")
    numbers = parse_numbers(" ".join(words[i] for i in (0, 1, 3, 4, 6, 7)), 6, what)
    x, y, owner, *ids = numbers
    kind = KINDS.index(words[2])
    is_known = 0 <= x < width and 0 <= y < height and all(0 <= one < 1 << 31 for one in ids)
    if not is_known or owner not in ((0, 1) if is_organ(kind) else (-1,)):
        raise ProtocolError(f"expected {what}, got {line.rstrip()[:200]!r}")
    return (cell_at(x, y), kind, owner, ids[0], max(0, DIRECTIONS.find(words[5])), *ids[1:])


def read_turn(
    read_line: "Callable[[], str]", line: str, size: "tuple[int, int]", player: int, state: Ints
) -> int:
    """Read a turn into `state`, except the turn number.

    line: the first line. player: the reader. Returns the number of lines to write. Raises
    ProtocolError.
    """
    (count,) = parse_numbers(line, 1, "the number of entities")
    if not 0 <= count <= size[0] * size[1]:
        raise ProtocolError(f"expected at most {size[0] * size[1]} entities, got {count}")
    cells = [read_cell(read_line(), number, *size) for number in range(1, count + 1)]
    stocks = [parse_numbers(read_line(), N_PROTEINS, "proteins") for _ in range(N_PLAYERS)]
    (n_lines,) = parse_numbers(read_line(), 1, "the number of actions")
    fill_state(state, size, player, cells, stocks)
    return n_lines


def fill_state(
    state: Ints, size: "tuple[int, int]", player: int, cells: "list[tuple]", stocks: "list"
) -> None:
    """Write the cells of `read_cell` and the proteins, the reader's first, into a state. Raises
    ProtocolError.
    """
    clear_board(state, *size)
    places = {number: cell for cell, kind, _, number, *_ in cells if is_organ(kind)}
    for cell, kind, owner, number, facing, parent, root in cells:
        state[CELLS + cell] = kind
        if not is_organ(kind):
            continue
        if root not in places or (parent not in places and kind != ROOT):
            raise ProtocolError(f"organ {number} has a parent or root that is not on the board")
        owner = player if owner == 1 else 1 - player
        links = places[parent] if kind != ROOT else 0, places[root]
        state[CELLS + cell] = pack_organ(kind, owner, facing, *links, number)
        state[ORGANS + owner] += 1
        state[ROOTS + owner] += kind == ROOT
        state[NEXT_ID] = max(int(state[NEXT_ID]), number + 1)
    for one, numbers in zip((player, 1 - player), stocks):
        for protein, number in enumerate(numbers):
            state[STOCKS + N_PROTEINS * one + protein] = number
    count_open(state)
