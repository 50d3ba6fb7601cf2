"""Ants as agents of the sampler: provisional moves, and the effects of each move.

There are two sides: own ants come first, then all enemies, whose owners are ignored. Combat is by
focus: an ant dies if one of the enemies within reach has no more enemies than it has. Two steps
decide whether a pair is within reach. So each ant has a list of the enemies it may meet this turn,
each with a table of these steps; and the set of enemies within reach now. The effects of a move
follow from these sets alone. Ants of the mover's side keep their numbers of enemies; an enemy it
reaches gets one more. So an enemy may die that would have lived. An own ant is saved if each of its
killers has as many enemies as it has and gets one more.

Sets of moves are bits, N the lowest, or bytes if all five are counted or compared at once.

Letters: A agents, C cells, M = 5 moves (N, E, S, W, HOLD), R = MAX_PAIRS enemies of an agent.

    numbers [5]         agents, own ones among them; of the agent lifted last, the number of pairs
                        that can come within reach, and their number by move, a byte each; a stamp.
    targets [A M]       the cell where a move leads, -1 for water or food.
    moves [A]           the move of each ant.
    taken [C]           1 + the ant placed on a cell.
    worth [A M]         the value to the own side of an ant that is alive there.
    pairs [A R]         each of an ant's enemies: the other agent; from MIRROR on its own number for
                        the pair; from REACH on, for each of its moves, the bits of the ant's moves
                        that are within reach.
    n_pairs [A]         their number.
    contacts [A]        the pairs within reach now, as bits.
    n_near [A]          their number.
    hits, steps [R]     of the agent lifted last: pairs that can come within reach, by which moves.
    now [A], stamps [A] scratch space of a judgement.
    balance [A]         of an own ant: the friends around it, itself included, less the enemies.
    above, left [A]     the nearest ant of the same side above and to the left, -1 for none.
"""

from typing import NamedTuple

from shared.core.bits import lowest_bit
from shared.core.jit import Floats, Ints, float_buffer, inline, int_buffer
from shared.search.sampler import SampledGame

N_MOVES = 5
HOLD = 4
ALL_MOVES = (1 << N_MOVES) - 1
N_AGENTS, N_OWN, N_HITS, NEAR, STAMP = range(5)
MAX_PAIRS = 62  # the contest's radius permits 56
MIRROR, REACH = 16, 22
AGENT = (1 << MIRROR) - 1
MANY = 1000
# A byte for each move, and the multiplier that spreads a set of bits to these bytes.
BYTES = 0x0101010101
SPREAD = 0x10204081


class Field(NamedTuple):
    """The buffers of a turn's sampling; see the module."""

    numbers: Ints
    targets: Ints
    moves: Ints
    taken: Ints
    worth: Floats
    pairs: Ints
    n_pairs: Ints
    contacts: Ints
    n_near: Ints
    now: Ints
    hits: Ints
    steps: Ints
    stamps: Ints
    above: Ints
    left: Ints
    balance: Ints


def new_field(n_cells: int, max_agents: int) -> Field:
    """Returns buffers for this many ants."""
    of_ants = {
        name: int_buffer(max_agents)
        for name in (
            "moves",
            "n_pairs",
            "contacts",
            "n_near",
            "now",
            "stamps",
            "above",
            "left",
            "balance",
        )
    }
    return Field(
        numbers=int_buffer(5),
        targets=int_buffer(max_agents * N_MOVES),
        taken=int_buffer(n_cells),
        worth=float_buffer(max_agents * N_MOVES),
        pairs=int_buffer(max_agents * MAX_PAIRS),
        hits=int_buffer(MAX_PAIRS),
        steps=int_buffer(MAX_PAIRS),
        **of_ants,
    )


@inline
def current(field, agent):
    return field.moves[agent]


@inline
def open_moves(field, agent):
    """Returns moves to cells without an ant."""
    bits = 0
    for move in range(N_MOVES):
        cell = field.targets[agent * N_MOVES + move]
        if cell >= 0 and field.taken[cell] == 0:
            bits |= 1 << move
    return bits


@inline
def lift(field, agent):
    """Remove an ant from its cell and from the sets of enemies within reach; find the pairs that
    one of its moves brings within reach.
    """
    move = field.moves[agent]
    field.taken[field.targets[agent * N_MOVES + move]] = 0
    first = agent * MAX_PAIRS
    n_hits = near = 0
    for i in range(field.n_pairs[agent]):
        pair = field.pairs[first + i]
        other = pair & AGENT
        bits = pair >> REACH + N_MOVES * field.moves[other] & ALL_MOVES
        if bits:
            field.hits[n_hits] = i
            field.steps[n_hits] = bits * SPREAD & BYTES
            near += field.steps[n_hits]
            n_hits += 1
            if bits >> move & 1:
                field.contacts[other] ^= 1 << (pair >> MIRROR & 63)
                field.n_near[other] -= 1
    field.numbers[N_HITS] = n_hits
    field.numbers[NEAR] = near


