"""Jump point search: A* that follows straight runs up to the next choice; and JPS+, which stores
the runs' lengths.

Sources: D. Harabor, A. Grastien, "Online Graph Pruning for Pathfinding on Grid Maps" (AAAI 2011),
in the variant that cuts no corners: "The JPS Pathfinding System" (SoCS 2012); blocks of cells and
no diagonal jump points in the open list: "Improving Jump Point Search" (ICAPS 2014).

Of two equally short paths, the one with its diagonal steps first is kept. So a straight run
branches only past the end of a wall beside it (a jump point lies one cell past the corner). A
diagonal run branches at cells from which a straight run finds a jump point or leads to the goal;
such cells are expanded at once. The bits of three rows, 32 cells at a time, give the length of a
run. Grids need diagonals and weights of 1; `change` changes a cell of both grid and bits.

    bits  int64[N_HEADER + N / 8 and more]  of each straight direction: the place of cell 0; the
                                            words of a row, of a column; then, for each straight
                                            direction, a bit for each free cell, in the order of its
                                            runs, 32 to a word

JPS+ (ICAPS 2014; S. Rabin's name and layout, Game AI Pro 2, chapter 14) has a table of the lengths
of all runs instead, which has to be rebuilt after a change of the map.

    table  int64[2 N]  of each cell: its four straight runs, its four diagonal ones, 15 bits each,
                       LONGEST more than the length; above them, of each straight direction of
                       arrival, a bit: a run may turn to its right, to its left

The state of a search has an open list as a heap of whole numbers. An entry is f << CELL_BITS |
cell, so that a single comparison orders it. The heap does not know the place of a cell: a cell that
was reached again has several entries, of which only the entry with its present f counts. A full
heap drops others. The hole of a popped entry sinks to the bottom before it is filled (I. Wegener,
"Bottom-Up-Heapsort", Theoretical Computer Science 118(1), 1993), without branches that the
processor has to guess. Few keys are equal here: with Buckets JPS+ took a fifth longer.

    counts, records, path     as in `astar.py`
    heap     int64[N]         their number, the entries. f has 41 bits: of four cells in a square
                              a shortest path has at most three, and LARGEST bounds the cells.
"""

from typing import Callable, NamedTuple

from ..core.bits import count_bits
from ..core.jit import Ints, inline, int_buffer, kernel, njit
from ..path.astar import arrival, begin, g_cost, is_better, octile, remember, trace_path
from ..path.grid import (
    DIAGONAL,
    HEIGHT,
    N_MOVES,
    STRAIGHT,
    STRIDE,
    WIDTH,
    WORD_MASK,
    Grid,
    change_cell,
    is_free,
    offset_of,
    require_equal_weights,
    row_of,
    step_x,
    step_y,
)
from ..path.statuses import NO_PATH

CELL_BITS = 22


class Jumps(NamedTuple):
    """The state of jump point searches on a grid; see the module's docstring."""

    counts: Ints
    records: Ints
    path: Ints
    heap: Ints


def new_jumps(grid: Grid) -> Jumps:
    """Returns buffers for consecutive jump point searches on a grid."""
    n = len(grid.moves)
    return Jumps(int_buffer([0, n]), *map(int_buffer, (2 * n, n, n)))


@inline
def f_cost(grid, jumps, cell, goal):
    """Returns f of a cell that was reached."""
    return g_cost(jumps, cell) + octile(grid, jumps, cell, goal)


@inline
def sift_up(heap, i, entry):
    """Insert an entry at a hole of the heap, moving greater entries above it down."""
    while i > 1 and heap[i >> 1] > entry:
        heap[i] = heap[i >> 1]
        i >>= 1
    heap[i] = entry


@inline
def jump_clear(jumps):
    """Remove all cells."""
    jumps.heap[0] = 0


