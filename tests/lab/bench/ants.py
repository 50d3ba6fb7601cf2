"""Speed of Ants: the sampler's samples against a plain C++ port of its inner loop.

A sample is one ant: its open moves scored, one drawn. Battles are those of the recorded file beside
the project, by the number of ants, and random placements for sizes with few of them; player 0 is
the own side, as for the author's bot, which takes 0.6 to 2.6 million samples a second there. No ant
converges, as converged ants would count as samples without scoring.
"""

import gzip
import json
from pathlib import Path
from random import Random

from bots.ants.combat import N_AGENTS, N_MOVES, N_OWN, make_game
from shared.core.jit import kernel
from shared.search.sampler import ITERATIONS, Options, make_search, new_trees, reset
from tests.conftest import PROJECT
from tests.lab.measure import beside, built, cpu_rate, words_of
from tests.support.ants_fields import field_of

CPP_PORT = Path(__file__).with_suffix(".cpp")
TRUTH = PROJECT.parent / "shared" / "truth" / "ants.json.gz"
CLASSES = ((2, 3), (4, 10), (11, 20), (21, 35), (36, 60))  # numbers of ants
PER_CLASS = 4  # least number of battles
SECONDS = 0.05  # a battle, after as long for warming up
SLICE = 20000  # samples from the start of a turn
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


def samples_a_second(sample, field, samples):
    """Millions of samples a second of CPU time, always from the start of a turn."""

    def run():
        reset(samples)
        sample(field, samples, int(field.numbers[N_AGENTS]), SLICE)
        return int(samples.counters[ITERATIONS])

    return cpu_rate(run, SECONDS) / 1e6


def counts_alike(program, sample, placement):
    """Returns True if the port counts as the sampler does."""
    field = weighed(placement)
    samples = new_trees(make_game(), OPTIONS, int(field.numbers[N_AGENTS]))
    text = written(field)
    sample(field, samples, int(field.numbers[N_AGENTS]), 5000)
    mine = [str(int(number)) for number in [*samples.counts, *field.moves]]
    return mine == words_of(program, 0, 5000, OPTIONS.converged, text=text)


def sampler_speed():
    """Returns the samples a CPU second for each number of ants; ours and the port alternate."""
    sample = kernel(make_search(make_game(), OPTIONS))
    rows = []
    with built(CPP_PORT) as port:
        for (low, high), battles in placements().items():
            if port and not all(counts_alike(port, sample, battle) for battle in battles):
                raise RuntimeError("the C++ port counts otherwise than the sampler")
            ours, theirs = [], []
            for battle in battles:
                field = weighed(battle)
                samples = new_trees(make_game(), OPTIONS, int(field.numbers[N_AGENTS]))
                samples_a_second(sample, field, samples)
                ours.append(samples_a_second(sample, field, samples))
                if port:
                    numbers = SECONDS, SLICE, OPTIONS.converged
                    words = words_of(port, *numbers, text=written(field))
                    theirs.append(float(words[0]) / 1e6)
            cells = beside(ours, theirs, digits=2)
            rows.append([f"{low} to {high}", str(len(battles)), *cells])
    title = "Ants: million samples a CPU second, each battle in turns"
    title += f"; the author's bot: {AUTHORS}"
    return title, ["ants", "battles", "ours", "C++ port", "ratio"], rows
