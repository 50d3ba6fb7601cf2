"""Sampling of joint moves: a random agent finds its best move given the others' places, counts it,
and then draws its move in proportion to its counts.

Source: a1k0n, "Implementing combat with random sampling" (AI Challenge 2011 forum, 5 December
2011), where it chose all moves of a bot for Ants. An agent's counts parametrise a Dirichlet
distribution over which of its moves is the best one, with the prior `alpha`; drawing a move by them
integrates over all multinomial distributions (collapsed Gibbs sampling). Only the order of scores
matters, not their size.

A sample lifts a random agent from its place, judges each move open to it, and counts the best ones,
all of equals. It puts the agent where a move drawn by the counts leads. In the end each agent takes
its most counted move.

Letters: A agents, M moves, K contexts.
"""

import math
from typing import Any, NamedTuple

from ..core.jit import AT_HOME, Floats, Function, Ints, float_buffer, inline, int_buffer
from ..core.rng import random_below, random_unit, seed_rng

RNG, ITERATIONS, N_CONVERGED, N_DISTRIBUTIONS, N_COUNTERS = range(5)
NEVER = -1
# A number above every score
INFINITE = 1e300
# Passes over all agents: the first may find a place taken that is free later.
PASSES = 2

# Creating one has no side effect: bundles prune unused ones.
EFFECT_FREE = ("SampledGame", "Options")


class SampledGame(NamedTuple):
    """Agents that move at once, as a sampler sees them; `field` is the game's own buffers.

    Agents may be opponents: each has scores of its own.

    buffers                              the type of `field`, a NamedTuple of buffers.
    lift(field, agent)                   remove an agent from its place.
    open_moves(field, agent) -> bits     a bit for each move open to it as the others stand.
    judge(field, agent, scores)          write each open move's score for the lifted agent, relative
                                         to its absence; other entries may hold anything.
    put(field, agent, move)              place a lifted agent by a move.
    current(field, agent) -> move        the agent's last move.
    context(field, agent) -> 0..K-1      the key of its counts, such as its neighbours' moves.
    """

    n_moves: int
    buffers: Any
    lift: Function
    open_moves: Function
    judge: Function
    put: Function
    current: Function
    context: Function
    n_contexts: int = 1


class Options(NamedTuple):
    """Options of a search.

    alpha: the initial count of each move: higher values explore more; 0 is greedy. converged: an
    agent whose drawn move has more than this share of its counts is not sampled again and keeps
    the move while open; 1 for never. decay: the share left of an agent's counts, above alpha, at
    each of its samples. by_context: keep counts for each context. minimum: the final choice is the
    move with the best worst score, sampled minimax, not the most counted; mean: the move with the
    best mean score, for which the size of scores matters. temperature: draw moves by exp(score /
    temperature) and count the drawn ones: Gibbs sampling of scores that are log ratios; 0 for off.
    """

    alpha: float = 1.0
    converged: float = 15 / 16
    decay: float = 1.0
    by_context: bool = False
    minimum: bool = False
    mean: bool = False
    temperature: float = 0.0


class Trees(NamedTuple):
    """The state of a search: a tree one move deep for each agent.

    counts    [A K M]  number of times each move was best, or drawn, plus alpha.
    values    [A M]    the worst or the mean score of each move, if used.
    seen      [A M]    number of times each move was judged, if values are used.
    kept      [A K]    the move of an agent that has converged, else NEVER.
    counters  [4]      the random state, iterations, converged and all distributions.
    scores [M], weights [M]  scratch space.
    """

    counts: Floats
    values: Floats
    seen: Floats
    kept: Ints
    counters: Ints
    scores: Floats
    weights: Floats


def new_trees(game: SampledGame, options: Options, max_agents: int, seed: int = 1) -> Trees:
    """Returns empty trees for at most this many agents."""
    n_contexts = game.n_contexts if options.by_context else 1
    n_values = max_agents * game.n_moves if options.minimum or options.mean else 1
    counters = int_buffer(N_COUNTERS)
    seed_rng(counters, seed)
    trees = Trees(
        counts=float_buffer(max_agents * n_contexts * game.n_moves),
        values=float_buffer(n_values),
        seen=float_buffer(n_values),
        kept=int_buffer(max_agents * n_contexts),
        counters=counters,
        scores=float_buffer(game.n_moves),
        weights=float_buffer(game.n_moves),
    )
    reset(trees)
    return trees


