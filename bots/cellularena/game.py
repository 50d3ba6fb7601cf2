"""Cellularena for searches of one player: its organisms act one after another; the rival acts by
rules (`rival.py`).

    setup  int64[SETUP_SIZE]  the turn in which a search ends, then scratch space
    state  int64[BOT_STATE_SIZE]  the state, the rival's growths in this turn, the proteins absorbed
        in it, the numbers of organisms that act and that have acted in it, and the cells of
        their roots

The reader is player 0. A growth is placed at once, and the action of the last organism plays
harvest and attacks: absorbed proteins can be spent from the next turn on, and two of the own
organisms never collide. Organisms beyond the first MAX_ORGANISMS that can act wait.

An *action* is the kind of an organ (3 bits, 0 to wait), its direction (2), its cell (9) and the
direction in which it grows or is spored (2).
"""

import math
from typing import NamedTuple

from bots.cellularena.rival import LOSS, REPLIES_END, SCRATCH_SIZE, STEPS, make_rival
from shared.core.game import SoloGame
from shared.core.jit import copy_numbers, inline, int_buffer, njit
from shared.games.cellularena.sim import (
    ABSORBED,
    MAX_TURNS,
    attack,
    can_buy,
    end_of_board,
    find_end,
    harvest,
    harvesters_at,
    is_attacked,
    place_organ,
)
from shared.games.cellularena.state import (
    ACTION_KIND,
    BASIC,
    BOARD_SIZE,
    CELL,
    CELLS,
    COSTS,
    ENDED,
    FACING,
    FACING_BIT,
    HARVESTER,
    ID_BIT,
    KIND,
    MAX_ACTIONS,
    N_OPEN,
    N_PROTEINS,
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
    pack_action,
    root_of,
    step_of,
)

MAX_ORGANISMS = 12
NEW = REPLIES_END  # proteins absorbed in this turn
N_ACTING = NEW + N_PROTEINS
N_ACTED = N_ACTING + 1
ACTING = N_ACTED + 1
BOT_STATE_SIZE = ACTING + MAX_ORGANISMS

STACK = 0
LAST = STACK + MAX_ACTIONS
STAMP = LAST + 1
SEEN = STAMP + 1
FIELD = SEEN + BOARD_SIZE
BLOCKED = FIELD + BOARD_SIZE
QUEUE = BLOCKED + BOARD_SIZE
RIVAL_STEPS = QUEUE + BOARD_SIZE
SIZES = RIVAL_STEPS + BOARD_SIZE
REPLY_SCRATCH = SIZES + BOARD_SIZE
OWN_STEPS = REPLY_SCRATCH + STEPS
INCOMES = REPLY_SCRATCH + SCRATCH_SIZE
SETUP_SIZE = INCOMES + 2 * N_PROTEINS

WAY_BIT = 14
MOST_ACTIONS = 4096  # the most actions of an organism
NEAR = 4  # steps from the rival within which tentacles are considered
SPORE_STEPS = 3  # the least range of a sporer worth its proteins
ENOUGH = 10.0  # the stock of a protein at which a source of it is worth half
SOON, LATE = 10, 40  # turns for which growth is forecast
MULTIPLIER = 0x5851F42D4C957F2D  # of the random numbers of Knuth's MMIX
KEY = (1 << 62) - 1


class Weights(NamedTuple):
    """The weights of the evaluation: see `make_evaluate`.

    first_source: the first harvested source of A or D; first_weapon: of B or C, which tentacles
    cost; source: each further source. stock: proteins in stock, `half` of which are worth half.
    arms: affordable tentacles. threat, attack: trees that tentacles kill; several: their number.
    soon, late: organs to come within SOON and LATE turns.
    """

    organ: float = 2.0
    territory: float = 0.6
    first_source: float = 4.0
    first_weapon: float = 6.0
    source: float = 0.5
    stock: float = 0.4
    half: float = 5.0
    arms: float = 4.0
    threat: float = 0.7
    attack: float = 0.3
    several: float = 0.2
    root: float = 0.5
    soon: float = 0.6
    late: float = 0.3


def new_setup():
    """Returns the buffer of a search."""
    return int_buffer(SETUP_SIZE)


