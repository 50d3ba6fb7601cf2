"""The state of Code of Kutulu as one flat int64 buffer: explorers, minions, effects.

A *cell* is the number of a walkable cell of the maze (`maze.py`), 0..255.

    turn        from 0; beyond MAX_TURN the game is over.
    seed        the 48 bits of the game's java.util.Random; NO_SEED if the draws are unknown.
    next_id     id of the next minion.
    alive       a bit for each player in the game.
    slashed     a bit for each player whose slasher has come.
    yelled      bit 4 * yeller + receiver for each pair that has been used.
    yells       these bits for yells with one turn left, 16 bits higher with two turns left.
    shelters    the energy of each shelter, 4 bits each, the first lowest.
    cells[4], sanities[4], plans[4], lights[4]   of each player; plans, lights: those left to cast.
    effects[4]  turns left of a player's plan, or 8 | turns left of a light; 0 for none.
    scores[4]   -1 after a fault; the turn of a death; 200 + sanity of a survivor.
    n_minions
    minions[96] in the order of their ids

A *minion* is its cell (8 bits), state (3), target (3: 0 none, else 1 + player), kind (1), timer
(8), memory (9: 0 none, else 1 + the cell where a slasher saw its target) and id (from bit 32).
"""

from ...core.jit import inline, int_buffer

N_PLAYERS = 4
MAX_SANITY = 250
MAX_MINIONS = 96
FIRST_ID = 4
NO_SEED = -1
N_PLANS, N_LIGHTS = 2, 3

WAIT, UP, RIGHT, DOWN, LEFT, PLAN, LIGHT, YELL = range(8)
ACTIONS = ("WAIT", "UP", "RIGHT", "DOWN", "LEFT", "PLAN", "LIGHT", "YELL")
N_ACTIONS = len(ACTIONS)

TURN, SEED, NEXT_ID, ALIVE, SLASHED, YELLED, YELLS, SHELTERS = range(8)
CELLS = SHELTERS + 1
SANITIES = CELLS + N_PLAYERS
PLANS = SANITIES + N_PLAYERS
LIGHTS = PLANS + N_PLAYERS
EFFECTS = LIGHTS + N_PLAYERS
SCORES = EFFECTS + N_PLAYERS
N_MINIONS = SCORES + N_PLAYERS
MINIONS = N_MINIONS + 1
STATE_SIZE = MINIONS + MAX_MINIONS

EVERYBODY = (1 << N_PLAYERS) - 1
PAIRS_BITS = N_PLAYERS * N_PLAYERS
FRESH = PAIRS_BITS  # the first bit of yells with two turns to go
RECEIVERS = 0x1111  # the bits of one player, shifted by its number
SHELTER_BITS = 4
SHELTER = (1 << SHELTER_BITS) - 1
LIT = 8  # marks an effect as a light

CELL = 255
STATE_BIT, TARGET_BIT, KIND_BIT, TIMER_BIT, MEMORY_BIT, ID_BIT = 8, 11, 14, 15, 23, 32
STATE, TARGET, TIMER, MEMORY = 7, 7, 255, 511
WANDERER, SLASHER = range(2)
SPAWNING, WANDERING, STALKING, RUSHING, STUNNED = range(5)
KINDS = ("WANDERER", "SLASHER")


def new_state():
    """Returns an empty state without players."""
    return int_buffer(STATE_SIZE)


@inline
def copy_state(source, target):
    """Copy a state, except for unused minion slots."""
    for i in range(MINIONS + source[N_MINIONS]):
        target[i] = source[i]


def start_state(cells, seed):
    """Returns the start of a game: the players on their cells."""
    state = new_state()
    state[SEED], state[NEXT_ID], state[ALIVE] = seed, FIRST_ID, EVERYBODY
    for player, cell in enumerate(cells):
        state[CELLS + player], state[SANITIES + player] = cell, MAX_SANITY
        state[PLANS + player], state[LIGHTS + player] = N_PLANS, N_LIGHTS
    return state


@inline
def pack_minion(kind, cell, minion_state, timer, target, memory, number):
    """Returns a packed minion; target and memory are stored plus one, as in the buffer."""
    low = cell | minion_state << STATE_BIT | target << TARGET_BIT | kind << KIND_BIT
    return low | timer << TIMER_BIT | memory << MEMORY_BIT | number << ID_BIT


def living(state):
    """Returns the players in the game, in order."""
    return [player for player in range(N_PLAYERS) if int(state[ALIVE]) >> player & 1]


def is_yell(state, yeller, receiver):
    """Returns the turns left of a yell, or 0."""
    bit = N_PLAYERS * yeller + receiver
    yells = int(state[YELLS])
    return 2 if yells >> FRESH + bit & 1 else yells >> bit & 1
