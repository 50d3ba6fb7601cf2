"""HPA*: a path found among sectors first, and in detail as far as it is needed.

Source: A. Botea, M. Mueller, J. Schaeffer, "Near Optimal Hierarchical Path-Finding" (Journal of
Game Development 1(1), 2004). Along the border of two sectors each longest run of cells that are
free on both sides is an entrance: a short one has a transition in its middle, a long one at both
ends. The costs from a transition to all others of its sector are found on demand; a changed cell
concerns its sector and at most two borders. For grids of 8 moves whose weights are 1.

A gate is one side of a transition, in one of the sectors: gate = (sector * 4 + side) * K + place,
for the directions 0..3 as sides. The gate across has the same place on the opposite side of the
neighbour. Z sectors, K the most transitions of a side, S cells the side of a sector:

    shape     int64[N_SHAPE]      S, sectors of a row, rows of them, K.
    n_gates   int64[4 Z]          transitions of each side.
    gates     int64[4 K Z]        the cell of each gate.
    costs     int64[(4 K)^2 Z]    from a gate to all gates of its sector, staying in it.
    known     int64[4 K Z]        the version of the sector to which a gate's costs belong.
    versions  int64[Z]            counts the changes of a sector, from 1 on.
    local     int64[(S + 2)^2]    the costs of a sector's cells from one of them.

A search connects start and goal to the gates of their sectors. A* goes from gate to gate, and its
route is refined sector by sector. Smoothing replaces stretches of the path by free lines of
diagonal and then straight steps, or the other way round.

The paper puts larger sectors above, with the same entrances along their borders. On maps of 512 x
512 that does not pay: with squares of 4 x 4 sectors, all costs above known beforehand, the route
from gate to gate took 34, 27 and 413 us instead of 33, 22 and 529, the whole path 59, 46 and 898
(AR0602SR, 16room_000, random512-35-0, medians of 54 to 57 queries). The search expands fewer gates,
172 instead of 286 on the first, but has to connect start and goal across 16 sectors, and to refine
each stretch.

    counts    int64[N_COUNTS]  see below.
    marks     int64[G]         the generation in which a gate was reached, of G gates and the goal.
    g         int64[G]         the cost to it.
    parents   int64[G]         the gate by which its sector's neighbour was entered, or -1.
    to_start, to_goal  int64[4 K]  costs from the start to its sector's gates, and from the goal.
    route     int64[G]         the gates by which sectors are entered, in order.
    path      int64[N]         the cells of the path.
    room      int64[N]         room for another path.
"""

from typing import NamedTuple

from ..core.jit import Ints, inline, int_buffer, kernel, njit
from ..path.astar import octile
from ..path.grid import (
    DIAGONAL,
    HEIGHT,
    STRAIGHT,
    STRIDE,
    UNREACHED,
    WIDTH,
    Grid,
    change_cell,
    is_free,
    offset_of,
    path_cost,
    require_equal_weights,
    row_of,
    write_line,
)
from ..path.open_lists import Heap, heap_clear, heap_is_empty, heap_pop, heap_push, new_heap
from ..path.statuses import NO_PATH

SIDE, N_COLUMNS, N_ROWS, MAX_GATES, N_SHAPE = range(5)
# Runs of at least this length have two transitions.
LONG_ENTRANCE = 6


class Sectors(NamedTuple):
    """The sectors of a grid; see the module's docstring."""

    shape: Ints
    n_gates: Ints
    gates: Ints
    costs: Ints
    known: Ints
    versions: Ints
    local: Ints


