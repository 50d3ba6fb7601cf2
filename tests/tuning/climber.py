"""Stands at the place of its numbers; beyond the edge it falls."""

from shared.core.loop import run
from shared.core.tunable import tunable

X = tunable("x", 0.2, 0.0, 1.0)
Y = tunable("y", 8, 0, 10)
EDGE = tunable("edge", 1.0, 0.0, 1.0)


def new_player(read_line):
    """Returns the functions for `run` to play one game."""

    def choose():
        if X > EDGE:
            raise ValueError(f"{X} is beyond the edge")
        return [f"{X} {Y}"]

    return lambda: bool(read_line()), choose


if __name__ == "__main__":
    run(new_player)
