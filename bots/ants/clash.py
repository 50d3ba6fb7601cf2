"""Local fights decided exactly: the joint move of a few own ants that is best against the worst
reply of all enemies they may meet.

The sampler counts how often a move was the best one, not how much it loses otherwise. So after
it, groups of own ants that share enemies choose again: the joint move with the greatest sum of its
least value over the enemies' joint moves (the AI Challenge's winner of 2011 did so) and its value
if all enemies stay. By the least value alone all moves are equal to an ant that the enemies can
kill wherever it is, so that it steps out to certain death. Ants that belong to no group stay as
they were placed. A reply that refuted one joint move is tried first on the next ones.

Letters: G slots for own ants, the first ones being those that choose; E slots for enemies; M = 5.

    sizes [N_SIZES]    counts, by the names below.
    ants [G], foes [E] agents.
    reach [G M]        for a move of an own ant: bit M * foe + its move where they are within reach.
    shares [G M]       the value of a move of an own ant if it lives.
    prizes [E]         the value of a dead enemy.
    options [G M], n_options [G]  the moves to be tried, the present one first.
    trial, best [G]    moves of own ants, as indices of options; best moves.
    replies [E M], n_replies [E]  the moves of enemies that matter against a trial.
    touch [E M]        the own ants within reach of an enemy after a move, as bits.
    words [E M]        the same with 4 bits an ant.
    reply, worst [E]   indices of replies; moves that refuted the last trial.
    marks [A]          ants that have been decided, or 1 + the slot of a foe.
"""

from typing import NamedTuple

from bots.ants.combat import (
    AGENT,
    ALL_MOVES,
    HOLD,
    MAX_PAIRS,
    N_AGENTS,
    N_MOVES,
    N_OWN,
    REACH,
    Field,
    lift,
    put,
)
from bots.ants.memory import ENEMY, N_CELLS, Memory
from shared.core.bits import count_bits, lowest_bit
from shared.core.jit import Floats, Ints, float_buffer, inline, int_buffer, kernel

SLOTS = 15  # own ants of a group: 4 bits each count their enemies
FOES = 12  # 5 bits each
N_ANTS, N_CHOOSING, N_FOES, NEXT, LEAVES = range(5)
N_SIZES = 5
LOSS, KILL, BOLD_LOSS, BOLD_KILL, CROWD, PUSH, HOPE = range(7)
N_RATES = 7
INFINITE = 1e300
FAR_OFF = 20  # the distance of enemies from which nearness counts no more


class Fight(NamedTuple):
    """The weights of fights.

    loss: an own ant, beyond the worth of its place. kill: an enemy. bold_loss, bold_kill: in a
    group with an ant that has `crowd` more friends than enemies around it. push: each step nearer
    to an enemy, of an ant that is not outnumbered. hope: the value if all enemies stay; the least
    value has 1. choosing: the most ants of a group. replies: the most judged for a group. passes:
    how often each ant chooses.
    """

    loss: float = 1.0
    kill: float = 5.0
    bold_loss: float = -2.0
    bold_kill: float = 5.0
    crowd: float = 14.0
    push: float = 0.1
    hope: float = 1.0
    choosing: int = 6
    replies: int = 200_000
    passes: int = 2

    def rates(self) -> Floats:
        rates = float_buffer(N_RATES)
        for place, rate in (
            (LOSS, self.loss),
            (KILL, self.kill),
            (BOLD_LOSS, self.bold_loss),
            (BOLD_KILL, self.bold_kill),
            (CROWD, self.crowd),
            (PUSH, self.push),
            (HOPE, self.hope),
        ):
            rates[place] = rate
        return rates


class Clash(NamedTuple):
    """The buffers of a group; see the module."""

    sizes: Ints
    ants: Ints
    foes: Ints
    reach: Ints
    shares: Floats
    prizes: Floats
    options: Ints
    n_options: Ints
    trial: Ints
    best: Ints
    replies: Ints
    n_replies: Ints
    touch: Ints
    words: Ints
    reply: Ints
    worst: Ints
    marks: Ints
    rates: Floats