def reset(trees: Trees) -> None:
    """Discard all iterations; the random stream continues."""
    trees.counters[ITERATIONS] = trees.counters[N_CONVERGED] = 0
    trees.counters[N_DISTRIBUTIONS] = 1


def is_finished(trees: Trees) -> bool:
    """Returns True if all agents have converged: more iterations change nothing."""
    return bool(trees.counters[N_CONVERGED] >= trees.counters[N_DISTRIBUTIONS])


def make_search(game: SampledGame, options: Options) -> Function:
    """Make the search of a game, to be compiled with `kernel`.

    search(field, trees, n_agents, n) runs n iterations, each a sample of one of the agents
    0..n_agents-1, fewer if all have converged; the division into calls makes no difference.
    """
    buffers, n_moves = game.buffers, game.n_moves
    lift, open_moves, judge, put = game.lift, game.open_moves, game.judge, game.put
    context, current = game.context, game.current
    n_kinds = game.n_contexts if options.by_context else 1
    by_context, minimum, decays = options.by_context, options.minimum, options.decay < 1.0
    by_value = minimum or options.mean
    alpha, decay, converged = options.alpha, options.decay, options.converged
    converges = converged < 1.0
    gibbs, temperature = options.temperature > 0.0, options.temperature

    @inline
    def best_score(trees: Trees, bits: int) -> float:
        """Returns open moves' best score."""
        best = -INFINITE
        for move in range(n_moves):
            if bits >> move & 1 and trees.scores[move] > best:
                best = trees.scores[move]
        return best

    @inline
    def count_best(trees: Trees, first: int, bits: int) -> float:
        """Decay counts and count each best move at a choice; returns the sum of open moves'
        counts.
        """
        counts, scores = trees.counts, trees.scores
        best = best_score(trees, bits)
        is_choice = bits & (bits - 1) != 0
        total = 0.0
        for move in range(n_moves):
            if decays and is_choice:
                counts[first + move] = alpha + (counts[first + move] - alpha) * decay
            if bits >> move & 1:
                if is_choice and scores[move] == best:
                    counts[first + move] += 1.0
                total += counts[first + move]
        return total

    @inline
    def draw(trees: Trees, weights: Floats, first: int, bits: int, total: float) -> int:
        """Draw an open move with a probability proportional to its weight."""
        left = total * random_unit(trees.counters)
        drawn = 0
        for move in range(n_moves):
            if bits >> move & 1:
                drawn = move
                left -= weights[first + move]
                if left < 0.0:
                    break
        return drawn

    @inline
    def draw_by_scores(trees: Trees, first: int, bits: int) -> int:
        """Draw an open move by exp(score / temperature), and count it."""
        weights = trees.weights
        best = best_score(trees, bits)
        total = 0.0
        for move in range(n_moves):
            if bits >> move & 1:
                weights[move] = math.exp((trees.scores[move] - best) / temperature)
                total += weights[move]
        move = draw(trees, weights, 0, bits, total)
        trees.counts[first + move] += 1.0
        return move

    @inline
    def note_convergence(trees: Trees, kind: int, move: int) -> None:
        """Fix a drawn move that has nearly all counts."""
        first = kind * n_moves
        total = 0.0
        for other in range(n_moves):
            total += trees.counts[first + other]
        if trees.counts[first + move] > converged * total:
            trees.kept[kind] = move
            trees.counters[N_CONVERGED] += 1

    @inline
    def note_values(trees: Trees, first: int, bits: int) -> None:
        """Update the worst or mean scores of open moves."""
        values, seen = trees.values, trees.seen
        for move in range(n_moves):
            if bits >> move & 1:
                score, i = trees.scores[move], first + move
                seen[i] += 1.0
                if not minimum:
                    values[i] += (score - values[i]) / seen[i]
                elif seen[i] == 1.0 or score < values[i]:
                    values[i] = score

    @inline
    def clear(trees: Trees, n_agents: int) -> None:
        for i in range(n_agents * n_kinds * n_moves):
            trees.counts[i] = alpha
        for i in range(n_agents * n_kinds):
            trees.kept[i] = NEVER
        if by_value:
            for i in range(n_agents * n_moves):
                trees.values[i] = trees.seen[i] = 0.0
        trees.counters[N_CONVERGED] = 0
        trees.counters[N_DISTRIBUTIONS] = n_agents * n_kinds

    def search(field: buffers, trees: Trees, n_agents: int, n: int) -> None:
        counters = trees.counters
        if counters[ITERATIONS] == 0:
            clear(trees, n_agents)
        for _ in range(n):
            if counters[N_CONVERGED] >= counters[N_DISTRIBUTIONS]:
                break
            counters[ITERATIONS] += 1
            agent = random_below(counters, n_agents)
            kind = agent * n_kinds
            if by_context:
                kind += context(field, agent)
            kept = trees.kept[kind]
            if kept != NEVER:
                if kept == current(field, agent):
                    continue
                lift(field, agent)
                bits = open_moves(field, agent)
                if bits >> kept & 1:
                    put(field, agent, kept)
                    continue
            else:
                lift(field, agent)
                bits = open_moves(field, agent)
            if bits == 0:
                put(field, agent, current(field, agent))
                continue
            judge(field, agent, trees.scores)
            if by_value:
                note_values(trees, agent * n_moves, bits)
            first = kind * n_moves
            if gibbs:
                move = draw_by_scores(trees, first, bits)
            else:
                total = count_best(trees, first, bits)
                move = draw(trees, trees.counts, first, bits, total)
            put(field, agent, move)
            if converges and kept == NEVER:
                note_convergence(trees, kind, move)

    return search


