"""Ants by random sampling: one sampler for the moves of all ants, as in a1k0n's bot."""

from bots.ants.sampling import WEIGHTS, sampling_player
from shared.core.loop import run


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    return sampling_player(read_line, WEIGHTS)


if __name__ == "__main__":
    run(new_player)