def new_bot_state():
    """Returns an empty state with the space for a turn."""
    return int_buffer(BOT_STATE_SIZE)


list_replies, collides, play_replies = make_rival(REPLY_SCRATCH)


@inline
def can_act(state, cell, content):
    """Returns True for an organ of player 0 beside a free cell, or a sporer that faces one."""
    free = False
    for way in range(4):
        other = cell + step_of(way)
        if is_free(state[CELLS + other]) and not is_attacked(state, 0, other):
            free = True
    return free or (content & KIND == SPORER and is_free(state[CELLS + faced_cell(cell, content)]))


@njit
def begin_turn(setup, state):
    """List the organisms that can act in a turn, and the rival's growths."""
    list_replies(setup, state)
    setup[STAMP] += 1
    n = 0
    for cell in range(ROW + 1, end_of_board(state)):
        content = state[CELLS + cell]
        if not is_organ(content) or owner_of(content) != 0:
            continue
        root = root_of(content)
        if setup[SEEN + root] == setup[STAMP] or n == MAX_ORGANISMS:
            continue
        if can_act(state, cell, content):
            setup[SEEN + root] = setup[STAMP]
            state[ACTING + n] = root
            n += 1
    state[N_ACTING], state[N_ACTED] = n, 0


@inline
def way_to(cell, direction):
    """Returns the cell before another one in a direction."""
    return cell - step_of(direction)


@inline
def grow(state, action):
    """Place an organ of player 0, or a wall if the rival grows there as well; absorbed proteins are
    kept for the next turn.
    """
    kind, cell = action & ACTION_KIND, action >> TARGET_BIT & CELL
    protein = (state[CELLS + cell] & KIND) - A
    for i in range(N_PROTEINS):
        state[STOCKS + i] -= COSTS >> 4 * kind + i & 1
    if collides(state, cell):
        state[CELLS + cell] = WALL
        state[N_OPEN] -= 1
        return
    origin = way_to(cell, action >> WAY_BIT & FACING)
    place_organ(state, pack_action(kind, action >> TURN_BIT & FACING, cell, origin))
    if protein >= 0:
        state[STOCKS + protein] -= ABSORBED
        state[NEW + protein] += ABSORBED


@inline
def end_turn(setup, state):
    """Play harvest and attacks, and begin the next turn."""
    for i in range(N_PROTEINS):
        state[STOCKS + i] += state[NEW + i]
        state[NEW + i] = 0
    play_replies(state)
    harvest(state)
    attack(state, setup)
    state[TURN] += 1
    state[ENDED] = find_end(state)
    begin_turn(setup, state)


@njit
def apply(setup, state, action, after):
    """Play the next organism's action; the last ends the turn."""
    copy_numbers(state, 0, after, 0, BOT_STATE_SIZE)
    if action != WAIT:
        grow(after, action)
    after[N_ACTED] += 1
    if after[N_ACTED] >= after[N_ACTING]:
        end_turn(setup, after)


@inline
def is_over(setup, state):
    """Returns True at the end of the game, or of the search."""
    return state[ENDED] != 0 or state[TURN] >= setup[LAST]


@inline
def add(actions, n, kind, facing, cell, way):
    """Returns n after appending an action."""
    actions[n] = kind | facing << TURN_BIT | cell << TARGET_BIT | way << WAY_BIT
    return n + 1


@inline
def is_rival(content):
    """Returns True for an organ of player 1."""
    return is_organ(content) and owner_of(content) == 1


@inline
def add_spores(state, cell, content, actions, n):
    """Returns n after adding new roots."""
    way = content >> FACING_BIT & FACING
    target = faced_cell(cell, content)
    while is_free(state[CELLS + target]):
        if not is_attacked(state, 0, target):
            n = add(actions, n, ROOT, 0, target, way)
        target += step_of(way)
    return n


@inline
def count_range(state, cell, facing):
    """Returns the number of free cells in a direction."""
    n, step = 0, step_of(facing)
    while is_free(state[CELLS + cell + step * (n + 1)]):
        n += 1
    return n


