"""The state of Cellularena as one flat int64 buffer: stocks, counts, and a number for each cell.

    turn         turns played.
    next_id      next organ's id.
    width, height
    ended        0 while the game goes on, else the reason for its end (`sim.py`).
    n_open       cells with neither an organ nor a wall.
    stocks[8]    proteins A, B, C, D of player 0, then of player 1.
    organs[2]    number of organs of each player.
    roots[2]     number of organisms of each player.
    cells[364]   the board in rows of 26, with a border of walls: (x, y) is cell 26 (y+1) + x+1.

A *cell* of the board holds, from its lowest bit: its kind (4 bits), and for an organ the owner (1),
the direction it faces (2), the cell of its parent (9, 0 for a root), the cell of its root (9), a
mark that only `apply` uses (1), and its id (from bit 26).

An *action* is an organ to grow: its kind (3 bits, 0 to wait), its direction (2), its cell (9) and
the cell of the organ it grows from (9). A root is spored. A *joint action* int64[JOINT_SIZE] has
the number of actions of each player, then the actions of player 0 and of player 1.
"""

from ...core.jit import inline, int_buffer

N_PLAYERS = 2
N_PROTEINS = 4
PROTEIN_NAMES = "ABCD"
MAX_WIDTH, MAX_HEIGHT = 24, 12
ROW = MAX_WIDTH + 2
BOARD_SIZE = ROW * (MAX_HEIGHT + 2)
MAX_ACTIONS = MAX_WIDTH * MAX_HEIGHT  # the most actions of both players in a turn

EMPTY, ROOT, BASIC, TENTACLE, HARVESTER, SPORER, A, B, C, D, WALL = range(11)
KINDS = ("", "ROOT", "BASIC", "TENTACLE", "HARVESTER", "SPORER", "A", "B", "C", "D", "WALL")
NORTH, EAST, SOUTH, WEST = range(4)
DIRECTIONS = "NESW"
STEPS = (-ROW, 1, ROW, -1)
# For each kind of organ 4 bits: the proteins it costs, one of each, A the lowest.
COSTS = 0b1111 << 4 * ROOT | 0b0001 << 4 * BASIC | 0b0110 << 4 * TENTACLE
COSTS |= 0b1100 << 4 * HARVESTER | 0b1010 << 4 * SPORER

TURN, NEXT_ID, WIDTH, HEIGHT, ENDED, N_OPEN, STOCKS = range(7)
ORGANS = STOCKS + N_PLAYERS * N_PROTEINS
ROOTS = ORGANS + N_PLAYERS
CELLS = ROOTS + N_PLAYERS
STATE_SIZE = CELLS + BOARD_SIZE
JOINT_SIZE = N_PLAYERS + MAX_ACTIONS

KIND, CELL = 15, 511
OWNER_BIT, FACING_BIT, PARENT_BIT, ROOT_BIT, MARK_BIT, ID_BIT = 4, 5, 7, 16, 25, 26
MARK = 1 << MARK_BIT

ACTION_KIND, FACING, TARGET_BIT, FROM_BIT = 7, 3, 5, 14
TURN_BIT = 3  # the place of the direction in an action
WAIT = 0


def new_state():
    """Returns an empty state without a board."""
    return int_buffer(STATE_SIZE)


@inline
def copy_state(source, target):
    """Copy a state."""
    for i in range(STATE_SIZE):
        target[i] = source[i]


def cell_at(x, y):
    """Returns the number of a cell."""
    return ROW * (y + 1) + x + 1


def place_of(cell):
    """Returns (x, y) of a cell."""
    y, x = divmod(int(cell), ROW)
    return x - 1, y - 1


def start_state(width, height, kinds, stocks, roots, first_id=1):
    """Returns the start of a game.

    kinds: {(x, y): kind} of walls and proteins. stocks: the number of each protein, equal for
    both players. roots: (x, y) of each player's root.
    """
    state = new_state()
    clear_board(state, width, height)
    state[NEXT_ID] = first_id
    for place, kind in kinds.items():
        state[CELLS + cell_at(*place)] = kind
    for player, place in enumerate(roots):
        cell = cell_at(*place)
        state[CELLS + cell] = pack_organ(ROOT, player, NORTH, 0, cell, first_id + player)
        state[ORGANS + player] = state[ROOTS + player] = 1
        state[NEXT_ID] += 1
        for protein, number in enumerate(stocks):
            state[STOCKS + N_PROTEINS * player + protein] = number
    count_open(state)
    return state


def clear_board(state, width, height):
    """Clear a state to an empty board. The turn number stays."""
    turn = state[TURN]
    for i in range(STATE_SIZE):
        state[i] = WALL if i >= CELLS else 0
    for y in range(height):
        for x in range(width):
            state[CELLS + cell_at(x, y)] = EMPTY
    state[TURN], state[WIDTH], state[HEIGHT] = turn, width, height


def count_open(state):
    """Write the number of cells with neither an organ nor a wall."""
    kinds = [int(state[CELLS + cell]) & KIND for cell in range(BOARD_SIZE)]
    state[N_OPEN] = sum(kind == EMPTY or A <= kind <= D for kind in kinds)


@inline
def pack_organ(kind, owner, facing, parent, root, number):
    """Returns a cell's content of an organ. number: organ id."""
    low = kind | owner << OWNER_BIT | facing << FACING_BIT | parent << PARENT_BIT
    return low | root << ROOT_BIT | number << ID_BIT


@inline
def pack_action(kind, facing, target, origin):
    """Returns the action that grows an organ on cell `target` from the organ on cell `origin`."""
    return kind | facing << TURN_BIT | target << TARGET_BIT | origin << FROM_BIT


@inline
def is_organ(content):
    """Returns True if a cell's content is an organ."""
    return ROOT <= content & KIND <= SPORER


@inline
def is_free(content):
    """Returns True for a cell on which an organ can grow."""
    kind = content & KIND
    return kind == EMPTY or (kind >= A and kind <= D)


@inline
def owner_of(content):
    """Returns the owner of a cell's organ."""
    return content >> OWNER_BIT & 1


@inline
def root_of(content):
    """Returns the cell of the root of a cell's organ."""
    return content >> ROOT_BIT & CELL


@inline
def faced_cell(cell, content):
    """Returns the cell that an organ on `cell` faces."""
    return cell + step_of(content >> FACING_BIT & FACING)


@inline
def step_of(direction):
    """Returns the difference to the next cell in a direction."""
    step = 1 if direction & 1 else ROW
    return step if 0 < direction < WEST else -step


def organ_cells(state, player=-1):
    """Returns the cells with organs of a player (-1: both), row by row."""
    found = []
    for cell, content in enumerate(map(int, state[CELLS:STATE_SIZE])):
        if ROOT <= content & KIND <= SPORER and player in (-1, content >> OWNER_BIT & 1):
            found.append(cell)
    return found
