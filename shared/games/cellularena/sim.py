"""The rules of Cellularena on the buffer of `state.py` (sections refer to RULES.md)."""

from ...core.jit import inline, njit
from ...games.cellularena.state import (
    ACTION_KIND,
    CELL,
    CELLS,
    COSTS,
    EMPTY,
    ENDED,
    FACING,
    FACING_BIT,
    FROM_BIT,
    HARVESTER,
    HEIGHT,
    KIND,
    MARK,
    N_OPEN,
    N_PLAYERS,
    N_PROTEINS,
    NEXT_ID,
    ORGANS,
    PARENT_BIT,
    ROOT,
    ROOTS,
    ROW,
    SPORER,
    STOCKS,
    TARGET_BIT,
    TENTACLE,
    TURN,
    TURN_BIT,
    WAIT,
    WALL,
    A,
    D,
    faced_cell,
    is_free,
    is_organ,
    owner_of,
    pack_organ,
    root_of,
    step_of,
)

MAX_TURNS = 100
ABSORBED = 3  # proteins of a source on which an organ grows
DIED, STARVED, FULL, LAST_TURN = 1, 2, 3, 4  # the reasons for the end (section 7)

# java.util.HashMap (section 6)
FIRST_TABLE, LARGEST_LIST, SMALLEST_TREE_TABLE = 16, 7, 64


@inline
def can_buy(state, player, kind):
    """Returns True if a player can pay for a kind of organ."""
    cost = COSTS >> 4 * kind
    enough = True
    for protein in range(N_PROTEINS):
        if cost >> protein & 1 > state[STOCKS + N_PROTEINS * player + protein]:
            enough = False
    return enough


@inline
def is_attacked(state, player, cell):
    """Returns True if a tentacle of the other player faces a cell (section 4)."""
    attacked = False
    for direction in range(4):
        other = cell + step_of(direction)
        content = state[CELLS + other]
        if content & KIND == TENTACLE and owner_of(content) != player:
            attacked = attacked or faced_cell(other, content) == cell
    return attacked


@inline
def is_in_range(state, cell, target):
    """Returns True if the sporer on a cell faces `target` with no wall or organ between."""
    step = step_of(state[CELLS + cell] >> FACING_BIT & FACING)
    other = cell + step
    while other != target and is_free(state[CELLS + other]):
        other += step
    return other == target


@inline
def is_possible(state, player, action):
    """Returns True for a growth that the rules permit, whatever the proteins (section 4)."""
    kind, target = action & ACTION_KIND, action >> TARGET_BIT & CELL
    origin = action >> FROM_BIT & CELL
    content = state[CELLS + origin]
    possible = is_organ(content) and owner_of(content) == player
    if possible and kind == ROOT:
        possible = content & KIND == SPORER and is_in_range(state, origin, target)
    elif possible:
        distance = target - origin
        possible = abs(distance) == 1 or abs(distance) == ROW
    possible = possible and is_free(state[CELLS + target])
    return possible and not is_attacked(state, player, target)


@inline
def pay_growths(state, joint, growths):
    """Pay and write the affordable growths, player at bit 32. Returns their number."""
    n, i = 0, N_PLAYERS
    for player in range(N_PLAYERS):
        for _ in range(joint[player]):
            action = joint[i]
            i += 1
            kind = action & ACTION_KIND
            if kind == WAIT:
                continue
            root = CELLS + root_of(state[CELLS + (action >> FROM_BIT & CELL)])
            if state[root] & MARK == 0 and can_buy(state, player, kind):
                state[root] |= MARK
                for protein in range(N_PROTEINS):
                    cost = COSTS >> 4 * kind + protein & 1
                    state[STOCKS + N_PROTEINS * player + protein] -= cost
                growths[n] = action | player << 32
                n += 1
    for k in range(n):
        state[CELLS + root_of(state[CELLS + (growths[k] >> FROM_BIT & CELL)])] &= ~MARK
    return n


@inline
def hash_of(cell):
    """Returns the hash of a cell's coordinates."""
    return 31 * (31 + cell % ROW - 1) + cell // ROW - 1


@inline
def drop_collisions(state, growths, n):
    """Turn cells with several growths into walls, and sort the growths left in the order of their
    ids (section 6). Returns their number.
    """
    table, size, kept = FIRST_TABLE, 0, 0
    for i in range(n):
        if 4 * size > 3 * table:
            table *= 2
        cell = growths[i] >> TARGET_BIT & CELL
        same, length = 0, 0
        for k in range(i):
            other = growths[k] >> TARGET_BIT & CELL
            if other == cell:
                same += 1
        if same > 0:
            if state[CELLS + cell] & KIND != WALL:
                state[CELLS + cell] = WALL
                state[N_OPEN] -= 1
            continue
        for k in range(i):
            # A cell with several growths is one entry: its first growth stands for it.
            other = growths[k] >> TARGET_BIT & CELL
            if (hash_of(other) ^ hash_of(cell)) & table - 1 == 0:
                is_first = True
                for earlier in range(k):
                    if growths[earlier] >> TARGET_BIT & CELL == other:
                        is_first = False
                length += is_first
        size += 1
        if length >= LARGEST_LIST and table < SMALLEST_TREE_TABLE:
            table *= 2
    for i in range(n):
        growth = growths[i]
        cell = growth >> TARGET_BIT & CELL
        if state[CELLS + cell] & KIND != WALL:
            # By buckets; in a bucket the latest entry comes first.
            bucket = hash_of(cell) & table - 1
            k = kept
            while k > 0 and hash_of(growths[k - 1] >> TARGET_BIT & CELL) & table - 1 >= bucket:
                growths[k] = growths[k - 1]
                k -= 1
            growths[k] = growth
            kept += 1
    return kept


