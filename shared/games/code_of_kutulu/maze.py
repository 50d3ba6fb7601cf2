"""A maze of Code of Kutulu as one flat int64 buffer, with the distances and steps of all paths.

Walkable cells are numbered from 0, row by row; there are at most MAX_CELLS.

    n_cells, width, height
    full           1 where slashers, shelters and yells exist (from league 3 on)
    lonely, group  sanity lost a turn without and with company
    spawn_time, life_time  of wanderers
    n_spawns, n_shelters
    spawns[9], shelters[15]  their cells
    places[256]    x | y << 8 of each cell
    neighbours[1024]  the cells UP RIGHT DOWN LEFT of each, the cell itself where there is a wall
    pairs[65536]   what is known of the way between two cells, at first << 8 | second
    room[..]       what `sim.py` writes when cells are lit

A *pair* is the length of the path (9 bits, UNREACHABLE without one), the Manhattan distance (6), a
bit for a clear straight line, and from bit 16 on, for each of the four orders in which neighbours
are looked at, the cell of the first step (8 bits each).
"""

from shared.core.jit import Ints, inline, int_buffer, kernel

MAX_CELLS = 256
MAX_SIDE = 32
MAX_SPAWNS = 9
MAX_SHELTERS = 15
N_DIRECTIONS = 4

N_CELLS, WIDTH, HEIGHT, FULL, LONELY, GROUP, SPAWN_TIME, LIFE_TIME = range(8)
N_SPAWNS, N_SHELTERS = 8, 9
SPAWNS = N_SHELTERS + 1
SHELTER_CELLS = SPAWNS + MAX_SPAWNS
PLACES = SHELTER_CELLS + MAX_SHELTERS
NEIGHBOURS = PLACES + MAX_CELLS
PAIRS = NEIGHBOURS + N_DIRECTIONS * MAX_CELLS
LIT_CELLS = PAIRS + MAX_CELLS * MAX_CELLS
LIT_COSTS = LIT_CELLS + MAX_CELLS
LIT_STEPS = LIT_COSTS + MAX_CELLS
# Every cell is queued at most once by each neighbour, and the first one.
MAX_QUEUED = N_DIRECTIONS * MAX_CELLS + 1
QUEUE = LIT_STEPS + MAX_CELLS
N_QUEUES = 8  # a power of 2, more than the greatest cost of a step
QUEUED = QUEUE + 2 * N_QUEUES
MAZE_SIZE = QUEUED + MAX_QUEUED + 1

CELL_BITS = 8
CELL = (1 << CELL_BITS) - 1
DISTANCE_BITS, MANHATTAN_BITS = 9, 6
UNREACHABLE = (1 << DISTANCE_BITS) - 1
MANHATTAN = (1 << MANHATTAN_BITS) - 1
CLEAR_BIT = DISTANCE_BITS + MANHATTAN_BITS
STEP_BIT = CLEAR_BIT + 1

WALL, EMPTY, SPAWN, SHELTER, START = "#.wUS"
DX, DY = (0, 1, 0, -1), (-1, 0, 1, 0)


def new_maze(rows, lonely, group, spawn_time, life_time, full=True, size=MAZE_SIZE):
    """The buffer of a maze, with room for a bot's own numbers up to `size`.

    rows: of #, ., w (spawn), U (shelter) and S (start, which the buffer does not keep), no more of
    them than there is room for.
    """
    maze = int_buffer(size)
    numbers = {}
    for y, row in enumerate(rows):
        for x, character in enumerate(row):
            if character == WALL:
                continue
            cell = numbers[x, y] = len(numbers)
            maze[PLACES + cell] = x | y << CELL_BITS
            if character == SPAWN:
                maze[SPAWNS + maze[N_SPAWNS]] = cell
                maze[N_SPAWNS] += 1
            elif character == SHELTER and full:
                maze[SHELTER_CELLS + maze[N_SHELTERS]] = cell
                maze[N_SHELTERS] += 1
    for (x, y), cell in numbers.items():
        for i in range(N_DIRECTIONS):
            next_to = numbers.get((x + DX[i], y + DY[i]), cell)
            maze[NEIGHBOURS + N_DIRECTIONS * cell + i] = next_to
    maze[N_CELLS], maze[WIDTH], maze[HEIGHT] = len(numbers), len(rows[0]), len(rows)
    maze[FULL], maze[LONELY], maze[GROUP] = int(full), lonely, group
    maze[SPAWN_TIME], maze[LIFE_TIME] = spawn_time, life_time
    find_paths(maze)
    return maze


