"""The rival in a simulated turn: player 1 chooses by rules, from the board as the turn begins.

Each of its organisms, where the stock permits, takes the best of: a tentacle that kills an organ of
player 0, the more organs die the better; a tentacle that faces a cell between both players; a step
towards player 0. A search lists these growths when a turn begins and plays them when it ends. No
organ of player 0 that was beside them when the turn began can escape, except by a collision.
"""

from shared.core.jit import inline
from shared.games.cellularena.sim import (
    can_buy,
    end_of_board,
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
    FROM_BIT,
    HARVESTER,
    N_PROTEINS,
    PARENT_BIT,
    ROOTS,
    ROW,
    SPORER,
    STATE_SIZE,
    STOCKS,
    TARGET_BIT,
    TENTACLE,
    is_free,
    is_organ,
    owner_of,
    pack_action,
    root_of,
    step_of,
)

MOST_REPLIES = 8
LOSS = STATE_SIZE  # organs of player 0 that the listed growths kill
N_REPLIES = LOSS + 1
REPLIES = N_REPLIES + 1
REPLIES_END = REPLIES + MOST_REPLIES

# Scratch space in the buffer of a search, from REPLY_SCRATCH on.
MOST_CANDIDATES = 256
SIZES = 0  # the sizes of the trees of player 0's organs
STEPS = SIZES + BOARD_SIZE  # each cell's steps from player 0, computed once for a search
MARKS = STEPS + BOARD_SIZE  # the last listing in which a cell was taken, or a root had grown
SCORES = MARKS + BOARD_SIZE
GROWTHS = SCORES + MOST_CANDIDATES
VICTIMS = GROWTHS + MOST_CANDIDATES
COUNT = VICTIMS + MOST_CANDIDATES
SCRATCH_SIZE = COUNT + 1

KILL, DEFENCE, STEP = 1000, 500, 400
PLAYER_1 = 1 << 32