@inline
def put(field, agent, move):
    """Place the ant lifted last by a move."""
    field.moves[agent] = move
    field.taken[field.targets[agent * N_MOVES + move]] = agent + 1
    contacts = n_near = 0
    for hit in range(field.numbers[N_HITS]):
        if field.steps[hit] >> 8 * move & 1:
            i = field.hits[hit]
            pair = field.pairs[agent * MAX_PAIRS + i]
            other = pair & AGENT
            contacts |= 1 << i
            n_near += 1
            field.contacts[other] |= 1 << (pair >> MIRROR & 63)
            field.n_near[other] += 1
    field.contacts[agent] = contacts
    field.n_near[agent] = n_near


@inline
def at_most(near, n):
    """Returns moves, a byte each, with at most n enemies in reach."""
    return (n * BYTES + (BYTES << 7) - near) >> 7 & BYTES


@inline
def add_worth(field, scores, steps, agent, sign):
    """Add an ant's value to the scores of some moves, given as bytes, or subtract it."""
    worth = sign * field.worth[agent * N_MOVES + field.moves[agent]]
    for move in range(N_MOVES):
        scores[move] += worth * (steps >> 8 * move & 1)


@inline
def saving_steps(field, friend):
    """Returns moves that save an own ant, by giving each killer one enemy too many."""
    saving, n_killers = BYTES, 0
    contacts = field.contacts[friend]
    while contacts:
        killer = field.pairs[friend * MAX_PAIRS + lowest_bit(contacts)] & AGENT
        contacts &= contacts - 1
        if field.n_near[killer] <= field.n_near[friend]:
            n_killers += 1
            saving &= field.now[killer]
            if field.n_near[killer] < field.n_near[friend] or saving == 0:
                return 0
    return saving if n_killers else 0


@inline
def judge_enemy(field, enemy, steps, near, scores):
    """Score the fate of an enemy that comes within reach, and of the own ants that it reaches."""
    n_before = field.n_near[enemy]
    least, equals = MANY, 0
    contacts = field.contacts[enemy]
    while contacts:
        low = contacts & -contacts
        friend = field.pairs[enemy * MAX_PAIRS + lowest_bit(low)] & AGENT
        n_friend = field.n_near[friend]
        if n_friend < least:
            least = n_friend
        if n_friend == n_before and field.stamps[friend] != field.numbers[STAMP]:
            equals |= low
        contacts ^= low
    if least > n_before:  # alive without the lifted ant
        dying = steps if least == n_before + 1 else steps & at_most(near, n_before + 1)
        if dying:
            add_worth(field, scores, dying, enemy, -1.0)
    while equals:
        friend = field.pairs[enemy * MAX_PAIRS + lowest_bit(equals)] & AGENT
        equals &= equals - 1
        field.stamps[friend] = field.numbers[STAMP]
        saving = saving_steps(field, friend)
        if saving:
            add_worth(field, scores, saving, friend, 1.0)


@inline
def judge(field, agent, scores):
    """Write the change in its side's value by each move of the lifted ant."""
    numbers = field.numbers
    n_hits, near = numbers[N_HITS], numbers[NEAR]
    for move in range(N_MOVES):
        scores[move] = 0.0
    first = agent * MAX_PAIRS
    for hit in range(n_hits):
        field.now[field.pairs[first + field.hits[hit]] & AGENT] = field.steps[hit]
    numbers[STAMP] += 1
    dying = 0
    for hit in range(n_hits):
        enemy = field.pairs[first + field.hits[hit]] & AGENT
        steps = field.steps[hit]
        dying |= steps & ~at_most(near, field.n_near[enemy])
        judge_enemy(field, enemy, steps, near, scores)
    for hit in range(n_hits):
        field.now[field.pairs[first + field.hits[hit]] & AGENT] = 0
    sign = 1.0 if agent < numbers[N_OWN] else -1.0
    for move in range(N_MOVES):
        alive = 1 - (dying >> 8 * move & 1)
        scores[move] = sign * (scores[move] + alive * field.worth[agent * N_MOVES + move])


@inline
def context(field, agent):
    """Returns a code of the moves of the nearest friends above and left, HOLD for none."""
    above, left = field.above[agent], field.left[agent]
    first = HOLD if above < 0 else field.moves[above]
    second = HOLD if left < 0 else field.moves[left]
    return first * N_MOVES + second


def make_game() -> SampledGame:
    """Returns a Field's game for samplers."""
    functions = lift, open_moves, judge, put, current, context
    return SampledGame(N_MOVES, Field, *functions, n_contexts=N_MOVES * N_MOVES)
