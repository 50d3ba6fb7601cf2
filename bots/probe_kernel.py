"""The kernel of the probe: the queens problem, as machine code and as plain Python."""

from shared.core.jit import BUNDLE_MODE, COMPILED, Ints, int_buffer, kernel

MODE = BUNDLE_MODE
IS_COMPILED = COMPILED
make_buffer = int_buffer

# Numbers of a row in the stack: the columns that queens above hold, the columns that they attack
# along either diagonal, and the columns still to try; a bit a column
ROW = 4


def count_queens(stack: Ints, n: int) -> int:
    """Returns the number of ways to place n queens on n x n squares, none attacking another.

    stack: ROW * n numbers, which are overwritten.
    """
    columns = (1 << n) - 1
    for i in range(ROW * n):
        stack[i] = 0
    stack[ROW - 1] = columns
    total = row = 0
    while row >= 0:
        at = ROW * row
        untried = stack[at + 3]
        if untried == 0:
            row -= 1
            continue
        place = untried & -untried
        stack[at + 3] = untried ^ place
        if row == n - 1:
            total += 1
            continue
        taken, left, right = stack[at] | place, stack[at + 1] | place, stack[at + 2] | place
        row += 1
        at += ROW
        stack[at] = taken
        stack[at + 1] = left << 1
        stack[at + 2] = right >> 1
        stack[at + 3] = columns & ~(taken | left << 1 | right >> 1)
    return total


compiled_count_queens = kernel(count_queens)