def new_sectors(grid: Grid, side: int = 16) -> Sectors:
    """Returns the sectors of a grid, of `side` x `side` cells. Raises ValueError for a side below
    2, and for weights other than 1.
    """
    require_equal_weights(grid)
    if side < 2:
        raise ValueError(f"a sector has 2 or more cells to a side, not {side}")
    n_columns, n_rows = (int(-(-grid.size[i] // side)) for i in (WIDTH, HEIGHT))
    most, n = (side + 1) // 2, n_columns * n_rows
    sectors = Sectors(
        shape=int_buffer([side, n_columns, n_rows, most]),
        n_gates=int_buffer(4 * n),
        gates=int_buffer(4 * most * n),
        costs=int_buffer(16 * most * most * n),
        known=int_buffer(4 * most * n),
        versions=int_buffer(n),
        local=int_buffer((side + 2) ** 2),
    )
    find_entrances(grid, sectors)
    return sectors


@inline
def sector_of(grid, sectors, cell):
    """Returns the sector of a cell."""
    y = row_of(grid, cell)
    x = cell - y * grid.size[STRIDE]
    side = sectors.shape[SIDE]
    return (y - 1) // side * sectors.shape[N_COLUMNS] + (x - 1) // side


@inline
def corner_of(grid, sectors, sector):
    """Returns the cell at the top left of a sector."""
    y, side = sector // sectors.shape[N_COLUMNS], sectors.shape[SIDE]
    x = sector - y * sectors.shape[N_COLUMNS]
    return (y * side + 1) * grid.size[STRIDE] + x * side + 1


@inline
def gate_at(sectors, sector, side, place):
    """Returns the gate at a place of a side of a sector."""
    return (4 * sector + side) * sectors.shape[MAX_GATES] + place


@inline
def sector_of_gate(sectors, gate):
    """Returns the sector of a gate."""
    return gate // (4 * sectors.shape[MAX_GATES])


@inline
def gate_across(sectors, gate):
    """Returns the gate on the other side of the border."""
    most = sectors.shape[MAX_GATES]
    side = gate // most & 3
    by = 1 if side & 1 == 0 else sectors.shape[N_COLUMNS]
    sector_step = by if side < 2 else -by
    side_step = 2 if side < 2 else -2
    return gate + (4 * sector_step + side_step) * most


@njit
def flood(grid, sectors, sector, source):
    """Find the costs from a cell of a sector to all of its cells, staying in it.

    Sweeping over the square, down and up, until nothing changes is faster than a queue for so few
    cells.
    """
    local, side, stride = sectors.local, sectors.shape[SIDE], grid.size[STRIDE]
    wide = side + 2
    for i in range(len(local)):
        local[i] = UNREACHED
    corner = corner_of(grid, sectors, sector)
    y = (source - corner) // stride
    local[(y + 1) * wide + source - corner - y * stride + 1] = 0
    n_rows = min(side, grid.size[HEIGHT] + 1 - row_of(grid, corner))
    # A sector may be wider than the grid.
    n_columns = min(side, stride)
    first = y
    changed = True
    while changed:
        changed = False
        for row in range(first, n_rows):
            for column in range(n_columns):
                legal = grid.moves[corner + row * stride + column] & 255
                if legal == 0:
                    continue
                i = (row + 1) * wide + column + 1
                best = local[i]
                if legal & 4:
                    best = min(best, local[i - 1] + STRAIGHT)
                if legal & 8:
                    best = min(best, local[i - wide] + STRAIGHT)
                if legal & 64:
                    best = min(best, local[i - wide - 1] + DIAGONAL)
                if legal & 128:
                    best = min(best, local[i - wide + 1] + DIAGONAL)
                if best < local[i]:
                    local[i] = best
                    changed = True
        if first > 0 and not changed:
            changed = True
        first = 0
        for row in range(n_rows - 1, -1, -1):
            for column in range(n_columns - 1, -1, -1):
                legal = grid.moves[corner + row * stride + column] & 255
                if legal == 0:
                    continue
                i = (row + 1) * wide + column + 1
                best = local[i]
                if legal & 1:
                    best = min(best, local[i + 1] + STRAIGHT)
                if legal & 2:
                    best = min(best, local[i + wide] + STRAIGHT)
                if legal & 16:
                    best = min(best, local[i + wide + 1] + DIAGONAL)
                if legal & 32:
                    best = min(best, local[i + wide - 1] + DIAGONAL)
                if best < local[i]:
                    local[i] = best
                    changed = True


@inline
def local_index(grid, sectors, corner, cell):
    """Returns the index in `local` of a cell of the sector with this corner."""
    y = (cell - corner) // grid.size[STRIDE]
    return (y + 1) * (sectors.shape[SIDE] + 2) + cell - corner - y * grid.size[STRIDE] + 1


@inline
def copy_gate_costs(grid, sectors, sector, costs, first):
    """Copy the costs of all gates of a sector from `local`."""
    most = sectors.shape[MAX_GATES]
    corner = corner_of(grid, sectors, sector)
    for side in range(4):
        for place in range(sectors.n_gates[4 * sector + side]):
            gate = gate_at(sectors, sector, side, place)
            costs[first + side * most + place] = sectors.local[
                local_index(grid, sectors, corner, sectors.gates[gate])
            ]


@inline
def gate_costs(grid, sectors, gate):
    """Returns the index in `costs` of a gate's costs to its sector's gates, found on demand."""
    most = sectors.shape[MAX_GATES]
    sector = sector_of_gate(sectors, gate)
    first = gate * 4 * most
    if sectors.known[gate] != sectors.versions[sector]:
        flood(grid, sectors, sector, sectors.gates[gate])
        copy_gate_costs(grid, sectors, sector, sectors.costs, first)
        sectors.known[gate] = sectors.versions[sector]
    return first


@inline
def add_transition(sectors, border, cell, step, across):
    """Add a transition from a cell across a border."""
    most, place = sectors.shape[MAX_GATES], sectors.n_gates[border]
    gate = border * most + place
    sectors.gates[gate] = cell
    other = gate_across(sectors, gate)
    sectors.gates[other] = cell + across
    sectors.n_gates[border] = place + 1
    sectors.n_gates[other // most] = place + 1


@njit
def find_border_entrances(grid, sectors, sector, side):
    """Find the entrances along a sector's border to the east (side 0) or to the south (side 1)."""
    border = 4 * sector + side
    n_columns = sectors.shape[N_COLUMNS]
    column = sector % n_columns
    if column == n_columns - 1 if side == 0 else sector + n_columns >= len(sectors.versions):
        return
    stride, length = grid.size[STRIDE], sectors.shape[SIDE]
    corner = corner_of(grid, sectors, sector)
    across, along = 1 if side == 0 else stride, stride if side == 0 else 1
    other = sector + (1 if side == 0 else n_columns)
    sectors.versions[sector] += 1
    sectors.versions[other] += 1
    sectors.n_gates[border] = sectors.n_gates[4 * other + side + 2] = 0
    first = corner + (length - 1) * across
    if side == 0:
        length = min(length, grid.size[HEIGHT] + 1 - row_of(grid, corner))
    else:
        length = min(length, stride)
    run = 0
    for i in range(length + 1):
        cell = first + i * along
        if i < length and is_free(grid, cell) and is_free(grid, cell + across):
            run += 1
        elif run > 0:
            if run < LONG_ENTRANCE:
                add_transition(sectors, border, cell - (run + 1) // 2 * along, run, across)
            else:
                add_transition(sectors, border, cell - run * along, run, across)
                add_transition(sectors, border, cell - along, run, across)
            run = 0


@kernel
def find_entrances(grid: Grid, sectors: Sectors) -> None:
    """Find all entrances, and discard all costs."""
    for sector in range(len(sectors.versions)):
        sectors.versions[sector] += 1
    for sector in range(len(sectors.versions)):
        find_border_entrances(grid, sectors, sector, 0)
        find_border_entrances(grid, sectors, sector, 1)


@kernel
def change(grid: Grid, sectors: Sectors, cell: int, free: bool) -> None:
    """Make a cell free or blocked, and update the sectors; costs are found on demand."""
    change_cell(grid, cell, 1 if free else 0)
    sector = sector_of(grid, sectors, cell)
    sectors.versions[sector] += 1
    stride, side = grid.size[STRIDE], sectors.shape[SIDE]
    corner = corner_of(grid, sectors, sector)
    y = (cell - corner) // stride
    x = cell - corner - y * stride
    if x == 0 and sector % sectors.shape[N_COLUMNS] > 0:
        find_border_entrances(grid, sectors, sector - 1, 0)
    if x == side - 1:
        find_border_entrances(grid, sectors, sector, 0)
    if y == 0 and sector >= sectors.shape[N_COLUMNS]:
        find_border_entrances(grid, sectors, sector - sectors.shape[N_COLUMNS], 1)
    if y == side - 1:
        find_border_entrances(grid, sectors, sector, 1)


# The search


GENERATION, N_PATH, N_ROUTE, N_EXPANDED, ABSTRACT_COST, N_COUNTS = range(6)
ALL_SECTORS = 1 << 40


class Route(NamedTuple):
    """The state of a search; see the module's docstring."""

    counts: Ints
    marks: Ints
    g: Ints
    parents: Ints
    to_start: Ints
    to_goal: Ints
    route: Ints
    path: Ints
    room: Ints


def new_route(grid: Grid, sectors: Sectors) -> tuple[Route, Heap]:
    """Returns buffers for searches among sectors, and their open list."""
    n_gates, n, most = len(sectors.gates) + 1, len(grid.moves), int(sectors.shape[MAX_GATES])
    sizes = (N_COUNTS, n_gates, n_gates, n_gates, 4 * most, 4 * most, n_gates, 2 * n, 2 * n)
    return Route(*(int_buffer(size) for size in sizes)), new_heap(n_gates)


def cells_of(route: Route) -> list[int]:
    """Returns the cells of the refined part of the last path found."""
    return [int(cell) for cell in route.path[: int(route.counts[N_PATH])]]


@inline
def relax_gate(route, queue, gate, cost, parent, h):
    """Push a gate, or the goal, if it is new or reached at less cost."""
    if route.marks[gate] == route.counts[GENERATION] and route.g[gate] <= cost:
        return
    route.marks[gate] = route.counts[GENERATION]
    route.g[gate] = cost
    route.parents[gate] = parent
    heap_push(queue, cost + h, gate)


@inline
def search_gates(grid, sectors, route, queue, start, goal):
    """Find the cheapest route from gate to gate. Returns False if there is none."""
    counts, the_goal = route.counts, len(sectors.gates)
    most = sectors.shape[MAX_GATES]
    counts[GENERATION] += 1
    heap_clear(queue)
    first = 0
    start_sector, goal_sector = sector_of(grid, sectors, start), sector_of(grid, sectors, goal)
    flood(grid, sectors, goal_sector, goal)
    copy_gate_costs(grid, sectors, goal_sector, route.to_goal, 0)
    if start_sector == goal_sector:
        corner = corner_of(grid, sectors, goal_sector)
        direct = sectors.local[local_index(grid, sectors, corner, start)]
        if direct < UNREACHED:
            relax_gate(route, queue, the_goal, direct, -1, 0)
    flood(grid, sectors, start_sector, start)
    copy_gate_costs(grid, sectors, start_sector, route.to_start, 0)
    counts[N_EXPANDED] = 0
    gate = -1
    while gate != the_goal:
        sector, cost = start_sector, 0
        if gate >= 0:
            sector, cost = sector_of_gate(sectors, gate), route.g[gate]
            first = gate_costs(grid, sectors, gate)
            inside = route.to_goal[gate - sector * 4 * most] if sector == goal_sector else UNREACHED
            if inside < UNREACHED:
                relax_gate(route, queue, the_goal, cost + inside, gate, 0)
        for side in range(4):
            for place in range(sectors.n_gates[4 * sector + side]):
                exit_gate = gate_at(sectors, sector, side, place)
                number = side * most + place
                inside = sectors.costs[first + number] if gate >= 0 else route.to_start[number]
                if exit_gate != gate and inside < UNREACHED:
                    other = gate_across(sectors, exit_gate)
                    h = octile(grid, route, sectors.gates[other], goal)
                    relax_gate(route, queue, other, cost + inside + STRAIGHT, gate, h)
        if heap_is_empty(queue):
            return False
        gate = heap_pop(queue)
        counts[N_EXPANDED] += 1
    n, gate = 0, route.parents[the_goal]
    while gate >= 0:
        route.route[n] = gate
        n += 1
        gate = route.parents[gate]
    for i in range(n >> 1):
        gate = route.route[i]
        route.route[i] = route.route[n - 1 - i]
        route.route[n - 1 - i] = gate
    counts[N_ROUTE] = n
    counts[ABSTRACT_COST] = route.g[the_goal]
    return True


@inline
def refine_sector(grid, sectors, route, start, end):
    """Extend the path by a shortest path to another cell of the sector, staying in the sector.

    Returns False if there is none, after a change that was not reported to the sectors.
    """
    n = write_line(grid, route.path, route.counts[N_PATH], start, end)
    if n > 0:
        route.counts[N_PATH] = n
        return True
    n = route.counts[N_PATH]
    sector = sector_of(grid, sectors, start)
    corner = corner_of(grid, sectors, sector)
    flood(grid, sectors, sector, end)
    cell = start
    cost = sectors.local[local_index(grid, sectors, corner, cell)]
    while cell != end:
        legal, before = grid.moves[cell] & 255, cell
        for direction in range(8):
            if legal >> direction & 1 == 0:
                continue
            other = cell + offset_of(grid, direction)
            if sector_of(grid, sectors, other) == sector:
                new = sectors.local[local_index(grid, sectors, corner, other)]
                if new + (STRAIGHT if direction < 4 else DIAGONAL) == cost:
                    cell, cost = other, new
                    break
        if cell == before:
            return False
        route.path[n] = cell
        n += 1
    route.counts[N_PATH] = n
    return True


@inline
def smooth(grid, route):
    """Replace stretches of the path by free lines, each as long as possible."""
    path, room = route.path, route.room
    n, n_new, i = route.counts[N_PATH], 1, 0
    room[0] = path[0]
    while i < n - 1:
        ahead = min(n - 1 - i, MAX_LINE)
        while ahead > 1:
            written = write_line(grid, room, n_new, path[i], path[i + ahead])
            if written > 0:
                n_new = written
                break
            ahead -= (ahead >> 2) + 1
        if ahead <= 1:
            ahead = 1
            room[n_new] = path[i + 1]
            n_new += 1
        i += ahead
    for i in range(n_new):
        # Reversed for the next pass
        path[i] = room[n_new - 1 - i]
    route.counts[N_PATH] = n_new


MAX_LINE = 100


@kernel
def find(
    grid: Grid,
    sectors: Sectors,
    route: Route,
    queue: Heap,
    start: int,
    goal: int,
    n_sectors: int,
    smooths: bool,
) -> int:
    """Returns the cost of a path, refined for the first `n_sectors` sectors and smoothed if
    `smooths`; or NO_PATH.

    n_sectors: ALL_SECTORS for all, 0 to return the cost of the route alone.
    """
    route.counts[N_PATH] = 0
    if not is_free(grid, start) or not is_free(grid, goal):
        return NO_PATH
    if not search_gates(grid, sectors, route, queue, start, goal):
        return NO_PATH
    n_gates = route.counts[N_ROUTE]
    if n_sectors == 0:
        return route.counts[ABSTRACT_COST]
    route.path[0] = cell = start
    route.counts[N_PATH] = 1
    for i in range(min(n_gates + 1, n_sectors)):
        end = goal
        if i < n_gates:
            end = sectors.gates[gate_across(sectors, route.route[i])]
        if not refine_sector(grid, sectors, route, cell, end):
            route.counts[N_PATH] = 0
            return NO_PATH
        if i < n_gates:
            cell = sectors.gates[route.route[i]]
            route.path[route.counts[N_PATH]] = cell
            route.counts[N_PATH] += 1
    if smooths:
        for _ in range(2):
            smooth(grid, route)
    return path_cost(grid, route.path, route.counts[N_PATH])
