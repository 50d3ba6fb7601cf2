"""Breadth-first search: the number of steps from the nearest of some cells; weights are ignored.

Cell by cell it takes Theta(V + E) for V cells and E moves from them. With 32 cells at once it gives
the extent of the whole wave, but no paths. That pays off for a few steps on rows of few words; a
flood of 512 x 512 cells, in which the wave is thin, takes two to four times as long.

    distances  int64[N]       steps from the nearest source, or -1.
    waiting    int64[N]       the cells in the order in which they were reached.
    reached    int64[N / 32]  bit x % 32 of a word: the cell has been reached.
    before     int64[N / 32]  `reached`, a step earlier.
    free       int64[N / 32]  the bits of the cells that `read_free` found free.
"""

from typing import NamedTuple

from ..core.jit import Ints, inline, int_buffer, kernel
from ..path.grid import HEIGHT, N_MOVES, STRIDE, WORD_MASK, Grid, is_free, offset_of, row_of


class Steps(NamedTuple):
    """The results of a search cell by cell; see the module's docstring."""

    distances: Ints
    waiting: Ints


class Wave(NamedTuple):
    """The results of a search of 32 cells at once; see the module's docstring."""

    reached: Ints
    before: Ints
    free: Ints


def new_steps(grid: Grid) -> Steps:
    """Returns buffers for `count_steps` on a grid."""
    return Steps(int_buffer(len(grid.moves)), int_buffer(len(grid.moves)))


def new_wave(grid: Grid) -> Wave:
    """Returns buffers for `spread_wave` on a grid."""
    n = len(grid.moves) // 32 + 1  # the last row, too, is followed by a word
    wave = Wave(int_buffer(n), int_buffer(n), int_buffer(n))
    read_free(grid, wave)
    return wave


@kernel
def read_free(grid: Grid, wave: Wave) -> None:
    """Recompute the free cells."""
    for i in range(len(wave.free)):
        wave.free[i] = 0
    for cell in range(len(grid.moves)):
        wave.free[cell >> 5] |= is_free(grid, cell) << (cell & 31)


@kernel
def count_steps(grid: Grid, steps: Steps, sources: Ints, n_sources: int, most: int) -> int:
    """Fill in the distances from the free cells of sources[:n_sources], up to `most`. Returns the
    number of reached cells, which come first in `waiting`.
    """
    distances, waiting, moves = steps.distances, steps.waiting, grid.moves
    for i in range(len(distances)):
        distances[i] = -1
    n, i = 0, 0
    for source in range(n_sources):
        cell = sources[source]
        if is_free(grid, cell) and distances[cell] < 0:
            distances[cell] = 0
            waiting[n] = cell
            n += 1
    while i < n:
        cell = waiting[i]
        i += 1
        distance = distances[cell] + 1
        if distance > most:
            break
        legal = moves[cell] & 255
        for direction in range(8):
            if legal >> direction & 1:
                other = cell + offset_of(grid, direction)
                if distances[other] < 0:
                    distances[other] = distance
                    waiting[n] = other
                    n += 1
    return n


@inline
def eastward(bits, word):
    """Returns a word of bits, each moved a cell to the east, with the bit from the word before."""
    return (bits[word] << 1 | bits[max(word - 1, 0)] >> 31) & WORD_MASK


@inline
def westward(bits, word):
    """Returns a word of bits, each moved a cell to the west, with the bit from the next word."""
    return bits[word] >> 1 | (bits[word + 1] & 1) << 31


@inline
def slanted(free, before, word, row):
    """Returns the cells of a word that diagonal steps reach from `row`, the row above or below."""
    return (eastward(before, row) & eastward(free, word) & free[row]) | (
        westward(before, row) & westward(free, word) & free[row]
    )


@kernel
def spread_wave(grid: Grid, wave: Wave, start: int, most: int, goal: int) -> int:
    """Mark in `reached` the cells within `most` steps from a cell. Returns the steps to the goal,
    else the steps that reached new cells.
    """
    reached, before, free = wave.reached, wave.before, wave.free
    for i in range(len(reached)):
        reached[i] = before[i] = 0
    n_words = grid.size[STRIDE] >> 5
    if free[start >> 5] >> (start & 31) & 1 == 0:
        return 0
    reached[start >> 5] = before[start >> 5] = 1 << (start & 31)
    top = bottom = row_of(grid, start)
    if start == goal:
        return 0
    eight = grid.size[N_MOVES] == 8
    for step in range(1, most + 1):
        top, bottom = max(top - 1, 1), min(bottom + 1, grid.size[HEIGHT])
        changed = 0
        for i in range(top * n_words, (bottom + 1) * n_words):
            if free[i] == before[i]:
                continue
            above, below = i - n_words, i + n_words
            new = before[i] | before[above] | before[below]
            new |= eastward(before, i) | westward(before, i)
            if eight:
                new |= slanted(free, before, i, above) | slanted(free, before, i, below)
            new &= free[i]
            changed |= new ^ before[i]
            reached[i] = new
        if changed == 0:
            return step - 1
        if goal >= 0 and reached[goal >> 5] >> (goal & 31) & 1:
            return step
        for i in range(top * n_words, (bottom + 1) * n_words):
            before[i] = reached[i]
    return most
