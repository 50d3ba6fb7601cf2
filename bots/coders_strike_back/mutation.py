"""Coders Strike Back by evolution: plans mutated against the best plan found for the rival."""

from bots.coders_strike_back.game import (
    Weights,
    assign_roles,
    boost_pays,
    contact_is_near,
    make_evaluate,
)
from bots.coders_strike_back.tracker import Tracker, told
from shared.core.clock import Clock
from shared.core.jit import inline, kernel
from shared.core.loop import expect, run
from shared.games.coders_strike_back.protocol import LIMITS
from shared.games.coders_strike_back.sim import (
    BOOST,
    MAX_ROTATION,
    MAX_THRUST,
    RAISE_SHIELD,
    is_over,
    move_pods,
    steer,
)
from shared.games.coders_strike_back.state import N_PLAYERS, N_PODS, STATE_SIZE
from shared.search.evolution import (
    Options,
    PlannedGame,
    best_plan,
    best_value,
    make_search,
    new_population,
    reset,
)

MARGIN_MS = 18
ROLE_HYSTERESIS = 1000.0
SHIELD_SHARE, BOOST_SHARE = 0.1, 0.05  # limits of the third gene
OPTIONS = Options(depth=6)
WEIGHTS = Weights()
N_GENES = 3  # rotation, thrust, shield or boost


@inline
def stretched(gene):
    """Returns a gene with its outer quarters clamped to 0 and 1: extremes pay most."""
    return min(max(2.0 * gene - 0.5, 0.0), 1.0)


@inline
def gene_rotation(gene):
    """Returns a gene's rotation in radians."""
    return (2.0 * stretched(gene) - 1.0) * MAX_ROTATION


@inline
def gene_command(setup, state, pod, thrust_gene, special_gene):
    """Returns the command of two genes in a state."""
    if special_gene > 1.0 - SHIELD_SHARE and contact_is_near(state, pod):
        return RAISE_SHIELD
    if special_gene < BOOST_SHARE and boost_pays(setup, state, pod):
        return BOOST
    return int(stretched(thrust_gene) * MAX_THRUST)


@inline
def apply_genes(setup, state, genes):
    """Play a turn by three genes of each pod."""
    for pod in range(N_PODS):
        first = N_GENES * pod
        command = gene_command(setup, state, pod, genes[first + 1], genes[first + 2])
        steer(setup, state, pod, gene_rotation(genes[first]), command)
    move_pods(setup, state)


GAME = PlannedGame(
    n_agents=N_PODS,
    n_teams=N_PLAYERS,
    n_genes=N_GENES,
    state_size=STATE_SIZE,
    apply_genes=apply_genes,
    is_over=is_over,
    evaluate=make_evaluate(WEIGHTS),
)
search = kernel(make_search(GAME, OPTIONS))


def choose(tracker, population, clock):
    """Returns (rotation, command) of own pods by the best plan."""
    tracker.update()
    setup, state = tracker.setup, tracker.state
    assign_roles(setup, state, ROLE_HYSTERESIS)
    while nodes := clock.grant():
        search(setup, state, population, nodes)
    plans = [best_plan(GAME, OPTIONS, population, team) for team in range(N_PLAYERS)]
    turns = []
    for turn in range(OPTIONS.depth):
        moves = [agent for plan in plans for agent in plan[turn]]
        # Shields and boosts of later turns are decided as if they were now.
        turns.append(
            [
                (gene_rotation(genes[0]), gene_command(setup, state, pod, *genes[1:]))
                for pod, genes in enumerate(moves)
            ]
        )
    value = best_value(population)
    expect(value, OPTIONS.depth, clock.granted, told(state, turns))
    reset(GAME, OPTIONS, population)
    return turns[0][:2]


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    clock = Clock(LIMITS, MARGIN_MS)
    population = new_population(GAME, OPTIONS)
    tracker = Tracker(read_line)
    return tracker.read_turn, lambda: tracker.lines(choose(tracker, population, clock)), clock


if __name__ == "__main__":
    run(new_player)
