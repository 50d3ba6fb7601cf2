"""King and rook against king on small boards and the whole one, for retrograde tables.

setup   the side of the board
state   white king, white rook, black king, 0 if white is to move; the rook is N * N if captured
action  0..7 a king's step; of the rook 8 + 4 (distance - 1) + direction
"""

from shared.core.game import AlternatingGame
from shared.core.jit import inline, int_buffer
from shared.search.retrograde import Endgame

KING, ROOK, BLACK, MOVER = range(4)
STEPS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
WAYS = ((0, 1), (1, 0), (0, -1), (-1, 0))


@inline
def shifted(side, cell, dx, dy):
    """The cell so far away, -1 beyond the board."""
    x, y = cell % side + dx, cell // side + dy
    return side * y + x if 0 <= x < side and 0 <= y < side else -1


@inline
def touch(side, one, other):
    return abs(one % side - other % side) <= 1 and abs(one // side - other // side) <= 1


@inline
def attacks(side, rook, cell, king):
    """True if the rook attacks a cell: in its line, the white king not between."""
    if rook == side * side or rook == cell:
        return False
    for direction in range(4):
        dx, dy = WAYS[direction]
        for n in range(1, side):
            at = shifted(side, rook, n * dx, n * dy)
            if at < 0 or at == king:
                break
            if at == cell:
                return True
    return False


@inline
def legal(setup, state, actions):
    side, king, rook, black = setup[0], state[KING], state[ROOK], state[BLACK]
    n = 0
    for step in range(8):
        dx, dy = STEPS[step]
        if state[MOVER] == 0:
            at = shifted(side, king, dx, dy)
            if at >= 0 and at != rook and not touch(side, at, black):
                actions[n] = step
                n += 1
        else:
            at = shifted(side, black, dx, dy)
            if at >= 0 and not touch(side, at, king) and not attacks(side, rook, at, king):
                actions[n] = step
                n += 1
    if state[MOVER] == 0 and rook < side * side:
        for direction in range(4):
            dx, dy = WAYS[direction]
            for distance in range(1, side):
                at = shifted(side, rook, distance * dx, distance * dy)
                if at < 0 or at in (king, black):
                    break
                actions[n] = 8 + 4 * (distance - 1) + direction
                n += 1
    return n


@inline
def apply(setup, state, action, after):
    side, king, rook, black, mover = setup[0], state[KING], state[ROOK], state[BLACK], state[MOVER]
    if action >= 8:
        dx, dy = WAYS[action & 3]
        distance = 1 + (action - 8 >> 2)
        rook = shifted(side, rook, distance * dx, distance * dy)
    else:
        dx, dy = STEPS[action]
        if mover == 0:
            king = shifted(side, king, dx, dy)
        else:
            black = shifted(side, black, dx, dy)
            if black == rook:
                rook = side * side
    after[KING], after[ROOK], after[BLACK], after[MOVER] = king, rook, black, 1 - mover


@inline
def n_escapes(setup, state):
    """The moves of black."""
    side, n = setup[0], 0
    for step in range(8):
        dx, dy = STEPS[step]
        at = shifted(side, state[BLACK], dx, dy)
        is_open = at >= 0 and not touch(side, at, state[KING])
        if is_open and not attacks(side, state[ROOK], at, state[KING]):
            n += 1
    return n


@inline
def is_over(setup, state):
    """True without the rook, or if black cannot move."""
    return state[ROOK] == setup[0] * setup[0] or (
        state[MOVER] == 1 and n_escapes(setup, state) == 0
    )


@inline
def result(setup, state):
    """-1 for black in check, else a draw: stalemate, or no rook."""
    is_check = attacks(setup[0], state[ROOK], state[BLACK], state[KING])
    return -1 if state[MOVER] == 1 and is_check else 0


@inline
def to_move(setup, state):
    return state[MOVER]


@inline
def index(setup, state):
    n = setup[0] * setup[0]
    return ((state[MOVER] * n + state[KING]) * n + state[ROOK]) * n + state[BLACK]


@inline
def write(setup, number, state):
    """False if two pieces share a cell, kings touch, or black is in check with white to move."""
    n = setup[0] * setup[0]
    state[BLACK], number = number % n, number // n
    state[ROOK], number = number % n, number // n
    state[KING], state[MOVER] = number % n, number // n
    king, rook, black = state[KING], state[ROOK], state[BLACK]
    if king == rook or rook == black or touch(setup[0], king, black):
        return False
    return state[MOVER] == 1 or not attacks(setup[0], rook, black, king)


GAME = AlternatingGame(36, 4, to_move, legal, legal, apply, is_over, result, result, index)


def new_setup(side):
    return int_buffer([side])


def new_endgame(side):
    return Endgame(GAME, 2 * side**6, write, index)