@inline
def jump_push(grid, jumps, cell, goal):
    """Insert a cell by its f."""
    heap = jumps.heap
    if heap[0] + 1 == len(heap):
        n, heap[0] = heap[0], 0
        for i in range(1, n + 1):
            other = heap[i] & (1 << CELL_BITS) - 1
            if heap[i] >> CELL_BITS == f_cost(grid, jumps, other, goal):
                heap[0] += 1
                sift_up(heap, heap[0], heap[i])
    heap[0] += 1
    sift_up(heap, heap[0], f_cost(grid, jumps, cell, goal) << CELL_BITS | cell)


@inline
def jump_pop(grid, jumps, goal):
    """Remove and return the cell of the least f; -1 if there is none."""
    heap = jumps.heap
    while heap[0]:
        first, n = heap[1], heap[0]
        i, child = 1, 2
        while child < n:
            child += heap[child + 1] < heap[child]
            heap[i] = heap[child]
            i, child = child, 2 * child
        sift_up(heap, i, heap[n])
        heap[0] = n - 1
        cell = first & (1 << CELL_BITS) - 1
        if first >> CELL_BITS == f_cost(grid, jumps, cell, goal):
            return cell
    return -1


# Jump point search


LINES, N_HEADER = 4, 6


def new_bits(grid: Grid) -> Ints:
    """Returns a grid's bits. Raises ValueError without diagonals or for weights other than 1."""
    require_equal_weights(grid)
    if grid.size[N_MOVES] != 8:
        raise ValueError("jump point search takes grids with diagonals: use A* or a field")
    n, n_words = len(grid.moves), int(grid.size[HEIGHT]) // 32 + 1
    n_across = 32 * n_words * (int(grid.size[WIDTH]) + 2)
    first, half = 32 * N_HEADER, n + n_across
    header = [first, first + n, first + half + n - 1, first + 2 * half - 1]
    header += [int(grid.size[STRIDE]) // 32, n_words]
    bits = int_buffer(header + [0] * (half // 16))
    read_bits(grid, bits)
    return bits


@inline
def bit_of(grid, bits, cell, direction):
    """Returns the index of a cell's bit for runs in a direction."""
    place = cell
    if direction & 1:
        y = row_of(grid, cell)
        place = (cell - y * grid.size[STRIDE]) * (bits[LINES + 1] << 5) + y
    return bits[direction] + place * (1 - (direction & 2))


@inline
def set_free_bits(grid, bits, cell, free):
    """Make a cell free (1) or blocked (0)."""
    for direction in range(4):
        place = bit_of(grid, bits, cell, direction)
        bits[place >> 5] = bits[place >> 5] & ~(1 << (place & 31)) | free << (place & 31)


@kernel
def read_bits(grid: Grid, bits: Ints) -> None:
    """Recompute the bits of all cells."""
    for i in range(N_HEADER, len(bits)):
        bits[i] = 0
    for cell in range(len(grid.moves)):
        if is_free(grid, cell):
            set_free_bits(grid, bits, cell, 1)


@kernel
def change(grid: Grid, bits: Ints, cell: int, free: bool) -> None:
    """Make a cell free or blocked."""
    change_cell(grid, cell, 1 if free else 0)
    set_free_bits(grid, bits, cell, 1 if free else 0)


@njit
def run_length(bits, n_words, place):
    """Returns the length of a run to the next jump point, or minus its length to the last free
    cell.
    """
    word = place + 1 >> 5
    mask = WORD_MASK << (place + 1 & 31) & WORD_MASK
    while True:
        above, below = bits[word - n_words], bits[word + n_words]
        ends = above & ~(above << 1 | bits[word - n_words - 1] >> 31)
        ends |= below & ~(below << 1 | bits[word + n_words - 1] >> 31)
        stops = (ends | ~bits[word]) & mask
        if stops:
            first = stops & -stops
            distance = (word << 5) + count_bits(first - 1) - place
            return distance if bits[word] & first else 1 - distance
        word += 1
        mask = WORD_MASK


@inline
def straight_run(grid, bits, cell, direction):
    """Returns the length of a straight run from a free cell; see `run_length`."""
    n_words = bits[LINES + (direction & 1)]
    return run_length(bits, n_words, bit_of(grid, bits, cell, direction))


@inline
def diagonal_run(grid, bits, cell, direction):
    """Returns the length of a diagonal run from a free cell to the next cell with a straight run to
    a jump point; or minus the length to the last cell.
    """
    n, side, other = 0, direction & 3, direction + 1 & 3
    place, n_words = bit_of(grid, bits, cell, side), bits[LINES + (side & 1)]
    other_place, n_other_words = bit_of(grid, bits, cell, other), bits[LINES + (other & 1)]
    # In the bits of both sides, a diagonal step goes on by a place, and to the next line or the
    # previous one.
    by = 32 if direction & 1 == 0 else -32
    while grid.moves[cell] >> direction & 1:
        cell += offset_of(grid, direction)
        n += 1
        if run_length(bits, n_words, place + n * (by * n_words + 1)) > 0:
            return n
        if run_length(bits, n_other_words, other_place + n * (by * n_other_words + 1)) > 0:
            return n
    return -n


@inline
def forced_turns(grid, bits, cell, direction):
    """Returns the directions that lead on from a jump point of a straight run, as bits: straight
    on, and to each side on which a wall has just ended.
    """
    back = cell - offset_of(grid, direction)
    found = 1 << direction
    for turn in range(1, 4, 2):
        side = direction + turn & 3
        aside = offset_of(grid, side)
        if not is_free(grid, back + aside) and is_free(grid, cell + aside):
            # The diagonal direction 4 is between 0 and 1, and so on.
            found |= 1 << side | 16 << (direction if turn == 1 else side)
    return found


def make_jps(
    straight: Callable = straight_run,
    diagonal: Callable = diagonal_run,
    turns: Callable = forced_turns,
) -> Callable[[Grid, Ints, Jumps, int, int], int]:
    """Returns jump point search, to be compiled with `kernel`.

    find(grid, bits, search, start, goal) returns the cost of an optimal path, or NO_PATH, and
    leaves its cells in `search.path`. straight and diagonal(grid, bits, cell, direction) return the
    lengths of runs, turns the directions to go on in; only they read `bits`.
    """

    @inline
    def reach(grid, search, cell, cost, direction, n, goal):
        """Push a cell that n steps of a run have reached."""
        if is_better(search, cell, cost):
            remember(search, cell, cost, direction, n)
            jump_push(grid, search, cell, goal)

    @inline
    def run(grid, bits, search, cell, direction, goal):
        """Follow a straight run from a cell, or a diagonal one with the straight runs to both
        sides.
        """
        cost = g_cost(search, cell)
        rows = row_of(grid, goal) - row_of(grid, cell)
        columns = goal - cell - rows * grid.size[STRIDE]
        while True:
            if direction >= 4:
                n, offset = diagonal(grid, bits, cell, direction), offset_of(grid, direction)
                across, down = columns * step_x(direction), rows * step_y(direction)
                n_level = min(across, down)
                if 0 < n_level <= abs(n) and (n < 0 or n_level < n):
                    # From there the goal lies straight ahead of a side run.
                    side = 1 - step_x(direction) if across > down else 2 - step_y(direction)
                    seen = straight(grid, bits, cell + n_level * offset, side)
                    if abs(seen) >= abs(across - down):
                        n = n_level
                cell += n * offset
                cost += n * DIAGONAL
                if n <= 0 or not is_better(search, cell, cost):
                    return
                if cell == goal:
                    reach(grid, search, cell, cost, direction, n, goal)
                    return
                remember(search, cell, cost, direction, n)
                rows -= n * step_y(direction)
                columns -= n * step_x(direction)
            for turn in range(direction, direction + 1 + (direction >> 2)):
                side = turn & 3
                n, offset = straight(grid, bits, cell, side), offset_of(grid, side)
                to_goal = columns * step_x(side) + rows * step_y(side)
                if 0 < to_goal <= abs(n) and cell + to_goal * offset == goal:
                    n = to_goal
                if n > 0:
                    reach(grid, search, cell + n * offset, cost + n * STRAIGHT, side, n, goal)
            if direction < 4:
                return

    def find(grid: Grid, bits: Ints, search: Jumps, start: int, goal: int) -> int:
        begin(search)
        jump_clear(search)
        if grid.weights[start] == 0 or grid.weights[goal] == 0:
            return NO_PATH
        remember(search, start, 0, 0, 0)
        cell, ahead = start, 255
        while cell != goal:
            for direction in range(8):
                if ahead >> direction & 1:
                    run(grid, bits, search, cell, direction, goal)
            cell = jump_pop(grid, search, goal)
            if cell < 0:
                return NO_PATH
            ahead = turns(grid, bits, cell, arrival(search, cell))
        return trace_path(grid, search, start, goal)

    return find


# JPS+


RUN_BITS = 15
LONGEST, TURNS = 1 << RUN_BITS - 1, 4 * RUN_BITS


def new_table(grid: Grid) -> Ints:
    """Returns the table of a grid. Raises ValueError for a side longer than the longest run, and as
    `new_bits`.
    """
    if max(grid.size[WIDTH], grid.size[HEIGHT]) >= LONGEST:
        raise ValueError(f"JPS+ takes grids of less than {LONGEST} columns and rows")
    table = int_buffer(2 * len(grid.moves))
    build_table(grid, new_bits(grid), table)
    return table


@inline
def stored_run(grid, table, cell, direction):
    """Returns the length of a run; see `run_length`."""
    runs = table[2 * cell + (direction >> 2)]
    return (runs >> RUN_BITS * (direction & 3) & 2 * LONGEST - 1) - LONGEST


@inline
def packed_run(distance, direction):
    """Returns a run's length as bits of a table word."""
    return distance + LONGEST << RUN_BITS * (direction & 3)


@inline
def stored_turns(grid, table, cell, direction):
    """Returns the directions that lead on; see `forced_turns`."""
    left = direction + 3 & 3
    to_right = table[2 * cell] >> TURNS + direction & 1
    to_left = table[2 * cell + 1] >> TURNS + direction & 1
    return (
        1 << direction
        | to_right * (1 << (direction + 1 & 3) | 16 << direction)
        | to_left * (17 << left)
    )


@kernel
def build_table(grid: Grid, bits: Ints, table: Ints) -> None:
    """Fill in the table."""
    stride = grid.size[STRIDE]
    for cell in range(stride, len(grid.moves) - stride):
        runs = to_left = 0
        if is_free(grid, cell):
            for direction in range(4):
                runs |= packed_run(straight_run(grid, bits, cell, direction), direction)
                if is_free(grid, cell - offset_of(grid, direction)):
                    found = forced_turns(grid, bits, cell, direction)
                    runs |= (found >> 4 + direction & 1) << TURNS + direction
                    to_left |= (found >> 4 + (direction + 3 & 3) & 1) << TURNS + direction
        table[2 * cell], table[2 * cell + 1] = runs, to_left
    for direction in range(4, 8):
        offset = offset_of(grid, direction)
        for i in range(stride, len(grid.moves) - stride):
            # The next cell of a run is measured before it.
            cell = i if offset < 0 else len(grid.moves) - 1 - i
            n = 0
            if grid.moves[cell] >> direction & 1:
                other = cell + offset
                n = 1
                if (
                    stored_run(grid, table, other, direction & 3) <= 0
                    and stored_run(grid, table, other, direction + 1 & 3) <= 0
                ):
                    further = stored_run(grid, table, other, direction)
                    n = further + 1 if further > 0 else further - 1
            table[2 * cell + 1] |= packed_run(n, direction)


def make_jps_plus() -> Callable[[Grid, Ints, Jumps, int, int], int]:
    """Returns JPS+, to be compiled with `kernel`: `make_jps` with the grid's table for the bits."""
    return make_jps(stored_run, stored_run, stored_turns)
