"""Sampling of joint moves: agents, drawn at random, look which of a few moves is best for them as
the others stand, count it, and go on by their counts.

Source: a1k0n, "Implementing combat with random sampling" (AI Challenge 2011 forum, 5 December
2011), where it chose all moves of a bot for Ants. The counts of an agent are those of a Dirichlet
distribution over which of its moves is the best one, with `alpha` for a start; to draw a move by
them is to have integrated over all multinomial distributions (collapsed Gibbs sampling). Only the
order of scores matters, not their size.

A sample: a random agent is lifted from its place, each move open to it is judged, the best ones,
all of them where scores are equal, are counted, and the agent is put where a move drawn by the
counts leads. In the end each agent takes the move counted most often.

Letters: A agents, M moves, K contexts.
"""

import math
from typing import Any, Callable, NamedTuple

from shared.core.jit import Floats, Ints, float_buffer, inline, int_buffer
from shared.core.rng import random_below, random_unit, seed_rng

RNG, SAMPLES, N_CONVERGED, N_DISTRIBUTIONS, N_COUNTERS = range(5)
NEVER = -1
# Beyond every score
INFINITE = 1e300
# Passes over all agents: the first may find a place taken that is free later.
PASSES = 2

# To make one has no effect: bundles leave out what is not used.
EFFECT_FREE = ("SampledGame", "Options")


class SampledGame(NamedTuple):
    """Agents that move at once, as a sampler sees them; `field` is the game's own buffers.

    Some of the agents may be against others, or all against all: scores are each agent's own.

    buffers                              the type of `field`, a NamedTuple of buffers
    lift(field, agent)                   take an agent from where it was put
    open_moves(field, agent) -> bits     a bit for each move open to it as the others stand
    judge(field, agent, scores)          write for each move how good it is for the lifted agent, as
                                         differences to its being absent; those that are not open
                                         may hold anything
    put(field, agent, move)              put a lifted agent where a move leads
    current(field, agent) -> move        where it was last put
    context(field, agent) -> 0..K-1      what its counts are kept apart by, such as its neighbours'
                                         moves
    """

    n_moves: int
    buffers: Any
    lift: Callable
    open_moves: Callable
    judge: Callable
    put: Callable
    current: Callable
    context: Callable
    n_contexts: int = 1


class Options(NamedTuple):
    """How to search.

    alpha: the count that each move has from the start: the higher, the more is explored; 0 is
    greedy. converged: an agent whose drawn move has more than this share of its counts takes part
    no more and keeps it where it is open; 1 for never. decay: the share left of an agent's counts,
    above alpha, at each of its samples. by_context: whether counts are kept for each context.
    minimum: in the end take the move whose worst score was best, sampled minimax, not the one
    counted most; mean: the one whose mean score was best, for which the size of scores matters.
    temperature: draw moves by exp(score / temperature) and count those that are drawn: Gibbs
    sampling of scores that are log ratios; 0 for not.
    """

    alpha: float = 1.0
    converged: float = 15 / 16
    decay: float = 1.0
    by_context: bool = False
    minimum: bool = False
    mean: bool = False
    temperature: float = 0.0


class Trees(NamedTuple):
    """All that a search knows: a tree one move deep for each agent.

    counts    [A K M]  how often each move was best, or was drawn, with alpha
    values    [A M]    the worst or the mean score of each move, where these are asked for
    seen      [A M]    how often each move was judged, where values are asked for
    kept      [A K]    the move of an agent that has converged, else NEVER
    counters  [4]      the random state, samples, distributions that have converged, and in all
    scores [M], weights [M]  room for a sample
    """

    counts: Floats
    values: Floats
    seen: Floats
    kept: Ints
    counters: Ints
    scores: Floats
    weights: Floats


def new_trees(game: SampledGame, options: Options, max_agents: int, seed: int = 1) -> Trees:
    """Trees that know nothing, of up to so many agents."""
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


def check_options(options: Options) -> None:
    """Raise ValueError for options that cannot work."""
    if options.alpha < 0.0 or options.temperature < 0.0:
        raise ValueError("alpha and temperature are 0 or more")
    if not 0.0 < options.converged <= 1.0 or not 0.0 < options.decay <= 1.0:
        raise ValueError("converged and decay are shares, above 0 and up to 1")
    if options.minimum and options.mean:
        raise ValueError("either minimum or mean says which move is taken")


def reset(trees: Trees) -> None:
    """Forget all samples; the random stream goes on."""
    trees.counters[SAMPLES] = trees.counters[N_CONVERGED] = 0
    trees.counters[N_DISTRIBUTIONS] = 1


def is_finished(trees: Trees) -> bool:
    """Whether all agents have converged, so that more samples would change nothing."""
    return bool(trees.counters[N_CONVERGED] >= trees.counters[N_DISTRIBUTIONS])


def make_search(game: SampledGame, options: Options) -> Callable:
    """The search of a game, to be compiled with `kernel`.

    search(field, trees, n_agents, n) takes n samples of the agents 0..n_agents-1, fewer where all
    have converged; how they are cut into calls makes no difference. Raises ValueError for options
    that cannot work.
    """
    check_options(options)
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
    def best_score(trees, bits):
        """The score of the best open move."""
        best = -INFINITE
        for move in range(n_moves):
            if bits >> move & 1 and trees.scores[move] > best:
                best = trees.scores[move]
        return best

    @inline
    def count_best(trees, first, bits):
        """Count each of the best moves, if there is a choice; what the open ones have together."""
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
    def draw(trees, weights, first, bits, total):
        """An open move, each with the share of the total that its weight is."""
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
    def draw_by_scores(trees, first, bits):
        """An open move by exp(score / temperature), which is counted."""
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
    def note_convergence(trees, kind, move):
        """Keep a drawn move that has nearly all counts."""
        first = kind * n_moves
        total = 0.0
        for other in range(n_moves):
            total += trees.counts[first + other]
        if trees.counts[first + move] > converged * total:
            trees.kept[kind] = move
            trees.counters[N_CONVERGED] += 1

    @inline
    def note_values(trees, first, bits):
        """Take the scores of open moves into their worst or mean ones."""
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
    def clear(trees, n_agents):
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
        if counters[SAMPLES] == 0:
            clear(trees, n_agents)
        for _ in range(n):
            if counters[N_CONVERGED] >= counters[N_DISTRIBUTIONS]:
                break
            counters[SAMPLES] += 1
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


def make_best_actions(game: SampledGame, options: Options) -> Callable:
    """The final choice of a search, to be compiled with `kernel`.

    best_actions(field, trees, first, end) puts each of the agents first..end-1, twice in turn,
    where the move counted most often leads, or that of the best value, of those open; ties are
    broken at random.
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
                            # A move that was never open before is the last choice.
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
    """The samples since `reset`, and the counts that have converged: an agent's, by context."""

    samples: int
    n_converged: int


def summary(trees: Trees) -> Summary:
    """The search's `Summary`."""
    return Summary(int(trees.counters[SAMPLES]), int(trees.counters[N_CONVERGED]))
