"""Rolling-horizon evolution of plans, with the other team's best plan as the opponent model.

Source: the method of most top players of Coders Strike Back (the public write-ups of Magus, pb4 and
Jeff06), in its steady form: a random plan of a team is changed in a few genes, simulated against
the other teams' best, and replaces the team's worst one where it does better. Every few iterations
go to a rival; as the rivals' best changes, all plans are measured again.

Letters: T teams, Q plans a team, L genes of a plan = agents of a team * D turns * G genes, P
agents.
"""

import math
from typing import Callable, NamedTuple

from shared.core.jit import Floats, Ints, float_buffer, inline, int_buffer
from shared.core.rng import random_below, random_unit, seed_rng

RNG, ITERATIONS, TURNS = range(3)


class PlannedGame(NamedTuple):
    """A game whose agents follow plans of numbers; letters and functions of `SimultaneousGame`.

    n_genes: numbers an agent needs for a turn. The T teams are of equal size, agents in the order
    of their teams. apply_genes(setup, state, genes) plays a turn; genes float64[P G].
    """

    n_agents: int
    n_teams: int
    n_genes: int
    state_size: int
    apply_genes: Callable
    is_over: Callable
    evaluate: Callable


class Options(NamedTuple):
    """How to evolve.

    depth: turns of a plan. population: plans a team. rival_every: one iteration of so many goes to
    the other teams. measure_every: iterations after which all plans are measured again. change:
    share of a plan's genes that a mutation changes. amplitude: how far at first; it falls by e
    every `cooling` iterations.
    """

    depth: int
    population: int = 8
    rival_every: int = 4
    measure_every: int = 400
    change: float = 0.15
    amplitude: float = 1.0
    cooling: int = 4000


class Plans(NamedTuple):
    """All that an evolution knows.

    plans    [T Q L]  genes in [0, 1]
    worths   [T Q]    the score of each plan when it was last measured
    best     [T]      the index of each team's best plan
    counters [3]      random state, iterations and turns since plans were made or shifted
    trial [L], genes [P G], state, scores  room for a plan, all genes of a turn and what the game
                      writes
    """

    plans: Floats
    worths: Floats
    best: Ints
    counters: Ints
    trial: Floats
    genes: Floats
    state: Floats
    scores: Floats


def genes_per_plan(game: PlannedGame, options: Options) -> int:
    """L, the genes of one team's plan."""
    return game.n_agents // game.n_teams * options.depth * game.n_genes


def new_plans(game: PlannedGame, options: Options, seed: int = 1) -> Plans:
    """Buffers with random plans for every team."""
    length = genes_per_plan(game, options)
    counters = int_buffer(3)
    seed_rng(counters, seed)
    plans = float_buffer(game.n_teams * options.population * length)
    for i in range(len(plans)):
        plans[i] = random_unit(counters)
    return Plans(
        plans=plans,
        worths=float_buffer(game.n_teams * options.population),
        best=int_buffer(game.n_teams),
        counters=counters,
        trial=float_buffer(length),
        genes=float_buffer(game.n_agents * game.n_genes),
        state=float_buffer(game.state_size),
        scores=float_buffer(game.n_agents),
    )


def shift_plans(game: PlannedGame, options: Options, plans: Plans) -> None:
    """A turn has passed: plans move up by one turn and get random genes for their last."""
    turn = game.n_agents // game.n_teams * game.n_genes
    length = genes_per_plan(game, options)
    for start in range(0, len(plans.plans), length):
        for i in range(start, start + length - turn):
            plans.plans[i] = plans.plans[i + turn]
        for i in range(start + length - turn, start + length):
            plans.plans[i] = random_unit(plans.counters)
    plans.counters[ITERATIONS] = plans.counters[TURNS] = 0


def best_plan(game: PlannedGame, options: Options, plans: Plans, team: int) -> Floats:
    """The genes of a team's best plan, turn by turn, agent by agent."""
    length = genes_per_plan(game, options)
    start = (team * options.population + int(plans.best[team])) * length
    return plans.plans[start : start + length]


