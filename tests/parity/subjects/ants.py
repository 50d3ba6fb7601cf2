"""Ants: a line for the rules, the survey before sampling, each way to sample, and fights."""

from random import Random

from bots.ants.clash import Fight, begin, new_clash, settle
from bots.ants.combat import N_AGENTS, N_OWN, make_game
from bots.ants.greedy import take_best
from bots.ants.memory import new_memory
from shared.core.jit import kernel
from shared.games.ants.contest import SeededMatch
from shared.games.ants.generator import new_map
from shared.games.ants.protocol import Start
from shared.games.ants.state import Radii
from shared.search.sampler import Options, make_best_actions, make_search, new_trees
from tests.parity.digests import digest, digest_whole
from tests.support.ants_fields import random_field

WAYS = {
    "plain": Options(),
    "Gibbs": Options(temperature=0.5, by_context=True, mean=True),
    "minimum": Options(minimum=True, decay=0.9, alpha=0.5),
}


def trace():
    rng = Random(1)
    game = SeededMatch(3, 2, new_map(3, 2, "caves", 1))
    world, states = game.world, []
    while game.outcome() is None and game.turn < 25:
        movers = game.players_to_move()
        game.play({p: game.parse(p, game.random_lines(p, rng)) for p in movers})
        states += [*world.cells, *world.seen, *world.food, *world.scores, *world.numbers]
        states += [*world.looks, *world.orders, *world.owners]
    yield "ants turns", digest_whole(states)

    field = random_field(Random(5), 10, 12, 20)
    yield "ants survey", digest(*field)
    take_best(field)
    yield "ants greedy", digest(field.moves)
    for name, options in WAYS.items():
        sample = kernel(make_search(make_game(), options))
        choose = kernel(make_best_actions(make_game(), options))
        field = random_field(Random(4), 10, 12, 20)
        samples = new_trees(make_game(), options, 20)
        sample(field, samples, int(field.numbers[N_AGENTS]), 600)
        choose(field, samples, 0, int(field.numbers[N_OWN]))
        yield f"ants sampler, {name}", digest(*samples, field.moves, field.contacts)

    field = random_field(Random(6), 14, 14, 20)
    memory, clash = new_memory(Start(1000, 14, 14, Radii())), new_clash(Fight(), 20)
    begin(field, clash)
    judged = []
    while n := settle(memory, field, clash, 4, 400):
        judged.append(n)
    yield "ants fights", digest(*clash, field.moves, field.contacts, judged)