def new_clash(fight: Fight, max_agents: int) -> Clash:
    """Returns buffers for this many ants."""
    return Clash(
        sizes=int_buffer(N_SIZES),
        ants=int_buffer(SLOTS),
        foes=int_buffer(FOES),
        reach=int_buffer(SLOTS * N_MOVES),
        shares=float_buffer(SLOTS * N_MOVES),
        prizes=float_buffer(FOES),
        options=int_buffer(SLOTS * N_MOVES),
        n_options=int_buffer(SLOTS),
        trial=int_buffer(SLOTS),
        best=int_buffer(SLOTS),
        replies=int_buffer(FOES * N_MOVES),
        n_replies=int_buffer(FOES),
        touch=int_buffer(FOES * N_MOVES),
        words=int_buffer(FOES * N_MOVES),
        reply=int_buffer(FOES),
        worst=int_buffer(FOES),
        marks=int_buffer(max_agents),
        rates=fight.rates(),
    )


@inline
def new_foes(field, clash, ant):
    """Returns the number of an ant's enemies outside of the group."""
    n = 0
    for i in range(field.n_pairs[ant]):
        if clash.marks[field.pairs[ant * MAX_PAIRS + i] & AGENT] == 0:
            n += 1
    return n


@inline
def join(field, clash, ant):
    """Add an own ant and its enemies to the group."""
    sizes, marks = clash.sizes, clash.marks
    clash.ants[sizes[N_ANTS]] = ant
    sizes[N_ANTS] += 1
    marks[ant] = 1
    for i in range(field.n_pairs[ant]):
        foe = field.pairs[ant * MAX_PAIRS + i] & AGENT
        if marks[foe] == 0 and sizes[N_FOES] < FOES:
            clash.foes[sizes[N_FOES]] = foe
            sizes[N_FOES] += 1
            marks[foe] = sizes[N_FOES]


@kernel
def begin(field: Field, clash: Clash) -> None:
    """Forget all groups of the turn before."""
    for agent in range(field.numbers[N_AGENTS]):
        clash.marks[agent] = 0
    clash.sizes[NEXT] = 0


@inline
def gather(field, clash, choosing):
    """Make the next group: an ant that has not chosen, and ants that share its enemies, while there
    is room. Returns False if no ant is left.
    """
    sizes, marks, n_own = clash.sizes, clash.marks, field.numbers[N_OWN]
    for foe in range(n_own, field.numbers[N_AGENTS]):
        marks[foe] = 0
    sizes[N_ANTS] = sizes[N_FOES] = 0
    while sizes[NEXT] < n_own and (marks[sizes[NEXT]] or not field.n_pairs[sizes[NEXT]]):
        sizes[NEXT] += 1
    if sizes[NEXT] >= n_own:
        return False
    join(field, clash, sizes[NEXT])
    i = 0
    while i < sizes[N_FOES] and sizes[N_ANTS] < choosing:
        first = clash.foes[i] * MAX_PAIRS
        for k in range(field.n_pairs[clash.foes[i]]):
            ant = field.pairs[first + k] & AGENT
            has_room = marks[ant] == 0 and sizes[N_ANTS] < choosing
            if has_room and sizes[N_FOES] + new_foes(field, clash, ant) <= choosing:
                join(field, clash, ant)
        i += 1
    sizes[N_CHOOSING] = sizes[N_ANTS]
    # Friends that stay as placed count in the fight.
    for i in range(sizes[N_FOES]):
        first = clash.foes[i] * MAX_PAIRS
        for k in range(field.n_pairs[clash.foes[i]]):
            ant = field.pairs[first + k] & AGENT
            is_in = sizes[N_ANTS] == SLOTS
            for slot in range(sizes[N_ANTS]):
                is_in |= clash.ants[slot] == ant
            if not is_in:
                clash.ants[sizes[N_ANTS]] = ant
                sizes[N_ANTS] += 1
    return True


@inline
def is_bold(field, clash):
    for slot in range(clash.sizes[N_CHOOSING]):
        if field.balance[clash.ants[slot]] >= clash.rates[CROWD]:
            return True
    return False