def make_rival(scratch):
    """Make list_replies(setup, state), collides(state, cell) and play_replies(state).

    scratch: the first number of the scratch space in `setup`.
    """
    sizes, steps, marks = scratch + SIZES, scratch + STEPS, scratch + MARKS
    scores, growths, victims = scratch + SCORES, scratch + GROWTHS, scratch + VICTIMS
    count = scratch + COUNT

    @inline
    def is_mine(content):
        """Returns True for an organ of player 0."""
        return is_organ(content) and owner_of(content) == 0

    @inline
    def count_sizes(setup, state):
        """Write for each organ of player 0 the number of organs that die with it."""
        end = end_of_board(state)
        for cell in range(ROW + 1, end):
            setup[sizes + cell] = 0
        for start in range(ROW + 1, end):
            if is_mine(state[CELLS + start]):
                cell = start
                while cell > 0:
                    setup[sizes + cell] += 1
                    cell = state[CELLS + cell] >> PARENT_BIT & CELL

    @inline
    def add(setup, n, score, kind, facing, cell, origin, victim):
        """Returns n after appending a candidate."""
        if n >= MOST_CANDIDATES:
            return n
        setup[scores + n] = score
        setup[growths + n] = pack_action(kind, facing, cell, origin)
        setup[victims + n] = victim
        return n + 1

    @inline
    def list_candidates(setup, state, tentacle):
        """Write all growths with scores. Returns their number. tentacle: True if affordable."""
        n = 0
        counted = False
        for origin in range(ROW + 1, end_of_board(state)):
            content = state[CELLS + origin]
            if not is_organ(content) or owner_of(content) != 1:
                continue
            for way in range(4):
                cell = origin + step_of(way)
                if not is_free(state[CELLS + cell]) or is_attacked(state, 1, cell):
                    continue
                n = add(setup, n, STEP - setup[steps + cell], BASIC, 0, cell, origin, 0)
                if not tentacle or setup[steps + cell] > 3:
                    continue
                for facing in range(4):
                    faced = cell + step_of(facing)
                    other = state[CELLS + faced]
                    if is_mine(other):
                        if not counted:
                            counted = True
                            count_sizes(setup, state)
                        score = KILL + setup[sizes + faced]
                        n = add(setup, n, score, TENTACLE, facing, cell, origin, faced)
                    elif is_free(other) and not is_attacked(state, 0, faced):
                        near = 0
                        for direction in range(4):
                            near += is_mine(state[CELLS + faced + step_of(direction)])
                        if near > 0:
                            n = add(setup, n, DEFENCE, TENTACLE, facing, cell, origin, 0)
        return n

    @inline
    def is_dead(setup, state, victim, stamp):
        """Returns True if an organ or an ancestor of it is already killed."""
        cell, dead = victim, False
        while cell > 0:
            dead = dead or setup[marks + cell] == stamp
            cell = state[CELLS + cell] >> PARENT_BIT & CELL
        return dead

    @inline
    def list_replies(setup, state):
        """Write the growths of player 1 in a turn that begins, and the organs that they kill."""
        state[LOSS] = state[N_REPLIES] = 0
        n = list_candidates(setup, state, can_buy(state, 1, TENTACLE))
        setup[count] += 1
        stamp = setup[count]
        # One growth for each organism.
        a, b = state[STOCKS + N_PROTEINS], state[STOCKS + N_PROTEINS + 1]
        c, d = state[STOCKS + N_PROTEINS + 2], state[STOCKS + N_PROTEINS + 3]
        left = min(MOST_REPLIES, state[ROOTS + 1])
        while left > 0:
            best, best_score = -1, 0
            for i in range(n):
                if setup[scores + i] > best_score:
                    best, best_score = i, setup[scores + i]
            if best < 0:
                break
            setup[scores + best] = 0
            growth, victim = setup[growths + best], setup[victims + best]
            cell = growth >> TARGET_BIT & CELL
            root = root_of(state[CELLS + (growth >> FROM_BIT & CELL)])
            if setup[marks + cell] == stamp or setup[marks + root] == stamp:
                continue
            kind = growth & ACTION_KIND
            if kind == TENTACLE:
                if b == 0 or c == 0 or (victim > 0 and is_dead(setup, state, victim, stamp)):
                    continue
            elif a == 0:
                # Without protein A the step is made by another kind of organ.
                if b > 0 and c > 0:
                    kind = TENTACLE
                elif c > 0 and d > 0:
                    kind = HARVESTER
                elif b > 0 and d > 0:
                    kind = SPORER
                else:
                    continue
                growth += kind - BASIC
            cost = COSTS >> 4 * kind
            a -= cost & 1
            b -= cost >> 1 & 1
            c -= cost >> 2 & 1
            d -= cost >> 3 & 1
            setup[marks + cell] = setup[marks + root] = stamp
            if victim > 0:
                setup[marks + victim] = stamp
                state[LOSS] += best_score - KILL
            state[REPLIES + state[N_REPLIES]] = growth
            state[N_REPLIES] += 1
            left -= 1

    @inline
    def collides(state, cell):
        """Returns True if player 1 grows on a cell in this turn."""
        found = False
        for i in range(state[N_REPLIES]):
            found = found or state[REPLIES + i] >> TARGET_BIT & CELL == cell
        return found

    @inline
    def play_replies(state):
        """Play the listed growths; collided growths only cost."""
        for i in range(state[N_REPLIES]):
            growth = state[REPLIES + i]
            cost = COSTS >> 4 * (growth & ACTION_KIND)
            for protein in range(N_PROTEINS):
                state[STOCKS + N_PROTEINS + protein] -= cost >> protein & 1
            if is_free(state[CELLS + (growth >> TARGET_BIT & CELL)]):
                place_organ(state, growth | PLAYER_1)

    return list_replies, collides, play_replies
