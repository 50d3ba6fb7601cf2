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
    pairs[65536]   the path between two cells, at first << 8 | second
    room[..]       scratch space of `sim.py` for lit cells

A *pair* is the length of the path (9 bits, UNREACHABLE without one), the Manhattan distance (6), a
bit for a clear straight line; and from bit 16 on, for each of the four search orders of neighbours,
the cell of the first step (8 bits each).
"""

from ...core.jit import Ints, inline, int_buffer, kernel, njit

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
COSTS = LIT_CELLS + MAX_CELLS
STEPS = COSTS + MAX_CELLS
# Each neighbour queues a cell at most once, and the first cell is queued too.
MAX_QUEUED = N_DIRECTIONS * MAX_CELLS + 1
QUEUE = STEPS + MAX_CELLS
N_QUEUES = 8  # a power of 2, more than the greatest cost of a step
LIT_COST = 5  # the cost of a step to a lit cell; other steps cost 1
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
    """Returns a maze of `size` numbers. rows: text of #, ., w (spawn), U (shelter if `full`), S
    (start, not stored).
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
    place = maze[PLACES + cell]
    return place & CELL, place >> CELL_BITS


@inline
def neighbour(maze, cell, direction):
    """Returns the cell next to a cell, the cell itself at a wall; direction: 0..3 for UP RIGHT DOWN
    LEFT.
    """
    return maze[NEIGHBOURS + N_DIRECTIONS * (cell & CELL) + (direction & 3)]


@njit
def weigh_paths(maze, start, order, targets, left):
    """Write the costs and first steps of shortest paths from a cell. Stop when all players of the
    bit set `left` are reached. targets: the players' cells, 8 bits each.

    Ties are resolved as in the official engine: the path found first wins.
    """
    for i in range(maze[N_CELLS]):
        maze[COSTS + i] = -1
    for i in range(2 * N_QUEUES):
        maze[QUEUE + i] = 0
    maze[QUEUED + 1] = start | start << CELL_BITS
    maze[QUEUE] = maze[QUEUE + N_QUEUES] = 1
    n_queued, n_empty, cost = 1, 0, 0
    while left != 0 and n_empty <= LIT_COST:
        queue = QUEUE + (cost & N_QUEUES - 1)
        place = maze[queue]
        n_empty = 0 if place > 0 else n_empty + 1
        while place > 0:
            entry = maze[QUEUED + place]
            cell, step = entry & CELL, entry >> CELL_BITS & CELL
            if maze[COSTS + cell] < 0:
                maze[COSTS + cell], maze[STEPS + cell] = cost, step
                for i in range(4):
                    if targets >> CELL_BITS * i & CELL == cell:
                        left &= ~(1 << i)
                for i in range(N_DIRECTIONS):
                    next_cell = neighbour(maze, cell, i + order)
                    if maze[COSTS + next_cell] >= 0:
                        continue
                    n_queued += 1
                    next_step = next_cell if cell == start else step
                    maze[QUEUED + n_queued] = next_cell | next_step << CELL_BITS
                    entered = LIT_COST if maze[LIT_CELLS + next_cell] else 1
                    other = QUEUE + (cost + entered & N_QUEUES - 1)
                    if maze[other] == 0:
                        maze[other] = n_queued
                    else:
                        last = maze[other + N_QUEUES]
                        maze[QUEUED + last] |= n_queued << 2 * CELL_BITS
                    maze[other + N_QUEUES] = n_queued
            place = maze[QUEUED + place] >> 2 * CELL_BITS
        maze[queue] = 0
        cost += 1


@kernel
def find_paths(maze: Ints) -> None:
    for start in range(maze[N_CELLS]):
        first_pair = PAIRS + (start << CELL_BITS)
        x, y = place_of(maze, start)
        for cell in range(maze[N_CELLS]):
            u, v = place_of(maze, cell)
            maze[first_pair + cell] = abs(u - x) + abs(v - y) << DISTANCE_BITS | UNREACHABLE
        for direction in range(N_DIRECTIONS):
            cell, ahead = -1, start
            while cell != ahead:
                cell = ahead
                maze[first_pair + cell] |= 1 << CLEAR_BIT
                ahead = neighbour(maze, cell, direction)
        for order in range(N_DIRECTIONS):
            weigh_paths(maze, start, order, 0, 1 << 4)  # to all players
            for cell in range(maze[N_CELLS]):
                if maze[COSTS + cell] >= 0:
                    pair = maze[first_pair + cell] & ~UNREACHABLE | maze[COSTS + cell]
                    step = maze[STEPS + cell] << STEP_BIT + CELL_BITS * order
                    maze[first_pair + cell] = pair | step


@inline
def pair_of(maze, first, second):
    return maze[PAIRS + ((first & CELL) << CELL_BITS | second & CELL)]


@inline
def distance(pair):
    return pair & UNREACHABLE


@inline
def manhattan(pair):
    return pair >> DISTANCE_BITS & MANHATTAN


@inline
def is_clear(pair):
    return pair >> CLEAR_BIT & 1


@inline
def first_step(pair, order):
    """Returns the first cell of a pair's path; the search tries direction `order` first."""
    return pair >> STEP_BIT + CELL_BITS * order & CELL


def cell_at(maze, x, y):
    """Returns the number of the cell at a place, -1 for a wall or outside."""
    for cell in range(maze[N_CELLS]):
        if place_of(maze, cell) == (x, y):
            return cell
    return -1
