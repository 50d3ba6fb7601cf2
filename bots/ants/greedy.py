"""Ants without sampling: each ant takes the free step with the most food and sight."""

from bots.ants.combat import N_MOVES, N_OWN, Field
from bots.ants.planner import make_player
from bots.ants.survey import Weights
from shared.core.jit import kernel
from shared.core.loop import run

WEIGHTS = Weights()


@kernel
def take_best(field: Field) -> None:
    """Move each own ant, in two rounds, to the free cell of the highest value."""
    n_own = field.numbers[N_OWN]
    for turn in range(2 * n_own):
        ant = turn % n_own
        field.taken[field.targets[ant * N_MOVES + field.moves[ant]]] = 0
        best = field.moves[ant]
        for move in range(N_MOVES):
            cell = field.targets[ant * N_MOVES + move]
            worth = field.worth[ant * N_MOVES + move]
            if cell >= 0 and field.taken[cell] == 0 and worth > field.worth[ant * N_MOVES + best]:
                best = move
        field.moves[ant] = best
        field.taken[field.targets[ant * N_MOVES + best]] = ant + 1


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    return make_player(read_line, WEIGHTS, lambda memory, field: take_best(field))


if __name__ == "__main__":
    run(new_player)
