"""Connected components of the free cells, updated after each change of a cell.

A freed cell joins the components around it: their labels become one set (R. Tarjan, "Efficiency of
a Good But Not Linear Set Union Algorithm", JACM 22(2), 1975). A blocked cell may cut its component
in up to four. Mostly the cells around it are still connected. Otherwise a search begins on each
side, a cell of each in turns, until all have met, or one has found all cells of its piece, which
get a new label: the work is that of the smaller piece (S. Even, Y. Shiloach, "An On-Line
Edge-Deletion Problem", JACM 28(1), 1981).

Since no corners are cut, cells that diagonal steps connect are connected by straight ones.

    labels   int64[N]      the label of a free cell, 0 of a blocked one.
    sets     int64[L]      a label nearer to the representative of its set, or that itself.
    counts   int64[2]      labels given so far, generation of the marks.
    marks    int64[N]      4 * generation + side: found by the search from that side.
    waiting  int64[4 N]    the cells found from each side.
    n_found, n_seen        int64[4]  of each side: cells found, cells expanded.
    met      int64[4]      the side that a side has met, itself for the representative of a piece.
    is_cut_off             int64[4]  1 for a side whose piece is known to be cut off.
"""

from typing import NamedTuple

from ..core.jit import Ints, int_buffer, kernel, njit
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
    row_of,
)
from ..path.statuses import NO_PATH

N_LABELS, GENERATION = range(2)


class Components(NamedTuple):
    """The components of a grid; see the module's docstring."""

    labels: Ints
    sets: Ints
    counts: Ints
    marks: Ints
    waiting: Ints
    n_found: Ints
    n_seen: Ints
    met: Ints
    is_cut_off: Ints


def new_components(grid: Grid) -> Components:
    """Returns the components of a grid."""
    n = len(grid.moves)
    components = Components(
        *(int_buffer(size) for size in (n, 2 * n + 5, 2, n, 4 * n, 4, 4, 4, 4)),
    )
    label_components(grid, components)
    return components


@njit
def find_set(sets, label):
    """Returns the representative of a label's set, and halves the path to it."""
    while sets[label] != label:
        sets[label] = sets[sets[label]]
        label = sets[label]
    return label


@njit
def label_all(grid, components):
    """Give every component one label."""
    labels, waiting = components.labels, components.waiting
    for cell in range(len(labels)):
        labels[cell] = 0
    n_labels = 0
    for first in range(len(labels)):
        if labels[first] or not is_free(grid, first):
            continue
        n_labels += 1
        components.sets[n_labels] = n_labels
        labels[first] = n_labels
        waiting[0] = first
        n = 1
        while n > 0:
            n -= 1
            cell = waiting[n]
            for direction in range(4):
                other = cell + offset_of(grid, direction)
                if labels[other] == 0 and is_free(grid, other):
                    labels[other] = n_labels
                    waiting[n] = other
                    n += 1
    components.counts[N_LABELS] = n_labels


@njit
def met_side(components, side):
    """Returns the representative of all sides that a side has met."""
    while components.met[side] != side:
        side = components.met[side]
    return side


@njit
def n_uncut(components, n_sides):
    """Returns the number of pieces not yet labelled as cut off."""
    n = 0
    for side in range(n_sides):
        n += components.met[side] == side and components.is_cut_off[side] == 0
    return n


@njit
def is_whole(components, n_sides, piece):
    """Returns True if all cells of a piece have been expanded."""
    for side in range(n_sides):
        if (
            met_side(components, side) == piece
            and components.n_seen[side] < components.n_found[side]
        ):
            return False
    return True


@njit
def expand_side(grid, components, side):
    """Let the search from a side expand one more cell."""
    marks = components.marks
    room, mark = len(marks) * side, 4 * components.counts[GENERATION]
    cell = components.waiting[room + components.n_seen[side]]
    components.n_seen[side] += 1
    for direction in range(4):
        other = cell + offset_of(grid, direction)
        if not is_free(grid, other):
            continue
        if marks[other] >= mark:
            met = met_side(components, marks[other] - mark)
            components.met[met] = met_side(components, side)
        else:
            marks[other] = mark + side
            components.waiting[room + components.n_found[side]] = other
            components.n_found[side] += 1


