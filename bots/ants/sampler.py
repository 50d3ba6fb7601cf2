"""Ants by random sampling: the whole move of all ants from one sampler, as in a1k0n's bot."""

from bots.ants.sampling import WEIGHTS, sampling_player
from shared.core.loop import run


def new_player(read_line):
    """Returns what `run` needs to play one game."""
    return sampling_player(read_line, WEIGHTS)


if __name__ == "__main__":
    run(new_player)
