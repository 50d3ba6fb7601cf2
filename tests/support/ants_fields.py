"""Fields of ants for tests, on a torus."""

from bots.ants.combat import new_field
from bots.ants.memory import N_ENEMIES, N_OWN_ANTS, OWN_HILL, TURN, new_memory
from bots.ants.survey import Weights, new_contacts, survey
from bots.ants.territory import new_territory
from shared.games.ants.protocol import Start
from shared.games.ants.state import Radii

WEIGHTS = Weights()
ATTACK = 5


def field_of(rows, cols, own, enemies, water=(), attack=ATTACK, hills=(), weights=WEIGHTS):
    """Returns the field at the start of a turn with each ant at its place: lists of cells; hills
    are own ones.
    """
    start = Start(1000, rows, cols, Radii(attack=attack))
    memory = new_memory(start)
    memory.numbers[TURN] = 1
    for cell in water:
        memory.water[cell] = 1
    for buffer, cells, number in (
        (memory.own, own, N_OWN_ANTS),
        (memory.enemies, enemies, N_ENEMIES),
    ):
        for i, cell in enumerate(cells):
            buffer[i] = cell
        memory.numbers[number] = len(cells)
    for i, cell in enumerate(hills):
        memory.sources[OWN_HILL * rows * cols + i] = cell
    memory.n_sources[OWN_HILL] = len(hills)
    n_agents = len(own) + len(enemies)
    territory = new_territory(rows * cols, n_agents, weights.reach, weights.nearness)
    field = new_field(rows * cols, n_agents)
    contacts = new_contacts(attack, rows, cols)
    survey(memory, territory, field, contacts, weights.fades(), weights.rates())
    return field