@njit
def label_piece(components, n_sides, piece):
    """Give the cells of a piece a label of their own."""
    components.counts[N_LABELS] += 1
    new = components.counts[N_LABELS]
    components.sets[new] = new
    for side in range(n_sides):
        if met_side(components, side) == piece:
            for i in range(components.n_found[side]):
                components.labels[components.waiting[len(components.marks) * side + i]] = new
    components.is_cut_off[piece] = 1


@njit
def split_component(grid, components, cell):
    """Find the sides of a blocked cell that stay connected; label the pieces cut off."""
    for side in range(4):
        free = is_free(grid, cell + offset_of(grid, side))
        components.n_found[side] = free
        components.n_seen[side] = 0
        components.met[side] = side
        components.is_cut_off[side] = 1 - free
    for side in range(4):
        # The diagonal direction behind a straight one lies between it and the next.
        after = side + 1 & 3
        if (
            is_free(grid, cell + offset_of(grid, 4 + side))
            and components.n_found[side]
            and components.n_found[after]
        ):
            components.met[met_side(components, after)] = met_side(components, side)
    if n_uncut(components, 4) < 2:
        return
    components.counts[GENERATION] += 1
    for side in range(4):
        if components.n_found[side]:
            first = cell + offset_of(grid, side)
            components.waiting[len(components.marks) * side] = first
            components.marks[first] = 4 * components.counts[GENERATION] + side
    while n_uncut(components, 4) > 1:
        for side in range(4):
            piece = met_side(components, side)
            if components.n_seen[side] < components.n_found[side]:
                expand_side(grid, components, side)
            elif (
                components.is_cut_off[piece] == 0
                and n_uncut(components, 4) > 1
                and is_whole(components, 4, piece)
            ):
                label_piece(components, 4, piece)


@kernel
def label_components(grid: Grid, components: Components) -> None:
    """Find the components from scratch."""
    label_all(grid, components)


@kernel
def change(grid: Grid, components: Components, cell: int, free: bool) -> None:
    """Make a cell free or blocked, and update the components."""
    if is_free(grid, cell) == free:
        return
    labels, sets = components.labels, components.sets
    change_cell(grid, cell, 1 if free else 0)
    if components.counts[N_LABELS] + 4 > len(sets):
        label_all(grid, components)  # the labels have run out
    elif free:
        joined = 0
        for side in range(4):
            near = labels[cell + offset_of(grid, side)]
            if near and joined:
                sets[find_set(sets, near)] = find_set(sets, joined)
            elif near:
                joined = near
        if joined == 0:
            components.counts[N_LABELS] += 1
            joined = components.counts[N_LABELS]
            sets[joined] = joined
        labels[cell] = joined
    else:
        labels[cell] = 0
        split_component(grid, components, cell)


@kernel
def are_connected(components: Components, cell: int, other: int) -> bool:
    """Returns True if there is a path from a cell to another, both of them free."""
    label, other_label = components.labels[cell], components.labels[other]
    if label == 0 or other_label == 0:
        return False
    return find_set(components.sets, label) == find_set(components.sets, other_label)


@kernel
def nearest_reachable(grid: Grid, components: Components, start: int, goal: int) -> int:
    """Returns the cell nearest to the goal, by octile distance, that can be reached from the start;
    the goal itself if possible, NO_PATH from a blocked start.
    """
    sets, stride = components.sets, grid.size[STRIDE]
    if components.labels[start] == 0:
        return NO_PATH
    own = find_set(sets, components.labels[start])
    width, height = grid.size[WIDTH], grid.size[HEIGHT]
    goal_row = row_of(grid, goal)
    goal_column = goal - goal_row * stride
    best, nearest = UNREACHED, start
    for radius in range(width + height):
        if radius * STRAIGHT >= best:
            break
        for row in range(max(goal_row - radius, 1), min(goal_row + radius, height) + 1):
            dy = abs(row - goal_row)
            # Of the rows between the first and the last only the ends belong to the ring.
            spacing = 1 if dy == radius else 2 * radius
            for column in range(goal_column - radius, goal_column + radius + 1, spacing):
                if not 1 <= column <= width:
                    continue
                cell = row * stride + column
                dx = abs(column - goal_column)
                away = STRAIGHT * max(dx, dy) + (DIAGONAL - STRAIGHT) * min(dx, dy)
                if (
                    away < best
                    and components.labels[cell]
                    and find_set(sets, components.labels[cell]) == own
                ):
                    best, nearest = away, cell
    return nearest