@inline
def add_organs(setup, state, target, way, actions, n):
    """Returns n after adding organs for a cell."""
    basic = can_buy(state, 0, BASIC)
    if basic:
        n = add(actions, n, BASIC, 0, target, way)
    harvester, sporer = can_buy(state, 0, HARVESTER), can_buy(state, 0, SPORER)
    tentacle = can_buy(state, 0, TENTACLE)
    spores = sporer and state[ROOTS] < MAX_ORGANISMS
    for i in range(N_PROTEINS):
        spores = spores and state[STOCKS + i] > COSTS >> 4 * SPORER + i & 1
    useful_harvester = useful_tentacle = useful_sporer = False
    for facing in range(4):
        faced = target + step_of(facing)
        content = state[CELLS + faced]
        kind = content & KIND
        if harvester and A <= kind <= D and harvesters_at(state, faced) & 1 == 0:
            n = add(actions, n, HARVESTER, facing, target, way)
            useful_harvester = True
        is_near = max(setup[RIVAL_STEPS + target], setup[RIVAL_STEPS + faced]) <= NEAR
        if tentacle and is_near and (is_free(content) or is_rival(content)):
            n = add(actions, n, TENTACLE, facing, target, way)
            useful_tentacle = True
        if spores and count_range(state, target, facing) >= SPORE_STEPS:
            n = add(actions, n, SPORER, facing, target, way)
            useful_sporer = True
    # Any organ counts, where the cheap one cannot be paid.
    if not basic:
        if tentacle and not useful_tentacle:
            n = add(actions, n, TENTACLE, 0, target, way)
        if harvester and not useful_harvester:
            n = add(actions, n, HARVESTER, 0, target, way)
        if sporer and not useful_sporer:
            n = add(actions, n, SPORER, 0, target, way)
    return n


@njit
def legal(setup, state, actions):
    """Write the actions of the next organism; the first one is to wait."""
    actions[0] = WAIT
    n = 1
    if state[N_ACTED] >= state[N_ACTING]:
        return n
    root = state[ACTING + state[N_ACTED]]
    setup[STAMP] += 1
    for cell in range(ROW + 1, end_of_board(state)):
        content = state[CELLS + cell]
        if not is_organ(content) or owner_of(content) != 0 or root_of(content) != root:
            continue
        if content & KIND == SPORER and can_buy(state, 0, ROOT):
            n = add_spores(state, cell, content, actions, n)
        for way in range(4):
            target = cell + step_of(way)
            if is_free(state[CELLS + target]) and setup[SEEN + target] != setup[STAMP]:
                setup[SEEN + target] = setup[STAMP]
                if not is_attacked(state, 0, target):
                    n = add_organs(setup, state, target, way, actions, n)
    return n


@inline
def sample(setup, state, rng):
    """Returns WAIT: no search of this game plays at random."""
    return WAIT


@njit
def key(setup, state):
    """Returns a hash of the position without ids."""
    hashed = state[N_ACTED] + 1
    for cell in range(ROW + 1, end_of_board(state)):
        hashed = (hashed ^ state[CELLS + cell] & (1 << ID_BIT) - 1) * MULTIPLIER & KEY
        hashed ^= hashed >> 29
    for i in range(N_PROTEINS):
        hashed = (hashed ^ state[STOCKS + i]) * MULTIPLIER & KEY
        hashed ^= hashed >> 29
    return hashed


@njit
def fill_field(setup, state):
    """Write FIELD by cell: steps from the nearest organs << 2 | players (1, 2) with organs as near,
    -1 out of reach. Cells that a rival's tentacle faces are closed. Returns the length of QUEUE.
    """
    n = 0
    for cell in range(end_of_board(state)):
        setup[FIELD + cell] = -1
        setup[BLOCKED + cell] = 0
    for cell in range(ROW + 1, end_of_board(state)):
        content = state[CELLS + cell]
        if is_organ(content):
            setup[FIELD + cell] = 1 << owner_of(content)
            setup[QUEUE + n] = cell
            n += 1
            if content & KIND == TENTACLE:
                setup[BLOCKED + faced_cell(cell, content)] |= 2 >> owner_of(content)
    i = 0
    while i < n:
        cell = setup[QUEUE + i]
        i += 1
        here = setup[FIELD + cell]
        for way in range(4):
            other = cell + step_of(way)
            players = here & 3 & ~setup[BLOCKED + other]
            if players == 0 or not is_free(state[CELLS + other]):
                continue
            reached = setup[FIELD + other]
            if reached < 0:
                setup[FIELD + other] = (here & ~3) + 4 | players
                setup[QUEUE + n] = other
                n += 1
            elif reached >> 2 == (here >> 2) + 1:
                setup[FIELD + other] = reached | players
    return n