@inline
def prepare(memory, field, clash):
    """List the group's moves, their reach and their values."""
    sizes, rates = clash.sizes, clash.rates
    n_ants, n_foes = sizes[N_ANTS], sizes[N_FOES]
    bold = is_bold(field, clash)
    loss = rates[BOLD_LOSS] if bold else rates[LOSS]
    kill = rates[BOLD_KILL] if bold else rates[KILL]
    for slot in range(sizes[N_CHOOSING]):
        ant = clash.ants[slot]
        field.taken[field.targets[ant * N_MOVES + field.moves[ant]]] = 0
    for foe in range(n_foes):
        enemy = clash.foes[foe]
        clash.prizes[foe] = kill - 1.0 - field.worth[enemy * N_MOVES + HOLD]
        clash.worst[foe] = HOLD
    for slot in range(n_ants):
        ant = clash.ants[slot]
        n = 1
        clash.options[slot * N_MOVES] = field.moves[ant]
        if slot < sizes[N_CHOOSING]:
            for move in range(N_MOVES):
                cell = field.targets[ant * N_MOVES + move]
                if cell >= 0 and field.taken[cell] == 0 and move != field.moves[ant]:
                    clash.options[slot * N_MOVES + n] = move
                    n += 1
        clash.n_options[slot] = n
        push = rates[PUSH] if field.balance[ant] >= 0 else 0.0
        for move in range(N_MOVES):
            clash.reach[slot * N_MOVES + move] = 0
            cell = field.targets[ant * N_MOVES + move]
            if cell >= 0:
                distance = memory.distances[ENEMY * memory.numbers[N_CELLS] + cell]
                share = loss + field.worth[ant * N_MOVES + move]
                clash.shares[slot * N_MOVES + move] = share - push * min(distance, FAR_OFF)
        for i in range(field.n_pairs[ant]):
            pair = field.pairs[ant * MAX_PAIRS + i]
            foe = clash.marks[pair & AGENT] - 1
            if foe < 0 or clash.foes[foe] != pair & AGENT:
                continue
            for its in range(N_MOVES):
                if field.targets[(pair & AGENT) * N_MOVES + its] < 0:
                    continue
                bits = pair >> REACH + N_MOVES * its & ALL_MOVES
                for move in range(N_MOVES):
                    if bits >> move & 1:
                        clash.reach[slot * N_MOVES + move] |= 1 << N_MOVES * foe + its


@inline
def list_replies(field, clash):
    """List each enemy's moves for the replies to the trial: all that bring it within reach of an
    ant of the trial, and at most one that does not. The move that refuted the last trial comes
    first. Returns the number of joint replies.
    """
    sizes = clash.sizes
    n_ants, n_foes = sizes[N_ANTS], sizes[N_FOES]
    for i in range(n_foes * N_MOVES):
        clash.touch[i] = clash.words[i] = 0
    for slot in range(n_ants):
        option = clash.options[slot * N_MOVES + clash.trial[slot]]
        bits = clash.reach[slot * N_MOVES + option]
        while bits:
            i = lowest_bit(bits)
            bits &= bits - 1
            clash.touch[i] |= 1 << slot
            clash.words[i] += 1 << 4 * slot
    total = 1
    for foe in range(n_foes):
        enemy, first = clash.foes[foe], foe * N_MOVES
        n, is_safe = 0, False
        for turn in range(N_MOVES + 1):
            # The refuting move first; HOLD, move 4, next: it is then the move that stands for all
            # moves out of reach.
            move = clash.worst[foe] if turn == 0 else N_MOVES - turn
            if field.targets[enemy * N_MOVES + move] < 0:
                continue
            if turn > 0 and move == clash.worst[foe]:
                continue
            if clash.touch[first + move] == 0:
                if is_safe:
                    continue
                is_safe = True
            clash.replies[first + n] = move
            n += 1
        clash.n_replies[foe] = n
        clash.reply[foe] = 0
        total *= n
    return total


@inline
def reply_of(clash, foe, all_stay):
    return HOLD if all_stay else clash.replies[foe * N_MOVES + clash.reply[foe]]


@inline
def value_of(clash, base, all_stay):
    """Returns the trial's value against the reply, or if all enemies stay. base: the value if all
    ants live.
    """
    n_foes = clash.sizes[N_FOES]
    word = 0
    for foe in range(n_foes):
        word += clash.words[foe * N_MOVES + reply_of(clash, foe, all_stay)]
    value = base
    dead = 0
    if word == 0:
        return value
    for foe in range(n_foes):
        touch = clash.touch[foe * N_MOVES + reply_of(clash, foe, all_stay)]
        if touch == 0:
            continue
        n_near = count_bits(touch)
        dies = False
        while touch:
            low = touch & -touch
            slot = lowest_bit(touch)
            touch ^= low
            its = word >> 4 * slot & 15
            if its <= n_near:
                dies = True
            if its >= n_near:
                dead |= low
        if dies:
            value += clash.prizes[foe]
    while dead:
        slot = lowest_bit(dead)
        dead &= dead - 1
        option = clash.options[slot * N_MOVES + clash.trial[slot]]
        value -= clash.shares[slot * N_MOVES + option]
    return value