@inline
def place_organ(state, growth):
    """Place an organ, which absorbs the protein source there (section 4)."""
    kind, target = growth & ACTION_KIND, growth >> TARGET_BIT & CELL
    origin, player = growth >> FROM_BIT & CELL, growth >> 32
    protein = (state[CELLS + target] & KIND) - A
    if protein >= 0:
        state[STOCKS + N_PROTEINS * player + protein] += ABSORBED
    facing, number = growth >> TURN_BIT & FACING, state[NEXT_ID]
    if kind == ROOT:
        state[CELLS + target] = pack_organ(kind, player, facing, 0, target, number)
        state[ROOTS + player] += 1
    else:
        root = root_of(state[CELLS + origin])
        state[CELLS + target] = pack_organ(kind, player, facing, origin, root, number)
    state[NEXT_ID] += 1
    state[ORGANS + player] += 1
    state[N_OPEN] -= 1


@inline
def harvesters_at(state, cell):
    """Returns a bit set of the players with a harvester that faces a cell."""
    players = 0
    for direction in range(4):
        other = cell + step_of(direction)
        content = state[CELLS + other]
        if content & KIND == HARVESTER and faced_cell(other, content) == cell:
            players |= 1 << owner_of(content)
    return players


@inline
def end_of_board(state):
    """Returns the first cell below the board."""
    return ROW * (state[HEIGHT] + 1)


@inline
def harvest(state):
    """Give each player a protein of each source that its harvesters face (section 5)."""
    for cell in range(ROW + 1, end_of_board(state)):
        protein = (state[CELLS + cell] & KIND) - A
        if protein >= 0 and protein < N_PROTEINS:
            players = harvesters_at(state, cell)
            for player in range(N_PLAYERS):
                state[STOCKS + N_PROTEINS * player + protein] += players >> player & 1


@inline
def attack(state, stack):
    """Remove the organs that tentacles face, with their descendants (section 5)."""
    n = 0
    for cell in range(ROW + 1, end_of_board(state)):
        content = state[CELLS + cell]
        if content & KIND == TENTACLE:
            faced = faced_cell(cell, content)
            victim = state[CELLS + faced]
            if is_organ(victim) and victim & MARK == 0 and owner_of(victim) != owner_of(content):
                state[CELLS + faced] |= MARK
                stack[n] = faced
                n += 1
    while n > 0:
        n -= 1
        cell = stack[n]
        content = state[CELLS + cell]
        player = owner_of(content)
        state[CELLS + cell] = EMPTY
        state[ORGANS + player] -= 1
        state[ROOTS + player] -= content & KIND == ROOT
        state[N_OPEN] += 1
        for direction in range(4):
            other = cell + step_of(direction)
            child = state[CELLS + other]
            if is_organ(child) and child & MARK == 0 and child >> PARENT_BIT & CELL == cell:
                state[CELLS + other] |= MARK
                stack[n] = other
                n += 1


@inline
def can_progress(state, player):
    """Returns True if a player can buy an organ or harvests a protein (section 7)."""
    able = False
    for kind in range(ROOT, SPORER + 1):
        able = able or can_buy(state, player, kind)
    if not able:
        for cell in range(ROW + 1, end_of_board(state)):
            kind = state[CELLS + cell] & KIND
            if kind >= A and kind <= D:
                able = able or harvesters_at(state, cell) >> player & 1 != 0
    return able


@inline
def find_end(state):
    """Returns the reason for the game's end after a turn, or 0 (section 7)."""
    mine, others = state[ORGANS], state[ORGANS + 1]
    if mine == 0 or others == 0:
        return DIED
    one, other = can_progress(state, 0), can_progress(state, 1)
    if not (one or other) or (not one and mine < others) or (not other and others < mine):
        return STARVED
    if state[N_OPEN] == 0:
        return FULL
    return LAST_TURN if state[TURN] >= MAX_TURNS else 0


@njit
def apply(state, joint, growths):
    """Play a turn (section 3): growth, harvest, attack, end.

    joint: possible actions. growths int64[MAX_ACTIONS]: scratch space.
    """
    n = pay_growths(state, joint, growths)
    n = drop_collisions(state, growths, n)
    for i in range(n):
        place_organ(state, growths[i])
    harvest(state)
    attack(state, growths)
    state[TURN] += 1
    state[ENDED] = find_end(state)


@inline
def is_over(state):
    """Returns True if the game is over."""
    return state[ENDED] != 0


def total_proteins(state, player):
    """Returns the sum of a player's proteins, which decides between equal numbers of organs."""
    first = STOCKS + N_PROTEINS * player
    return sum(int(number) for number in state[first : first + N_PROTEINS])
