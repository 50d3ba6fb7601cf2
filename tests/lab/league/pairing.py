"""The choice of a league's games against pairs drawn at random, by simulation.

    python -m tests.lab.league.pairing [N_RUNS] [N_BOTS]

The bots' strengths are drawn from a normal distribution of 150 Elo; each game is a die by the
difference, each pair plays both seatings. Two numbers are compared, from the same strengths:

order: the games until the order is right, as the estimate of all games has it. Two neighbours that
are less than 15 Elo apart may stand either way. It has to be right at STEADY looks one after the
other.

placing: the games of all bots until a new one has its right rank, to the same tolerance, among
others that have played already.
"""

import random
import statistics
import sys
from collections import Counter
from itertools import combinations
from types import SimpleNamespace

from referee.arena.statistics.elo import expected_score
from referee.arena.statistics.plackett_luce import fit_quickly
from referee.arena.statistics.tally import Tally
from referee.league.pairing import Contender, Strengths, choose

N_RUNS, N_BOTS = 30, 10
SPREAD, TOLERANCE = 150.0, 15.0
STEADY = 3
# The groups of two games between two looks, and the greatest number of groups.
GROUPS_PER_LOOK, MOST_GROUPS = 5, 6000
# The groups of each pair before a new bot comes.
BEFORE = 20


class Simulation:
    """A league of dice; chooses: True for the league's choice, False for random pairs."""

    def __init__(self, elos, seed, chooses):
        self.elos, self.rng, self.chooses = elos, random.Random(seed), chooses
        self.tally = Tally(len(elos))
        self.met, self.next_seed = Counter(), Counter()
        self.n_groups = 0
        self.estimate()

    def estimate(self):
        self.spread = None
        if self.tally.pairings:
            choices = self.tally.seeds.choices()
            sums = choices.chosen.sum(axis=0), choices.offered.sum(axis=0)
            self.spread = fit_quickly(*sums, choices.sets)
        self.strengths = Strengths(self.spread, self.tally.games)

    def play(self, pair):
        """Play both seatings of a pair."""
        games = []
        for one, other in (pair, pair[::-1]):
            wins = self.rng.random() < expected_score(self.elos[one] - self.elos[other])
            ranks = (0, 1) if wins else (1, 0)
            games.append(((one, other), [SimpleNamespace(rank=rank, fault=None) for rank in ranks]))
        pair = tuple(sorted(pair))
        self.next_seed[pair] += 1
        self.tally.add_group(self.next_seed[pair], games)
        self.met[pair] += 2
        self.n_groups += 1

    def step(self):
        """Play a group and return its pair."""
        if self.chooses:
            contenders = [Contender(bot, n) for bot, n in enumerate(self.tally.games)]
            table = choose(contenders, 2, self.strengths, self.met, self.n_groups).table
            self.strengths.add(table, 2)
        else:
            table = tuple(self.rng.sample(range(len(self.elos)), 2))
        self.play(table)

    def is_right(self, bots):
        """Returns True if these bots stand in the right order with all others."""
        values = self.spread.values
        return all(
            (values[one] - values[other]) * (self.elos[one] - self.elos[other]) > 0
            for one in bots
            for other in range(len(self.elos))
            if abs(self.elos[one] - self.elos[other]) > TOLERANCE
        )

    def games_until_right(self, bots):
        """Returns the games until the order is right and stays so."""
        began, right = self.n_groups, 0
        while self.n_groups < began + MOST_GROUPS:
            for _ in range(GROUPS_PER_LOOK):
                self.step()
            self.estimate()
            right = right + 1 if self.is_right(bots) else 0
            if right == STEADY:
                break
        return 2 * (self.n_groups - began - (STEADY - 1) * GROUPS_PER_LOOK)


def simulate(seed, n_bots):
    """Returns by experiment the games of the league's choice and of random pairs."""
    rng = random.Random(seed)
    elos = [rng.gauss(0.0, SPREAD) for _ in range(n_bots)]
    found = {"order": [], "placing": []}
    for chooses in (True, False):
        found["order"].append(Simulation(elos, seed, chooses).games_until_right(range(n_bots)))
        known = Simulation(elos, seed, chooses)
        for pair in combinations(range(n_bots - 1), 2):
            for _ in range(BEFORE):
                known.play(pair)
        known.estimate()
        found["placing"].append(known.games_until_right([n_bots - 1]))
    return found


def main(n_runs=N_RUNS, n_bots=N_BOTS):
    """Print the medians of both, and the share of runs in which the league's choice took fewer."""
    runs = [simulate(seed, n_bots) for seed in range(n_runs)]
    results = {}
    for name in ("order", "placing"):
        chosen, drawn = (sorted(run[name][one] for run in runs) for one in (0, 1))
        fewer = sum(run[name][0] < run[name][1] for run in runs)
        results[name] = statistics.median(chosen), statistics.median(drawn)
        print(
            f"{name}: chosen {results[name][0]:g} games (median; middle half"
            f" {chosen[n_runs // 4]} to {chosen[3 * n_runs // 4]}), at random"
            f" {results[name][1]:g} ({drawn[n_runs // 4]} to {drawn[3 * n_runs // 4]});"
            f" fewer in {fewer} of {n_runs} runs"
        )
    return results


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