def make_best_actions(game: SampledGame, options: Options) -> Function:
    """Make the final choice of a search, to be compiled with `kernel`.

    best_actions(field, trees, first, end) places each of the agents first..end-1, twice in turn, by
    its most counted open move, or the one with the best value; ties are broken at random.
    """
    buffers, n_moves = game.buffers, game.n_moves
    lift, open_moves, put = game.lift, game.open_moves, game.put
    context, current = game.context, game.current
    n_kinds = game.n_contexts if options.by_context else 1
    by_context, by_value = options.by_context, options.minimum or options.mean

    def best_actions(field: buffers, trees: Trees, first: int, end: int) -> None:
        for _ in range(PASSES):
            for agent in range(first, end):
                lift(field, agent)
                bits = open_moves(field, agent)
                kind = agent * n_kinds
                if by_context:
                    kind += context(field, agent)
                best, n_best, chosen = -INFINITE, 0, current(field, agent)
                for move in range(n_moves):
                    if bits >> move & 1:
                        value = trees.counts[kind * n_moves + move]
                        if by_value:
                            i = agent * n_moves + move
                            # A move that was never open has the lowest priority.
                            value = trees.values[i] if trees.seen[i] else -INFINITE / 2.0
                        if value > best:
                            best, n_best = value, 0
                        if value == best:
                            n_best += 1
                            if random_below(trees.counters, n_best) == 0:
                                chosen = move
                put(field, agent, chosen)

    return best_actions


class Summary(NamedTuple):
    """The iterations since `reset`, and the number of converged distributions: an agent's, by
    context.
    """

    iterations: int
    n_converged: int


def summary(trees: Trees) -> Summary:
    """Returns a `Summary`."""
    return Summary(int(trees.counters[ITERATIONS]), int(trees.counters[N_CONVERGED]))


def n_trees(search: Any) -> int:
    """Returns the number of trees: one per agent."""
    return int(search.root)


def show_nodes(search: Any, node: Any, state: Any) -> "list[dict[str, Any]]":
    """Returns an agent's moves as rows for `explore`: visits count how often a move was best, the
    prior is its share. node: the agent, None below a move.
    """
    if node is None:
        return []
    n_moves, options, kind = search.game.n_moves, search.options, node
    if options.by_context:
        kind = node * search.game.n_contexts + int(search.game.context(search.setup, node))
    counts = [float(n) for n in search.tree.counts[kind * n_moves : (kind + 1) * n_moves]]
    rows = []
    for action, count in enumerate(counts):
        n, share, i = round(count - options.alpha), count / (sum(counts) or 1.0), node * n_moves
        value = share if n > 0 else None
        if options.minimum or options.mean:
            value = float(search.tree.values[i + action]) if search.tree.seen[i + action] else None
        row = {"node": None, "action": action, "visits": n, "value": value}
        rows.append({**row, "prior": share, "weight": share})
    return rows


if AT_HOME:
    from ..search.checks.limits import check_calls

    check_calls(globals())
