"""Rolling-horizon evolution of plans, with the other team's best plan as the opponent model.

Source: the method of most top players of Coders Strike Back (the public write-ups of Magus, pb4 and
Jeff06), in its steady-state form: a random plan of a team is mutated in a few genes, simulated
against the other teams' best, and replaces the team's worst one if its fitness is higher. Every few
iterations go to a rival; as the rivals' best changes, all plans are evaluated again. One team alone
has all iterations.

Letters: T teams, Q plans a team, L genes of a plan = agents of a team * D turns * G genes, P
agents.
"""

import math
from typing import Callable, NamedTuple

from ..core.jit import AT_HOME, Floats, Function, Ints, float_buffer, inline, int_buffer
from ..core.rng import random_below, random_unit, seed_rng

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
    apply_genes: Function
    is_over: Function
    evaluate: Function


class Options(NamedTuple):
    """Options of the evolution.

    depth: turns of a plan. population: plans a team. rival_every: one of so many iterations evolves
    the other teams. reevaluate_every: iterations after which all plans are evaluated again.
    mutation_rate: share of a plan's genes that a mutation changes. amplitude: the initial range of
    a change; it falls by e every `cooling` iterations. crossover: share of the
    trials that take each turn's genes from either of two plans.
    """

    depth: int
    population: int = 8
    rival_every: int = 4
    reevaluate_every: int = 400
    mutation_rate: float = 0.15
    amplitude: float = 1.0
    cooling: int = 4000
    crossover: float = 0.0


class Population(NamedTuple):
    """The state of a search, which has no tree.

    plans    [T Q L]  genes in [0, 1].
    fitness   [T Q]    the score of each plan when it was last evaluated.
    best     [T]      the index of each team's best plan.
    counters [3]      random state, iterations and turns since plans were made or `reset`.
    trial [L], genes [P G], state, scores  scratch space: a plan, a turn's genes, the game's outputs
    """

    plans: Floats
    fitness: Floats
    best: Ints
    counters: Ints
    trial: Floats
    genes: Floats
    state: Floats
    scores: Floats


def genes_per_plan(game: PlannedGame, options: Options) -> int:
    """Returns L, the genes of a plan."""
    return game.n_agents // game.n_teams * options.depth * game.n_genes


def new_population(game: PlannedGame, options: Options, seed: int = 1) -> Population:
    """Returns random plans for every team."""
    length = genes_per_plan(game, options)
    counters = int_buffer(3)
    seed_rng(counters, seed)
    plans = float_buffer(game.n_teams * options.population * length)
    for i in range(len(plans)):
        plans[i] = random_unit(counters)
    return Population(
        plans=plans,
        fitness=float_buffer(game.n_teams * options.population),
        best=int_buffer(game.n_teams),
        counters=counters,
        trial=float_buffer(length),
        genes=float_buffer(game.n_agents * game.n_genes),
        state=float_buffer(game.state_size),
        scores=float_buffer(game.n_agents),
    )


def reset(game: PlannedGame, options: Options, population: Population) -> None:
    """Prepare the next turn: plans shift by one turn and get random genes for the last one."""
    turn = game.n_agents // game.n_teams * game.n_genes
    length = genes_per_plan(game, options)
    plans = population.plans
    for start in range(0, len(plans), length):
        for i in range(start, start + length - turn):
            plans[i] = plans[i + turn]
        for i in range(start + length - turn, start + length):
            plans[i] = random_unit(population.counters)
    population.counters[ITERATIONS] = population.counters[TURNS] = 0


