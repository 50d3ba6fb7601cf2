"""Evolution: configuration by class names and attributes, genomes as classes with gene types."""

import random
import sys

import neat
from neat.activations import ActivationFunctionSet
from neat.nn import FeedForwardNetwork

CASES = [((0.0, 0.0), 0.0), ((0.0, 1.0), 1.0), ((1.0, 0.0), 1.0), ((1.0, 1.0), 0.0)]


def evaluate(genomes, config):
    for _, genome in genomes:
        network = FeedForwardNetwork.create(genome, config)
        genome.fitness = 4 - sum((network.activate(x)[0] - y) ** 2 for x, y in CASES)


with open("config.ini", "w") as file:
    file.write(sys.stdin.read())
parts = neat.DefaultGenome, neat.DefaultReproduction, neat.DefaultSpeciesSet, neat.DefaultStagnation
config = neat.Config(*parts, "config.ini")
random.seed(3)
population = neat.Population(config, seed=3)
statistics = neat.StatisticsReporter()
population.add_reporter(statistics)
best = population.run(evaluate, 4)
print(round(best.fitness, 9), len(best.nodes), len(best.connections), type(best))
print(
    [round(x, 9) for x in statistics.get_fitness_mean()],
    sorted(ActivationFunctionSet().functions)[:3],
)
print(sorted(config.genome_config.node_gene_type.__mro__[1].__dict__)[:2], neat.nn.RecurrentNetwork)
neat.nn.RecurrentNetwork.create(best, None)
