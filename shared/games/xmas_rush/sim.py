"""The rules of X-mas Rush on the buffer of `state.py` (sections refer to RULES.md).

A turn is `begin_turn`, then pushes (`push_turn`) or steps (`walk` or `step` and `collect_items`).
Indices are masked, so that compiled code knows that they are not negative.
"""

from ...core.jit import inline
from ...games.xmas_rush.state import (
    COLUMN_CELLS,
    COLUMN_PUSH,
    DECK,
    DONE,
    HANDS,
    KIND,
    LAST,
    LEFT,
    N_KNOWN,
    N_PLAYERS,
    N_QUESTS,
    N_VISIBLE,
    NAME,
    OWNER_BIT,
    PATH_BITS,
    PLAYERS,
    REVEALED,
    RIGHT,
    ROW,
    ROW_BITS,
    ROW_PUSH,
    ROWS,
    SIZE,
    STALE,
    TILE,
    TILE_BITS,
    TOP_CELLS,
    TURN,
    UP,
    VISIBLE,
    WANTED,
)

MAX_TURNS = 150
MAX_STALE = 10
MAX_STEPS = 20

ITEM_BITS = TILE_BITS - PATH_BITS
ITEMS = TOP_CELLS * ((1 << ITEM_BITS) - 1)


@inline
def turn_line(board, cells, turn, size):
    """Rotate the cells of a board that are in a line, as a ring of `size` bits."""
    line = board & cells
    return board ^ line | (line << turn | line >> size - turn) & cells


@inline
def shift_boards(state, cells, turn, size, entering, hand):
    """Move players and wanted items with a line; the tile `hand` enters at `entering`."""
    for player in range(N_PLAYERS):
        state[PLAYERS + player] = turn_line(state[PLAYERS + player], cells, turn, size)
        wanted = turn_line(state[WANTED + player], cells, turn, size)
        state[WANTED + player] = wanted & ~entering
    item = hand >> PATH_BITS
    state[WANTED + (item >> OWNER_BIT & 1)] |= entering * (state[VISIBLE] >> item & 1)


@inline
def push_row(state, player, push):
    # The row turns as a ring, so the tile that falls off moves to the place where the hand's tile
    # enters.
    y, left = push >> 2 & 7, push & 3 == LEFT
    turn = TILE_BITS if left else ROW_BITS - TILE_BITS
    entry = 0 if left else LAST
    row = state[ROWS + y]
    row = (row << turn | row >> ROW_BITS - turn) & ROW
    hand = state[HANDS + player]
    fallen = row >> entry & TILE
    state[HANDS + player] = fallen
    state[ROWS + y] = row ^ (fallen ^ hand) << entry
    shift_boards(state, TOP_CELLS << y, turn, ROW_BITS, 1 << entry + y, hand)


@inline
def push_column(state, player, push):
    shift, up = TILE_BITS * (SIZE - 1 - (push >> 2 & 7)), push & 3 == UP
    column = TILE << shift
    hand = state[HANDS + player]
    carried = hand << shift
    for i in range(SIZE):
        y = SIZE - 1 - i if up else i
        row = state[ROWS + y]
        state[ROWS + y] = row & ~column | carried
        carried = row & column
    state[HANDS + player] = carried >> shift
    turn = SIZE - 1 if up else 1
    entering = 1 << (shift + SIZE - 1 if up else shift)
    shift_boards(state, COLUMN_CELLS << shift, turn, SIZE, entering, hand)


@inline
def push_lines(state, kind, push_0, push_1):
    """Play the pushes of a kind, ROW_PUSH or COLUMN_PUSH, then collect items."""
    for player in range(N_PLAYERS):
        push = push_0 if player == 0 else push_1
        if push & KIND == kind:
            if kind == ROW_PUSH:
                push_row(state, player, push)
            else:
                push_column(state, player, push)
    collect_items(state)


@inline
def is_clash(push_0, push_1):
    """Returns True if two pushes of one line cancel each other."""
    return (push_0 ^ push_1) & ~(LEFT ^ RIGHT) == 0