def make_evolve(
    game: PlannedGame, options: Options
) -> Callable[[Floats, Floats, Plans, int], None]:
    """The evolution of a game, to be compiled with `kernel`.

    evolve(setup, root, plans, n) runs n more iterations from the state `root`; how they are cut
    into calls makes no difference.
    """
    apply_genes, is_over, evaluate = game.apply_genes, game.is_over, game.evaluate
    n_agents, n_teams = game.n_agents, game.n_teams
    state_size = game.state_size
    depth, population = options.depth, options.population
    rival_every, measure_every = options.rival_every, options.measure_every
    change, amplitude, cooling = options.change, options.amplitude, options.cooling
    team_genes = n_agents // n_teams * game.n_genes  # of one turn
    length = team_genes * depth

    @inline
    def evaluate_trial(setup, root, plans, team):
        """The team's score when it follows `trial` and every other team its best plan."""
        state, genes = plans.state, plans.genes
        for i in range(state_size):
            state[i] = root[i]
        for ply in range(depth):
            if is_over(setup, state):
                break
            for other in range(n_teams):
                start = (other * population + plans.best[other]) * length + ply * team_genes
                for i in range(team_genes):
                    genes[other * team_genes + i] = plans.plans[start + i]
            for i in range(team_genes):
                genes[team * team_genes + i] = plans.trial[ply * team_genes + i]
            apply_genes(setup, state, genes)
            plans.counters[TURNS] += 1
        evaluate(setup, state, plans.scores)
        total = 0.0
        for agent in range(team * n_agents // n_teams, (team + 1) * n_agents // n_teams):
            total += plans.scores[agent]
        return total

    @inline
    def copy_genes(source, first, target, start):
        """Copy a plan from one place to another."""
        for i in range(length):
            target[start + i] = source[first + i]

    @inline
    def evaluate_all(setup, root, plans):
        """Measure every team's plans again."""
        for team in range(n_teams):
            for plan in range(team * population, (team + 1) * population):
                copy_genes(plans.plans, plan * length, plans.trial, 0)
                plans.worths[plan] = evaluate_trial(setup, root, plans, team)
            find_best(plans.worths, plans.best, team)

    @inline
    def find_best(worths, best, team):
        """Look for the team's best plan."""
        first = team * population
        best[team] = 0
        for i in range(1, population):
            if worths[first + i] > worths[first + best[team]]:
                best[team] = i

    @inline
    def mutate(plans, start, reach):
        """A copy of a plan in `trial` with some genes, at least one, moved by up to `reach`."""
        trial, counters = plans.trial, plans.counters
        copy_genes(plans.plans, start, trial, 0)
        sure = random_below(counters, length)
        for i in range(length):
            if i == sure or random_unit(counters) < change:
                moved = trial[i] + reach * (2.0 * random_unit(counters) - 1.0)
                trial[i] = min(max(moved, 0.0), 1.0)

    def evolve(setup: Floats, root: Floats, plans: Plans, n: int) -> None:
        counters, worths = plans.counters, plans.worths
        for _ in range(n):
            age = counters[ITERATIONS]
            if age % measure_every == 0:
                evaluate_all(setup, root, plans)
            team = 0
            if age % rival_every == 0:
                team = 1 + age // rival_every % (n_teams - 1)
            first = team * population
            parent = first + random_below(counters, population)
            mutate(plans, parent * length, amplitude * math.exp(-age / cooling))
            worth = evaluate_trial(setup, root, plans, team)
            worst = first
            for i in range(first + 1, first + population):
                if worths[i] < worths[worst]:
                    worst = i
            if worth > worths[worst]:
                worths[worst] = worth
                copy_genes(plans.trial, 0, plans.plans, worst * length)
                find_best(worths, plans.best, team)
            counters[ITERATIONS] = age + 1

    return evolve
