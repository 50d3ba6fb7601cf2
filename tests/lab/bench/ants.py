"""Speed of Ants: a turn of the simulator, and the sampler's samples against a plain C++ port of its
inner loop.

A sample is one ant: its open moves scored, one drawn. Battles are those of the recorded file beside
the project, by the number of ants, and random placements for sizes with few of them; player 0 is
the own side, as for the author's bot, which takes 0.6 to 2.6 million samples a second there. No ant
converges, as converged ants would count as samples without scoring.
"""

import gzip
import json
import subprocess
import tempfile
import time
from pathlib import Path
from random import Random

import numpy as np

from bots.ants.combat import N_AGENTS, N_MOVES, N_OWN, make_game
from shared.core.jit import kernel
from shared.games.ants.sim import apply, look
from shared.games.ants.state import N_ANTS, add_ant, add_food, new_world
from shared.search.sampler import ITERATIONS, Options, make_search, new_trees, reset
from tests.conftest import PROJECT
from tests.lab.measure import build_port, spread
from tests.support.ants_fields import field_of

CPP_PORT = Path(__file__).with_suffix(".cpp")
TRUTH = PROJECT.parent / "shared" / "truth" / "ants.json.gz"
CLASSES = ((2, 3), (4, 10), (11, 20), (21, 35), (36, 60))  # numbers of ants
PER_CLASS = 4  # least number of battles
SECONDS = 0.05  # a battle, after as long for warming up
SLICE = 20000  # samples from the start of a turn
TURNS = 200
OPTIONS = Options(converged=1.0)
# The author's own bot, in millions of samples a second (RULES.md, section 10).
AUTHORS = "0.6 to 2.6"


def placements():
    """(rows, cols, own cells, enemy cells) by class."""
    found = {size: [] for size in CLASSES}
    rng = Random(1)
    for _ in range(PER_CLASS):
        cells = rng.sample(range(64), 3)
        found[CLASSES[0]].append((12, 12, [13], [15 + 12 * (cells[0] % 3)]))
    battles = json.loads(gzip.decompress(TRUTH.read_bytes()))["battles"] if TRUTH.exists() else []
    for battle in battles:
        if battle["attackradius2"] != 5 or len(battle["ants"]) < 4:
            continue
        sides = [[], []]
        for row, column, owner in battle["ants"]:
            sides[owner > 0].append(row * battle["cols"] + column)
        for low, high in CLASSES:
            if low <= len(battle["ants"]) <= high and all(sides):
                found[low, high].append((battle["rows"], battle["cols"], *sides))
    for low, high in CLASSES[1:]:
        while len(found[low, high]) < PER_CLASS:
            n = rng.randint(low, high)
            side = max(9, int((3 * n) ** 0.5) + 2)
            cells = rng.sample(range(side * side), n)
            found[low, high].append((side, side, cells[: n // 2], cells[n // 2 :]))
    return found


def weighed(placement):
    """The field of a placement with integer values, which the port reads exactly."""
    field = field_of(*placement)
    rng = Random(2)
    for i in range(field.numbers[N_AGENTS] * N_MOVES):
        field.worth[i] = 100.0 + rng.randrange(30)
        if i >= field.numbers[N_OWN] * N_MOVES:
            field.worth[i] = -20.0 - rng.randrange(30)
    return field


def written(field):
    """A field in the port's input format."""
    n_agents, n_own = int(field.numbers[N_AGENTS]), int(field.numbers[N_OWN])
    lines = [f"{n_agents} {n_own} {len(field.taken)}"]
    names = "targets moves taken worth pairs n_pairs contacts n_near"
    for name in names.split():
        numbers = [str(int(number)) for number in getattr(field, name)]
        lines.append(" ".join([str(len(numbers)), *numbers]))
    return "\n".join(lines)


def run_port(program, seconds, n, text):
    command = [program, str(seconds), str(n), str(OPTIONS.converged)]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return done.stdout.split()


def samples_per_second(sample, field, samples):
    """Samples a second of CPU time, always from the start of a turn."""
    n_agents = int(field.numbers[N_AGENTS])
    taken, began = 0, time.process_time()
    while time.process_time() - began < SECONDS:
        reset(samples)
        sample(field, samples, n_agents, SLICE)
        taken += int(samples.counters[ITERATIONS])
    return taken / (time.process_time() - began)


def counts_alike(program, sample, placement):
    """Returns True if the port counts as the sampler does."""
    field = weighed(placement)
    samples = new_trees(make_game(), OPTIONS, int(field.numbers[N_AGENTS]))
    text = written(field)
    sample(field, samples, int(field.numbers[N_AGENTS]), 5000)
    mine = [str(int(number)) for number in [*samples.counts, *field.moves]]
    return mine == run_port(program, 0, 5000, text)


def sampler_speed():
    """Returns the samples a CPU second for each number of ants; ours and the port alternate."""
    sample = kernel(make_search(make_game(), OPTIONS))
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        port = build_port(CPP_PORT, folder)
        for (low, high), battles in placements().items():
            if port and not all(counts_alike(port, sample, one) for one in battles):
                raise RuntimeError("the C++ port counts otherwise than the sampler")
            ours, theirs = [], []
            for one in battles:
                field = weighed(one)
                samples = new_trees(make_game(), OPTIONS, int(field.numbers[N_AGENTS]))
                text = written(field)
                samples_per_second(sample, field, samples)
                ours.append(samples_per_second(sample, field, samples) / 1e6)
                if port:
                    theirs.append(float(run_port(port, SECONDS, SLICE, text)[0]) / 1e6)
            row = [f"{low} to {high}", str(len(battles)), spread(ours, digits=2)]
            if port:
                ratios = [a / b for a, b in zip(ours, theirs)]
                row += [spread(theirs, digits=2), spread(ratios, digits=2)]
            else:
                row += ["no g++ here", ""]
            rows.append(row)
    title = "Ants: million samples a CPU second, each battle in turns"
    title += f"; the author's bot: {AUTHORS}"
    return title, ["ants", "battles", "ours", "C++ port", "ratio"], rows


def crowded_world(n_ants=400, n_players=4, side=128):
    """Ants of several players everywhere, with some food; all of them will move."""
    rng = Random(3)
    cells = rng.sample(range(side * side), n_ants + side)
    world = new_world(side, side, n_players, [], [(cell, 0) for cell in cells[:4]])
    for i, cell in enumerate(cells[:n_ants]):
        add_ant(world, cell, i % n_players)
    for cell in cells[n_ants:]:
        add_food(world, cell)
    look(world)
    for ant in range(n_ants):
        world.orders[ant] = rng.randrange(4)
    return world


def simulator_speed():
    """A turn in which all ants move and many die, repeatedly, without the players' text."""
    world = crowded_world()
    before, times = [np.array(buffer) for buffer in world], []
    n_ants = int(world.numbers[N_ANTS])
    for _ in range(TURNS):
        for buffer, numbers in zip(world, before):
            np.asarray(buffer)[:] = numbers
        began = time.process_time()
        apply(world)
        look(world)
        times.append((time.process_time() - began) * 1e3)
    title = f"Ants: a turn of the simulator, 4 players on 128 x 128, all ants move, {TURNS} times"
    row = [str(n_ants), str(n_ants - int(world.numbers[N_ANTS])), spread(times, digits=3)]
    return title, ["ants", "of them die", "CPU ms"], [row]