@inline
def clashing(field, clash):
    """Returns True if two enemies step on a cell."""
    n_foes = clash.sizes[N_FOES]
    for foe in range(1, n_foes):
        move = clash.replies[foe * N_MOVES + clash.reply[foe]]
        cell = field.targets[clash.foes[foe] * N_MOVES + move]
        for other in range(foe):
            its = clash.replies[other * N_MOVES + clash.reply[other]]
            if field.targets[clash.foes[other] * N_MOVES + its] == cell:
                return True
    return False


@inline
def least_value(field, clash, base, bound):
    """Returns the trial's least value over all replies plus `hope` times its value if all enemies
    stay; stops once it is not above the bound.
    """
    list_replies(field, clash)
    sizes = clash.sizes
    n_foes = sizes[N_FOES]
    least = INFINITE
    hoped = clash.rates[HOPE] * value_of(clash, base, True)
    while True:
        sizes[LEAVES] -= 1
        value = hoped + value_of(clash, base, False)
        if value < least and not clashing(field, clash):
            least = value
            if least <= bound:
                for foe in range(n_foes):
                    clash.worst[foe] = clash.replies[foe * N_MOVES + clash.reply[foe]]
                return least
        foe = 0
        while foe < n_foes:
            clash.reply[foe] += 1
            if clash.reply[foe] < clash.n_replies[foe]:
                break
            clash.reply[foe] = 0
            foe += 1
        if foe == n_foes or sizes[LEAVES] < 0:
            return least


@inline
def is_free(field, clash, slot):
    """Returns True if no earlier ant of the group takes the slot's cell."""
    move = clash.options[slot * N_MOVES + clash.trial[slot]]
    cell = field.targets[clash.ants[slot] * N_MOVES + move]
    for other in range(slot):
        its = clash.options[other * N_MOVES + clash.trial[other]]
        if field.targets[clash.ants[other] * N_MOVES + its] == cell:
            return False
    return True


@inline
def place_best(field, clash):
    """Place the group's ants by the best trial."""
    n_choosing = clash.sizes[N_CHOOSING]
    for slot in range(n_choosing):
        ant = clash.ants[slot]
        lift(field, ant)
        put(field, ant, clash.options[slot * N_MOVES + clash.best[slot]])
    for slot in range(n_choosing):
        ant = clash.ants[slot]
        field.taken[field.targets[ant * N_MOVES + field.moves[ant]]] = ant + 1


@kernel
def settle(memory: Memory, field: Field, clash: Clash, choosing: int, n: int) -> int:
    """Decide the next group of ants that have not chosen yet, judging some n replies at most.

    Returns the number of replies judged, 0 if no group is left.
    """
    if not gather(field, clash, choosing):
        return 0
    sizes = clash.sizes
    sizes[LEAVES] = n
    prepare(memory, field, clash)
    n_choosing = sizes[N_CHOOSING]
    for slot in range(sizes[N_ANTS]):
        clash.trial[slot] = clash.best[slot] = 0
    best = -INFINITE
    slot = n_choosing - 1
    while slot >= 0 and sizes[LEAVES] > 0:
        is_valid = True
        base = 0.0
        for i in range(n_choosing):
            is_valid = is_valid and is_free(field, clash, i)
        if is_valid:
            for i in range(sizes[N_ANTS]):
                option = clash.options[i * N_MOVES + clash.trial[i]]
                base += clash.shares[i * N_MOVES + option]
            least = least_value(field, clash, base, best)
            if least > best and sizes[LEAVES] >= 0:
                best = least
                for i in range(n_choosing):
                    clash.best[i] = clash.trial[i]
        slot = n_choosing - 1
        while slot >= 0:
            clash.trial[slot] += 1
            if clash.trial[slot] < clash.n_options[slot]:
                break
            clash.trial[slot] = 0
            slot -= 1
    place_best(field, clash)
    return n - sizes[LEAVES]