def make_search(
    game: PlannedGame, options: Options
) -> Callable[[Floats, Floats, Population, int], None]:
    """search(setup, root, population, n), for `kernel`, runs n more iterations from `root`.

    The division into calls changes nothing.
    """
    apply_genes, is_over, evaluate = game.apply_genes, game.is_over, game.evaluate
    n_agents, n_teams = game.n_agents, game.n_teams
    state_size = game.state_size
    depth, n_plans = options.depth, options.population
    rival_every, reevaluate_every = options.rival_every, options.reevaluate_every
    mutation_rate, amplitude, cooling = options.mutation_rate, options.amplitude, options.cooling
    crossover = options.crossover
    team_genes = n_agents // n_teams * game.n_genes  # agents' genes for one turn
    length = team_genes * depth

    @inline
    def evaluate_trial(setup: Floats, root: Floats, population: Population, team: int) -> float:
        """Returns a team's score by `trial` against every other team's best plan."""
        state, genes = population.state, population.genes
        for i in range(state_size):
            state[i] = root[i]
        for ply in range(depth):
            if is_over(setup, state):
                break
            for other in range(n_teams):
                start = (other * n_plans + population.best[other]) * length + ply * team_genes
                for i in range(team_genes):
                    genes[other * team_genes + i] = population.plans[start + i]
            for i in range(team_genes):
                genes[team * team_genes + i] = population.trial[ply * team_genes + i]
            apply_genes(setup, state, genes)
            population.counters[TURNS] += 1
        evaluate(setup, state, population.scores)
        total = 0.0
        for agent in range(team * n_agents // n_teams, (team + 1) * n_agents // n_teams):
            total += population.scores[agent]
        return total

    @inline
    def copy_genes(source: Floats, first: int, target: Floats, start: int) -> None:
        """Copy a plan from one place to another."""
        for i in range(length):
            target[start + i] = source[first + i]

    @inline
    def evaluate_all(setup: Floats, root: Floats, population: Population) -> None:
        """Evaluate every team's plans again."""
        for team in range(n_teams):
            for plan in range(team * n_plans, (team + 1) * n_plans):
                copy_genes(population.plans, plan * length, population.trial, 0)
                population.fitness[plan] = evaluate_trial(setup, root, population, team)
            find_best(population.fitness, population.best, team)

    @inline
    def find_best(fitness: Floats, best: Ints, team: int) -> None:
        """Find the team's best plan."""
        first = team * n_plans
        best[team] = 0
        for i in range(1, n_plans):
            if fitness[first + i] > fitness[first + best[team]]:
                best[team] = i

    @inline
    def cross(population: Population, other: int) -> None:
        """Take about half of the turns in `trial` from another plan."""
        for ply in range(depth):
            if random_below(population.counters, 2) == 1:
                for i in range(ply * team_genes, (ply + 1) * team_genes):
                    population.trial[i] = population.plans[other * length + i]

    @inline
    def mutate(population: Population, reach: float) -> None:
        """Move some genes of `trial`, at least one, by up to `reach`."""
        trial, counters = population.trial, population.counters
        sure = random_below(counters, length)
        for i in range(length):
            if i == sure or random_unit(counters) < mutation_rate:
                moved = trial[i] + reach * (2.0 * random_unit(counters) - 1.0)
                trial[i] = min(max(moved, 0.0), 1.0)

    def search(setup: Floats, root: Floats, population: Population, n: int) -> None:
        counters, fitness = population.counters, population.fitness
        for _ in range(n):
            age = counters[ITERATIONS]
            if age % reevaluate_every == 0:
                evaluate_all(setup, root, population)
            team = 0
            if n_teams > 1 and age % rival_every == 0:
                team = 1 + age // rival_every % (n_teams - 1)
            first = team * n_plans
            parent = first + random_below(counters, n_plans)
            copy_genes(population.plans, parent * length, population.trial, 0)
            if crossover > 0.0 and random_unit(counters) < crossover:
                cross(population, first + random_below(counters, n_plans))
            mutate(population, amplitude * math.exp(-age / cooling))
            score = evaluate_trial(setup, root, population, team)
            worst = first
            for i in range(first + 1, first + n_plans):
                if fitness[i] < fitness[worst]:
                    worst = i
            if score > fitness[worst]:
                fitness[worst] = score
                copy_genes(population.trial, 0, population.plans, worst * length)
                find_best(fitness, population.best, team)
            counters[ITERATIONS] = age + 1

    return search


def best_action(
    game: PlannedGame, options: Options, population: Population, team: int = 0
) -> list[float]:
    """Returns the next turn's genes in a team's best plan, by agent."""
    return [gene for genes in best_plan(game, options, population, team)[0] for gene in genes]


def best_plan(
    game: PlannedGame, options: Options, population: Population, team: int
) -> "list[list[list[float]]]":
    """Returns a team's best plan: genes by turn and agent."""
    length = genes_per_plan(game, options)
    start = length * (team * options.population + int(population.best[team]))
    genes = [float(gene) for gene in population.plans[start : start + length]]
    agents = [genes[i : i + game.n_genes] for i in range(0, length, game.n_genes)]
    n = game.n_agents // game.n_teams
    return [agents[i : i + n] for i in range(0, len(agents), n)]


def best_value(population: Population) -> float:
    """Returns the first team's best fitness."""
    return float(population.fitness[population.best[0]])


class Summary(NamedTuple):
    """The counts of a search since `reset`, and the score of each team's best plan."""

    iterations: int
    turns: int
    scores: list[float]


def summary(population: Population) -> Summary:
    """Returns a `Summary`."""
    n_plans = len(population.fitness) // len(population.best)
    return Summary(
        iterations=int(population.counters[ITERATIONS]),
        turns=int(population.counters[TURNS]),
        scores=[
            float(population.fitness[team * n_plans + int(best)])
            for team, best in enumerate(population.best)
        ],
    )


if AT_HOME:
    from ..search.checks.limits import check_calls

    check_calls(globals())
