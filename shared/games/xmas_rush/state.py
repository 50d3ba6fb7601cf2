"""The state of X-mas Rush as one flat int64 buffer: tiles with their items, players, quests.

A *tile* is 9 bits: the paths UP RIGHT DOWN LEFT from bit 3 to bit 0, and above them the item. An
*item* is 5 bits, owner << 4 | name, with names counted from 1; 0 is none. A row is an int of seven
tiles: column x begins at bit 9 (6 - x), so a push is a shift that carries the items along.

A *board* is an int with a bit for each cell: row y of column x is bit 9 (6 - x) + y, the *cell*'s
number. Two bits between columns are always 0: a shift by 1 or 9 steps down or left.

    rows[7]      the tiles of each row.
    hands[2]     the tile each player holds.
    players[2]   a board with the cell on which the player stands.
    wanted[2]    a board of the player's items whose quests are visible.
    visible      a bit for each item, of both players, whose quest is visible.
    revealed[2]  number of the deck's quests shown to the player.
    done[2]      number of quests the player has completed.
    deck         the names in the order in which they are shown, 4 bits each, the first lowest.
    n_known      number of known names; a bot knows only shown names.
    n_quests, n_visible   number of a player's quests, and shown at a time.
    turn         from 1; odd turns are pushes, even ones moves.
    stale        consecutive clashes: both players pushed the same line.

A *push* is line << 2 | direction: UP or DOWN the column, LEFT or RIGHT the row of that number.
"""

from ...core.jit import inline, int_buffer

SIZE = 7
N_PLAYERS = 2
MAX_VISIBLE = 3
NAMES = "ARROW BOOK CANE CANDY DIAMOND FISH MASK KEY POTION SCROLL SHIELD SWORD".split()
UP, RIGHT, DOWN, LEFT = range(4)
DIRECTIONS = ("UP", "RIGHT", "DOWN", "LEFT")

ROWS = 0
HANDS = ROWS + SIZE
PLAYERS = HANDS + N_PLAYERS
WANTED = PLAYERS + N_PLAYERS
VISIBLE = WANTED + N_PLAYERS
REVEALED = VISIBLE + 1
DONE = REVEALED + N_PLAYERS
DECK = DONE + N_PLAYERS
N_KNOWN, N_QUESTS, N_VISIBLE, TURN, STALE = range(DECK + 1, DECK + 6)
STATE_SIZE = STALE + 1

TILE_BITS = 9
PATH_BITS = 4
TILE = (1 << TILE_BITS) - 1
PATHS = (1 << PATH_BITS) - 1
ROW_BITS = SIZE * TILE_BITS
ROW = (1 << ROW_BITS) - 1
LAST = (SIZE - 1) * TILE_BITS  # the first bit of column 0's tile
OWNER_BIT = 4
NAME = (1 << OWNER_BIT) - 1

# Row 0 of a board; shifted left by y for row y
TOP_CELLS = sum(1 << TILE_BITS * i for i in range(SIZE))
COLUMN_CELLS = (1 << SIZE) - 1  # column 6 of a board

N_PUSHES = SIZE << 2
ROW_PUSH, COLUMN_PUSH = 1, 0
# Of an eliminated player: neither a row nor a column
NO_PUSH = 1 << 5
KIND = NO_PUSH | ROW_PUSH


def new_state():
    """Returns an empty state."""
    return int_buffer(STATE_SIZE)


@inline
def copy_state(source, target):
    for i in range(STATE_SIZE):
        target[i] = source[i]


def cell_at(x, y):
    """Find a cell's number."""
    return TILE_BITS * (SIZE - 1 - x) + y


def item_number(name, owner):
    """Returns a player's item. Raises ValueError for an unknown name."""
    return owner << OWNER_BIT | NAMES.index(name) + 1


def pack_deck(names):
    """Pack names into a deck, the first shown lowest."""
    return sum(NAMES.index(name) + 1 << 4 * i for i, name in enumerate(names))


def cell_place(cell):
    """Returns x and y."""
    column, y = divmod(cell, TILE_BITS)
    return SIZE - 1 - column, y


def board_places(board):
    """Returns (x, y) of a board's cells, by column from the right."""
    return [cell_place(cell) for cell in range(LAST + SIZE) if board >> cell & 1]


def tile_at(state, x, y):
    return int(state[ROWS + y]) >> TILE_BITS * (SIZE - 1 - x) & TILE


def item_name(item):
    """Returns (name, owner)."""
    return NAMES[(item & NAME) - 1], item >> OWNER_BIT


def deck_names(state):
    """Returns the deck's known names in showing order."""
    deck = int(state[DECK])
    return [NAMES[(deck >> 4 * i & NAME) - 1] for i in range(state[N_KNOWN])]


def quests(state, player):
    """Returns the names of a player's visible quests, in order of appearance."""
    shown = deck_names(state)[: state[REVEALED + player]]
    return [name for name in shown if int(state[VISIBLE]) >> item_number(name, player) & 1]


def item_places(state):
    """Returns {item: (x, y)}; hands of players 0, 1 are (-1, -1), (-2, -2)."""
    tiles = {(x, y): tile_at(state, x, y) for y in range(SIZE) for x in range(SIZE)}
    tiles |= {(-1 - player,) * 2: int(state[HANDS + player]) for player in range(N_PLAYERS)}
    return {tile >> PATH_BITS: place for place, tile in tiles.items() if tile >> PATH_BITS}