@inline
def push_turn(state, push_0, push_1):
    """Play both players' pushes: rows, collection, columns, collection (section 4)."""
    if is_clash(push_0, push_1):
        state[STALE] += 1
        collect_items(state)
    else:
        state[STALE] = 0
        push_lines(state, ROW_PUSH, push_0, push_1)
        push_lines(state, COLUMN_PUSH, push_0, push_1)


@inline
def count_cells(board):
    """Count the cells of a board (Warren, Hacker's Delight, section 5-1)."""
    pairs = board - (board >> 1 & 0x5555555555555555)
    fours = (pairs & 0x3333333333333333) + (pairs >> 2 & 0x3333333333333333)
    eights = fours + (fours >> 4) & 0x0F0F0F0F0F0F0F0F
    return eights * 0x0101010101010101 >> 56 & 0x7F


@inline
def collect_item(state, player, place):
    """Complete the quest for the wanted item at `place`, a board of one cell (section 6)."""
    cell = count_cells(place - 1)
    column = cell * 57 >> 9  # cell // 9
    shift = TILE_BITS * column + PATH_BITS
    y = cell - TILE_BITS * column & 7
    item = state[ROWS + y] >> shift & (1 << ITEM_BITS) - 1
    state[ROWS + y] ^= item << shift
    state[VISIBLE] ^= 1 << item
    state[WANTED + player] ^= place
    state[DONE + player] += 1


@inline
def collect_items(state):
    for player in range(N_PLAYERS):
        place = state[PLAYERS + player]
        if place & state[WANTED + player]:
            collect_item(state, player, place)


@inline
def find_item(state, item):
    """Returns the board of an item, empty if it is in a hand or collected."""
    board = 0
    for y in range(SIZE):
        # A field is 0 at the item only; adding 31 sets the sixth bit of every other field.
        differs = (state[ROWS + y] >> PATH_BITS & ITEMS) ^ TOP_CELLS * item
        board |= (~(differs + ITEMS) >> ITEM_BITS & TOP_CELLS) << y
    return board


@inline
def reveal_quests(state):
    """Reveal each player's next quests, up to n_visible of them (section 6)."""
    for player in range(N_PLAYERS):
        end = min(state[DONE + player] + state[N_VISIBLE], state[N_KNOWN])
        for i in range(state[REVEALED + player], end):
            item = player << OWNER_BIT | state[DECK] >> 4 * i & NAME
            state[VISIBLE] |= 1 << item
            state[WANTED + player] |= find_item(state, item)
            state[REVEALED + player] = i + 1


@inline
def begin_turn(state):
    """Begin the next turn. Its input still shows the items underfoot."""
    state[TURN] += 1
    reveal_quests(state)
    collect_items(state)


@inline
def is_over(state):
    """Returns True if the game is over (section 7)."""
    return (
        state[TURN] >= MAX_TURNS
        or state[STALE] >= MAX_STALE
        or max(state[DONE], state[DONE + 1]) == state[N_QUESTS]
    )


@inline
def open_right(state):
    """Returns the cells with a path to the right."""
    board = 0
    for y in range(SIZE):
        row = state[ROWS + y]
        board |= (row >> 2 & row << TILE_BITS & TOP_CELLS) << y
    return board


@inline
def open_down(state):
    """Returns the cells with a path down."""
    board = 0
    for y in range(SIZE - 1):
        board |= (state[ROWS + y] >> 1 & state[ROWS + y + 1] >> 3 & TOP_CELLS) << y
    return board


@inline
def neighbours(cells, right, down):
    """Returns the boards one step UP, RIGHT, DOWN, LEFT of a board (section 5)."""
    return (
        cells >> 1 & down,
        (cells & right) >> TILE_BITS,
        (cells & down) << 1,
        cells << TILE_BITS & right,
    )


@inline
def step(state, player, direction):
    """Move a player by one step, without collecting. Returns False if no path leads there."""
    place = neighbours(state[PLAYERS + player], open_right(state), open_down(state))[direction]
    if place:
        state[PLAYERS + player] = place
    return place != 0


@inline
def walk(state, player, end, taken):
    """Move a player to `end` and collect the items on the board `taken`."""
    state[PLAYERS + player] = end
    while taken:
        place = taken & -taken
        collect_item(state, player, place)
        taken ^= place