@njit
def count_trees(setup, state):
    """Write to SIZES, for each organ of QUEUE, the number of organs that die with it."""
    n = state[ORGANS] + state[ORGANS + 1]
    for i in range(n):
        setup[SIZES + setup[QUEUE + i]] = 0
    for i in range(n):
        cell = setup[QUEUE + i]
        while cell > 0:
            setup[SIZES + cell] += 1
            cell = state[CELLS + cell] >> PARENT_BIT & CELL


@njit
def find_steps(setup, state):
    """Write each cell's distance from the nearest organ of each player, across walls: a bound that
    stays nearly true within a search.
    """
    for cell in range(BOARD_SIZE):
        setup[RIVAL_STEPS + cell] = setup[OWN_STEPS + cell] = BOARD_SIZE
    for organ in range(ROW + 1, end_of_board(state)):
        if not is_organ(state[CELLS + organ]):
            continue
        first = RIVAL_STEPS if is_rival(state[CELLS + organ]) else OWN_STEPS
        for cell in range(ROW + 1, end_of_board(state)):
            steps = abs(cell // ROW - organ // ROW) + abs(cell % ROW - organ % ROW)
            setup[first + cell] = min(setup[first + cell], steps)


def prepare(setup, state, n_turns):
    """Begin a search of a number of turns."""
    setup[LAST] = int(state[TURN]) + n_turns
    find_steps(setup, state)


def make_evaluate(weights):
    """Make evaluate(setup, state): the advantage of player 0 in organs, organs to come, territory,
    income, stocks and organs under threat.

    Territory: cells nearer to the own organs. A threat: an organ beside a cell on which the other
    player can grow a tentacle. An organ is worth more than what its growth takes from the terms of
    the future: else a player waits beside free cells.
    """
    organ, territory, threat = weights.organ, weights.territory, weights.threat
    first_source, source = weights.first_source, weights.source
    first_weapon, arms = weights.first_weapon, weights.arms
    stock, root = weights.stock, weights.root
    attack_worth, several = weights.attack, weights.several
    soon, late, half = weights.soon, weights.late, weights.half

    @inline
    def count_territory(setup, n, player):
        """Returns the number of cells nearer to a player."""
        count = 0
        for i in range(n):
            reached = setup[FIELD + setup[QUEUE + i]]
            count += reached >= 4 and reached & 3 == 1 << player
        return count

    @inline
    def afford(setup, state, player, n_turns):
        """Returns the number of organs a player can pay in n_turns."""
        first = STOCKS + N_PROTEINS * player
        cheap = state[first] + n_turns * setup[INCOMES + N_PROTEINS * player]
        total = most = 0
        for i in range(N_PROTEINS):
            number = state[first + i] + n_turns * setup[INCOMES + N_PROTEINS * player + i]
            if player == 0:
                number += state[NEW + i]
                cheap += state[NEW] if i == 0 else 0
            if i > 0:
                total += number
                most = max(most, number)
        return cheap + min(total // 2, total - most)

    @inline
    def least(one, other):
        """Returns a smooth minimum."""
        return one * other / math.sqrt(one * one + other * other + 0.01)

    @inline
    def value_growth(setup, state, player, cells, left):
        """Returns the value of organs to come, by proteins, cells and organisms."""
        n_soon, n_late = min(SOON, left), min(LATE, left)
        room = 1.0 * cells
        at_first = least(
            1.0 * afford(setup, state, player, n_soon), 1.0 * n_soon * state[ROOTS + player]
        )
        in_the_end = least(1.0 * afford(setup, state, player, n_late), room)
        return soon * least(at_first, room) + late * in_the_end

    @inline
    def value_threats(setup, state, n):
        """Returns the value of threats: the largest trees that next tentacles can kill, and the
        number of such trees.
        """
        mine, rivals = can_buy(state, 0, TENTACLE), can_buy(state, 1, TENTACLE)
        loss = gain = n_loss = n_gain = 0
        for i in range(n):
            cell = setup[QUEUE + i]
            reached = setup[FIELD + cell]
            if reached < 4:
                continue
            if reached >= 8:
                break
            for way in range(4):
                other = cell + step_of(way)
                content = state[CELLS + other]
                if not is_organ(content):
                    continue
                if owner_of(content) == 0 and rivals and reached & 2:
                    loss = max(loss, setup[SIZES + other])
                    n_loss += 1
                elif owner_of(content) == 1 and mine and reached & 1:
                    gain = max(gain, setup[SIZES + other])
                    n_gain += 1
        return attack_worth * gain - threat * loss + several * (0.5 * n_gain - n_loss)

    @inline
    def value_sources(setup, state, later):
        value = 0.0
        met = 0
        for i in range(2 * N_PROTEINS):
            setup[INCOMES + i] = 0
        for cell in range(ROW + 1, end_of_board(state)):
            protein = (state[CELLS + cell] & KIND) - A
            if protein < 0 or protein >= N_PROTEINS:
                continue
            players = harvesters_at(state, cell)
            if players == 0:
                continue
            for player in range(2):
                if players >> player & 1:
                    bit = 1 << 2 * protein + player
                    first = first_weapon if 0 < protein < 3 else first_source
                    worth = source if met & bit else first
                    met |= bit
                    setup[INCOMES + N_PROTEINS * player + protein] += 1
                    # A protein that lies in plenty needs no source.
                    worth *= ENOUGH / (ENOUGH + state[STOCKS + N_PROTEINS * player + protein])
                    value += worth * later if player == 0 else -worth * later
        return value

    @inline
    def value_arms(state, player):
        """Returns the value of affordable tentacles."""
        first = STOCKS + N_PROTEINS * player
        tentacles = 1.0 * min(state[first + 1], state[first + 2])
        return tentacles / (tentacles + 2.0)

    @inline
    def value_stocks(state):
        value = 0.0
        for i in range(N_PROTEINS):
            mine = state[STOCKS + i] + state[NEW + i]
            rivals = state[STOCKS + N_PROTEINS + i]
            value += mine / (mine + half) - rivals / (rivals + half)
        return 10.0 * stock * value + arms * (value_arms(state, 0) - value_arms(state, 1))

    @njit
    def evaluate(setup, state):
        ahead = state[ORGANS] - state[ORGANS + 1]
        if state[ENDED] != 0:
            proteins = 0.0
            for i in range(N_PROTEINS):
                proteins += state[STOCKS + i] - state[STOCKS + N_PROTEINS + i]
            if ahead > 0 or (ahead == 0 and proteins > 0.0):
                return 1000.0 + ahead
            return -1000.0 + ahead
        left = MAX_TURNS - state[TURN]
        later = min(1.0, left / 25.0)
        value = organ * ahead + root * later * (state[ROOTS] - state[ROOTS + 1])
        n = fill_field(setup, state)
        count_trees(setup, state)
        mine, rivals = count_territory(setup, n, 0), count_territory(setup, n, 1)
        value += territory * (mine - rivals) * later + value_threats(setup, state, n)
        value -= threat * state[LOSS]
        value += value_sources(setup, state, later)
        value += value_growth(setup, state, 0, mine, left)
        value -= value_growth(setup, state, 1, rivals, left)
        return value + value_stocks(state) * later

    return evaluate


def make_game(weights):
    """Returns the game of player 0 with these weights."""
    evaluate = make_evaluate(weights)
    functions = legal, sample, apply, is_over, evaluate, evaluate, key
    return SoloGame(MOST_ACTIONS, BOT_STATE_SIZE, *functions)


def to_rules(state, action):
    """Returns an action as the rules know it; `state` is one before the turn's end."""
    kind, cell = action & ACTION_KIND, action >> TARGET_BIT & CELL
    if kind == WAIT:
        return WAIT
    way = action >> WAY_BIT & FACING
    origin = int(way_to(cell, way))
    while kind == ROOT and not is_organ(int(state[CELLS + origin])):
        origin = int(way_to(origin, way))
    return int(pack_action(kind, action >> TURN_BIT & FACING, cell, origin))
