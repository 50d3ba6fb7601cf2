"""The least sum of costs of agents, by a plain search of all their places together."""

import itertools

import numpy as np

from tests.paths import oracles

FAR = 10**6
CHUNK = 20_000  # states that are expanded at once


def least_cost(rows, starts, goals, limit=FAR):
    """Returns the least sum of costs of all plans that cost less than `limit`, None without any.

    A* whose states of equal bounds are numpy arrays. A state is a number whose digits are the
    places of the agents, 0 for one that stays at its goal. Its bound is the sum of the agents'
    distances and of the delays of disjoint pairs of agents.
    """
    cells = [None, *((x, y) for y, row in enumerate(rows) for x, free in enumerate(row) if free)]
    index, base, n = {cell: i for i, cell in enumerate(cells)}, len(cells), len(starts)
    options = np.zeros((6, base), np.int64)  # a step, a wait, or to stay for good; 0 for none
    for i, (x, y) in enumerate(cells[1:], 1):
        beside = [(x + dx, y + dy) for dx, dy in oracles.STRAIGHT]
        options[:5, i] = [index.get(cell, 0) for cell in (*beside, (x, y))]
    far = np.full((n, base), FAR)
    far[:, 0] = 0
    for i, goal in enumerate(goals):
        for cell, (steps, _) in oracles.distances(rows, goal, 4).items():
            far[i, index[cell]] = steps
    ends, weights = np.array([index[goal] for goal in goals]), base ** np.arange(n)
    pairs = {
        pair: pair_delays(options, far[list(pair)], ends[list(pair)])
        for pair in itertools.combinations(range(n), 2)
    }
    disjoint = [pair for pair in itertools.combinations(pairs, 2) if len({*pair[0], *pair[1]}) == 4]

    def delays_of(places):
        each = {(i, j): table[places[:, i], places[:, j]] for (i, j), table in pairs.items()}
        sums = [*each.values(), *(each[pair] + each[other] for pair, other in disjoint)]
        return np.max(sums, axis=0, initial=0)

    seen = np.zeros(base**n, bool)
    first = np.array([[index[start] for start in starts]])
    waiting = {int((far[range(n), first].sum(1) + delays_of(first))[0]): [first @ weights]}
    while waiting and min(waiting) < limit:
        bound = min(waiting)
        states = np.unique(np.concatenate(waiting.pop(bound)))
        states = states[~seen[states]]
        seen[states] = True
        if states.size and states[0] == 0:
            return bound
        for at in range(0, len(states), CHUNK):
            old = states[at : at + CHUNK, None] // weights % base
            cost = bound - delays_of(old) - far[range(n), old].sum(1)
            for rows, new in successors(old, cost, options, far, ends, limit):
                bounds = cost[rows] + (new > 0).sum(1) + far[range(n), new].sum(1) + delays_of(new)
                for f in np.unique(bounds):
                    waiting.setdefault(int(f), []).append(new[bounds == f] @ weights)
    return None


def pair_delays(options, far, ends):
    """Returns what two agents need more together than alone, by the places of both: the least
    costs of all plans of one step, of two steps, and so on until longer plans are no cheaper.
    """
    base = far.shape[1]
    places = np.indices((base, base)).reshape(2, -1).T
    alone = far[0][places[:, 0]] + far[1][places[:, 1]]
    steps = list(successors(places, -alone, options, far, ends, FAR))
    states, prices = np.full((len(steps), base**2), base**2), np.zeros((len(steps), base**2), int)
    for i, (rows, new) in enumerate(steps):
        states[i, rows], prices[i, rows] = new @ (base, 1), (new > 0).sum(1)
    costs, before = np.where(np.arange(base**2 + 1) == 0, 0, FAR), None
    while before is None or (costs != before).any():
        before, costs = costs, costs.copy()
        costs[1:-1] = (before[states] + prices).min(0)[1:]
    return np.where(costs[:-1] < FAR, costs[:-1] - alone, FAR).reshape(base, base)


def successors(old, costs, options, far, ends, limit):
    """Yields (indices of states, places) of the states after legal steps of all agents, as arrays;
    not all of those whose distances exceed the limit. old: places, an agent a column.
    """
    n = old.shape[1]
    rest = far[range(n), old]
    stack = [(np.arange(len(old)), np.zeros((len(old), 0), np.int64), costs + rest.sum(1))]
    while stack:
        rows, new, bounds = stack.pop()
        agent = new.shape[1]
        if agent == n:
            yield rows, new
            continue
        places = old[rows, agent]
        here = np.where(places == 0, ends[agent], places)
        for option in range(6):
            to = options[option][places]
            there = np.where(to == 0, ends[agent], to)
            f = bounds - rest[rows, agent] + far[agent][to] + (to > 0)
            is_legal = (f < limit) & ((here == ends[agent]) if option == 5 else (to > 0))
            for other in range(agent):
                after = np.where(new[:, other] == 0, ends[other], new[:, other])
                before = np.where(old[rows, other] == 0, ends[other], old[rows, other])
                is_legal &= (after != there) & ((after != here) | (before != there))
            if is_legal.any():
                chosen = np.column_stack([new[is_legal], to[is_legal]])
                stack.append((rows[is_legal], chosen, f[is_legal]))
