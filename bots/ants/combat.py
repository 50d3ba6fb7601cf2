"""Ants as the sampler's agents: provisional moves, and what each of them changes.

Two sides: the own ants come first, then all enemies, who are not told apart. Combat is by focus:
an ant dies if one of the enemies within reach has no more enemies than it has. Where one of two
steps leads decides whether a pair is within reach, so each pair of ants that may meet this turn
has a table of that, and the ants have sets of the pairs within reach at the moment. What a move
changes is then worked out from the sets alone:

- The own side's ants near an enemy keep their number of enemies, the enemy gets one more. So enemies
  may die that did not, and own ants that died may live: those whose every killer has exactly as many
  enemies as they have, and gets one more.

Letters: A agents, C cells, R pairs, M = 5 moves (N, E, S, W, HOLD).

    numbers [2]         agents, own ones among them
    targets [A M]       the cell where a move leads, -1 where there is water or food
    moves [A]           where each ant is put
    taken [C]           1 + the ant that is put on a cell
    worth [A M]         what an ant that is alive there is worth to the own side
    first, n_pairs [A]  where an ant's pairs begin, and how many they are, at most 62
    others [R]          the other ant of a pair
    mirror [R]          the bit of this pair in the other ant's set
    reach [R M]         for each move of the other ant a bit for each own move within reach
    contacts [A]        the pairs within reach now, as bits
    n_near [A]          how many they are
    now, hits, near, least, stamps, stamp  room for a judgement
    above, left [A]     the nearest ant of the same side above and to the left, -1 for none
"""

from typing import NamedTuple

from shared.core.bits import lowest_bit
from shared.core.jit import Floats, Ints, float_buffer, inline, int_buffer
from shared.search.sampler import SampledGame

N_MOVES = 5
HOLD = 4
ALL_MOVES = (1 << N_MOVES) - 1
N_AGENTS, N_OWN = range(2)
MAX_PAIRS = 62  # of an ant; with the contest's radius there can be 56
MANY = 1000


class Field(NamedTuple):
    """The buffers of a turn's sampling; see the module."""

    numbers: Ints
    targets: Ints
    moves: Ints
    taken: Ints
    worth: Floats
    first: Ints
    n_pairs: Ints
    others: Ints
    mirror: Ints
    reach: Ints
    contacts: Ints
    n_near: Ints
    now: Ints
    hits: Ints
    near: Ints
    least: Ints
    stamps: Ints
    stamp: Ints
    above: Ints
    left: Ints


def new_field(n_cells: int, max_agents: int) -> Field:
    """Buffers for so many ants."""
    of_ants = {
        name: int_buffer(max_agents)
        for name in ("moves", "first", "n_pairs", "contacts", "n_near", "now", "stamps")
    }
    return Field(
        numbers=int_buffer(2),
        targets=int_buffer(max_agents * N_MOVES),
        taken=int_buffer(n_cells),
        worth=float_buffer(max_agents * N_MOVES),
        others=int_buffer(max_agents * MAX_PAIRS),
        mirror=int_buffer(max_agents * MAX_PAIRS),
        reach=int_buffer(max_agents * MAX_PAIRS * N_MOVES),
        hits=int_buffer(MAX_PAIRS),
        near=int_buffer(N_MOVES),
        least=int_buffer(N_MOVES),
        stamp=int_buffer(1),
        above=int_buffer(max_agents),
        left=int_buffer(max_agents),
        **of_ants,
    )


@inline
def current(field, agent):
    return field.moves[agent]


@inline
def open_moves(field, agent):
    """The moves that lead to a cell on which no other ant is put."""
    bits = 0
    for move in range(N_MOVES):
        cell = field.targets[agent * N_MOVES + move]
        if cell >= 0 and field.taken[cell] == 0:
            bits |= 1 << move
    return bits


@inline
def lift(field, agent):
    """Take an ant from its cell, and out of the sets of the enemies within reach."""
    field.taken[field.targets[agent * N_MOVES + field.moves[agent]]] = 0
    contacts = field.contacts[agent]
    while contacts:
        pair = field.first[agent] + lowest_bit(contacts)
        other = field.others[pair]
        field.contacts[other] ^= 1 << field.mirror[pair]
        field.n_near[other] -= 1
        contacts &= contacts - 1