@inline
def place_of(maze, cell):
    """(x, y) of a cell."""
    place = maze[PLACES + cell]
    return place & CELL, place >> CELL_BITS


@inline
def search_paths(maze, start, first_pair, order):
    """Write lengths and first steps of the paths from a cell in one order of neighbours."""
    step_bit = STEP_BIT + CELL_BITS * order
    for cell in range(maze[N_CELLS]):
        maze[LIT_COSTS + cell] = -1
    maze[LIT_COSTS + start] = 0
    maze[LIT_STEPS + start] = start
    maze[first_pair + start] |= start << step_bit
    maze[QUEUE] = start
    begin, end = 0, 1
    while begin < end:
        cell = maze[QUEUE + begin]
        begin += 1
        for i in range(N_DIRECTIONS):
            direction = (i + order) & 3
            next_cell = maze[NEIGHBOURS + N_DIRECTIONS * cell + direction]
            if maze[LIT_COSTS + next_cell] >= 0:
                continue
            length = maze[LIT_COSTS + cell] + 1
            step = next_cell if cell == start else maze[LIT_STEPS + cell]
            maze[LIT_COSTS + next_cell] = length
            maze[LIT_STEPS + next_cell] = step
            pair = maze[first_pair + next_cell] & ~UNREACHABLE
            maze[first_pair + next_cell] = pair | length | step << step_bit
            maze[QUEUE + end] = next_cell
            end += 1


@kernel
def find_paths(maze: Ints) -> None:
    """Write the pairs of all cells.

    A breadth-first search from each cell in each order of neighbours: who first reaches a cell is
    the one before it on the path.
    """
    for start in range(maze[N_CELLS]):
        first_pair = PAIRS + (start << CELL_BITS)
        x, y = place_of(maze, start)
        for cell in range(maze[N_CELLS]):
            cell_x, cell_y = place_of(maze, cell)
            maze[first_pair + cell] = (
                abs(cell_x - x) + abs(cell_y - y)
            ) << DISTANCE_BITS | UNREACHABLE
        maze[first_pair + start] = 1 << CLEAR_BIT
        for direction in range(N_DIRECTIONS):
            cell = start
            next_cell = maze[NEIGHBOURS + N_DIRECTIONS * cell + direction]
            while next_cell != cell:
                cell = next_cell
                maze[first_pair + cell] |= 1 << CLEAR_BIT
                next_cell = maze[NEIGHBOURS + N_DIRECTIONS * cell + direction]
        for order in range(N_DIRECTIONS):
            search_paths(maze, start, first_pair, order)


@inline
def pair_of(maze, first, second):
    """What is known of the way from one cell to another."""
    return maze[PAIRS + ((first & CELL) << CELL_BITS | second & CELL)]


@inline
def distance(pair):
    """The length of a path."""
    return pair & UNREACHABLE


@inline
def manhattan(pair):
    """The Manhattan distance, through walls."""
    return pair >> DISTANCE_BITS & MANHATTAN


@inline
def is_clear(pair):
    """Whether one cell sees the other along a row or a column."""
    return pair >> CLEAR_BIT & 1


@inline
def first_step(pair, order):
    """The first cell of the path, where neighbours are looked at from direction `order` on."""
    return pair >> STEP_BIT + CELL_BITS * order & CELL


@inline
def neighbour(maze, cell, direction):
    """The cell next to a cell, itself at a wall; direction: 0..3 for UP RIGHT DOWN LEFT."""
    return maze[NEIGHBOURS + N_DIRECTIONS * (cell & CELL) + (direction & 3)]


def cell_at(maze, x, y):
    """The number of the cell at a place, -1 for a wall or outside."""
    for cell in range(maze[N_CELLS]):
        if place_of(maze, cell) == (x, y):
            return cell
    return -1
