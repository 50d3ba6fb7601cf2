"""The sampling bot that never sacrifices: no number of kills is worth an ant."""

from bots.ants.sampling import WEIGHTS, sampling_player
from shared.core.loop import run


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    return sampling_player(read_line, WEIGHTS._replace(alive=1000.0))


if __name__ == "__main__":
    run(new_player)
