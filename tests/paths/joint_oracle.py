"""The least sum of costs of agents, by a plain search of all their places together."""

import itertools
import math

import numpy as np

from tests.paths import oracles

FAR = 10**6
CHUNK = 20_000  # states that are expanded at once


def least_cost(rows, starts, goals, limit=math.inf, with_pairs=True):
    """Returns the least sum of costs of all plans that cost less than `limit`, None without any.

    A* whose states of equal bounds are numpy arrays. A state is a number whose digits are the
    places of the agents, 0 for one that stays at its goal. Its bound has the distances of the
    agents, and with `with_pairs` the delays of disjoint pairs of them.
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
    ends = np.array([index[goal] for goal in goals])
    pairs = list(itertools.combinations(range(n), 2)) if with_pairs else []
    delays = {pair: pair_delays(options, far[list(pair)], ends[list(pair)]) for pair in pairs}

    def add_delays(bounds, new):
        each = {(i, j): table[new[:, i], new[:, j]] for (i, j), table in delays.items()}
        most = np.zeros(len(new), np.int64)
        for chosen in itertools.chain.from_iterable(
            itertools.combinations(pairs, k) for k in (1, 2)
        ):
            if len(set(sum(chosen, ()))) == 2 * len(chosen):
                most = np.maximum(most, sum(each[pair] for pair in chosen))
        return bounds + most

    weights = base ** np.arange(n)
    seen = np.zeros(base**n, bool)
    first = np.array([[index[start] for start in starts]])
    least = int(add_delays(far[range(n), first].sum(1), first)[0])
    waiting = {least: [first @ weights]}
    while waiting and min(waiting) < min(limit, FAR):
        bound = min(waiting)
        states = np.unique(np.concatenate(waiting.pop(bound)))
        states = states[~seen[states]]
        seen[states] = True
        if states.size and states[0] == 0:
            return bound
        for at in range(0, len(states), CHUNK):
            old = states[at : at + CHUNK, None] // weights % base
            alone = far[range(n), old].sum(1)
            cost = bound - add_delays(np.zeros_like(alone), old) - alone
            for bounds, new in successors(old, cost, options, far, ends, limit):
                bounds = add_delays(bounds, new)
                for f in np.unique(bounds):
                    waiting.setdefault(int(f), []).append(new[bounds == f] @ weights)
    return None


def pair_delays(options, far, ends):
    """Returns what two agents need more together than alone, by the places of both: the least
    costs of all plans of one step, of two steps, and so on until longer plans are no cheaper.
    """
    base = far.shape[1]
    a, b = (places.ravel() for places in np.mgrid[:base, :base])
    alone = far[0][a] + far[1][b]
    steps = list(successors(np.column_stack([a, b]), -alone, options, far, ends, FAR, True))
    states, prices = np.full((len(steps), base**2), base**2), np.zeros((len(steps), base**2), int)
    for i, (rows, new) in enumerate(steps):
        states[i, rows], prices[i, rows] = new @ (base, 1), (new > 0).sum(1)
    costs, before = np.where(np.arange(base**2 + 1) == 0, 0, FAR), None
    while before is None or (costs != before).any():
        before, costs = costs, costs.copy()
        costs[1:-1] = (before[states] + prices).min(0)[1:]
    return np.where(costs[:-1] < FAR, costs[:-1] - alone, FAR).reshape(base, base)


def successors(old, spent, options, far, ends, limit, with_rows=False):
    """Yields (bounds, places) of the states after all legal steps of all agents, as arrays; or the
    indices of the states before, and places.
    """
    n = old.shape[1]
    rest = far[range(n), old]
    stack = [(np.arange(len(old)), np.zeros((len(old), 0), np.int64), spent + rest.sum(1))]
    while stack:
        rows, new, bounds = stack.pop()
        agent = new.shape[1]
        if agent == n:
            yield (rows if with_rows else bounds), new
            continue
        places = old[rows, agent]
        for option in range(6):
            to = options[option][places]
            here = np.where(places == 0, ends[agent], places)
            stays = (places == 0) | (places == ends[agent])
            is_legal = stays if option == 5 else to > 0
            there = np.where(to == 0, ends[agent], to)
            f = bounds - rest[rows, agent] + far[agent][to] + (to > 0)
            is_legal &= f < limit
            for other in range(agent):
                others = np.where(new[:, other] == 0, ends[other], new[:, other])
                before = old[rows, other]
                before = np.where(before == 0, ends[other], before)
                is_legal &= (others != there) & ((others != here) | (before != there))
            if is_legal.any():
                chosen = np.column_stack([new[is_legal], to[is_legal]])
                stack.append((rows[is_legal], chosen, f[is_legal]))