@inline
def put(field, agent, move):
    """Put a lifted ant where a move leads."""
    field.moves[agent] = move
    field.taken[field.targets[agent * N_MOVES + move]] = agent + 1
    first = field.first[agent]
    contacts = n_near = 0
    for i in range(field.n_pairs[agent]):
        pair = first + i
        other = field.others[pair]
        if field.reach[pair * N_MOVES + field.moves[other]] >> move & 1:
            contacts |= 1 << i
            n_near += 1
            field.contacts[other] |= 1 << field.mirror[pair]
            field.n_near[other] += 1
    field.contacts[agent] = contacts
    field.n_near[agent] = n_near


@inline
def least_near(field, agent):
    """The least number of enemies that an enemy within reach of an ant has."""
    least = MANY
    contacts = field.contacts[agent]
    while contacts:
        other = field.others[field.first[agent] + lowest_bit(contacts)]
        if field.n_near[other] < least:
            least = field.n_near[other]
        contacts &= contacts - 1
    return least


@inline
def find_hits(field, agent):
    """Note which enemies some move comes within reach of; how many they are.

    now: by enemy, the bits of these moves. near, least: for each move, how many enemies are within
    reach, and the least number of enemies that one of them has with the ant.
    """
    near, least, first = field.near, field.least, field.first[agent]
    for move in range(N_MOVES):
        near[move] = 0
        least[move] = MANY
    n_hits = 0
    for i in range(field.n_pairs[agent]):
        pair = first + i
        other = field.others[pair]
        bits = field.reach[pair * N_MOVES + field.moves[other]]
        if bits:
            field.now[other] = bits
            field.hits[n_hits] = other
            n_hits += 1
            n_near = field.n_near[other] + 1
            for move in range(N_MOVES):
                if bits >> move & 1:
                    near[move] += 1
                    if n_near < least[move]:
                        least[move] = n_near
    return n_hits


@inline
def add_losses(field, enemy, scores):
    """Take an enemy's worth from the scores of the moves by which it dies that did not."""
    n_near = field.n_near[enemy] + 1
    least = least_near(field, enemy)
    if least >= n_near:
        worth = field.worth[enemy * N_MOVES + field.moves[enemy]]
        for move in range(N_MOVES):
            if field.now[enemy] >> move & 1 and (least <= n_near or field.near[move] <= n_near):
                scores[move] -= worth


@inline
def add_rescues(field, enemy, scores):
    """Add the worth of own ants within an enemy's reach to the scores of the moves that save them."""
    friends = field.contacts[enemy]
    while friends:
        friend = field.others[field.first[enemy] + lowest_bit(friends)]
        friends &= friends - 1
        if field.stamps[friend] == field.stamp[0]:
            continue
        field.stamps[friend] = field.stamp[0]
        saving, n_killers = ALL_MOVES, 0
        contacts = field.contacts[friend]
        while contacts and saving:
            killer = field.others[field.first[friend] + lowest_bit(contacts)]
            contacts &= contacts - 1
            more = field.n_near[killer] - field.n_near[friend]
            if more <= 0:
                n_killers += 1
                saving &= field.now[killer] if more == 0 else 0
        if n_killers and saving:
            worth = field.worth[friend * N_MOVES + field.moves[friend]]
            for move in range(N_MOVES):
                if saving >> move & 1:
                    scores[move] += worth


@inline
def judge(field, agent, scores):
    """Write what each move of a lifted ant changes, for its own side."""
    for move in range(N_MOVES):
        scores[move] = 0.0
    n_hits = find_hits(field, agent)
    field.stamp[0] += 1
    for i in range(n_hits):
        add_losses(field, field.hits[i], scores)
        add_rescues(field, field.hits[i], scores)
    for i in range(n_hits):
        field.now[field.hits[i]] = 0
    sign = 1.0 if agent < field.numbers[N_OWN] else -1.0
    for move in range(N_MOVES):
        if field.least[move] > field.near[move]:
            scores[move] += field.worth[agent * N_MOVES + move]
        scores[move] *= sign


@inline
def context(field, agent):
    """The moves of the nearest ants of the same side above and to the left; HOLD for none."""
    above, left = field.above[agent], field.left[agent]
    first = HOLD if above < 0 else field.moves[above]
    second = HOLD if left < 0 else field.moves[left]
    return first * N_MOVES + second


def make_game() -> SampledGame:
    """The agents of a Field for the sampler."""
    functions = lift, open_moves, judge, put, current, context
    return SampledGame(N_MOVES, Field, *functions, n_contexts=N_MOVES * N_MOVES)
