"""SameGame at random: any region, each as likely as the others."""

from shared.core.jit import Ints, int_buffer, kernel
from shared.core.loop import run
from shared.core.rng import seed_rng
from shared.games.samegame.protocol import format_action, read_turn
from shared.games.samegame.sim import sample
from shared.games.samegame.state import new_setup, new_state


@kernel
def choose(setup: Ints, state: Ints, rng: Ints) -> int:
    """Returns a random action."""
    return sample(setup, state, rng)


def new_player(read_line):
    """Returns the functions for `run` to play."""
    setup, state, rng = new_setup(), new_state(), int_buffer(1)
    seed_rng(rng, 1)
    return (
        lambda: read_turn(read_line, state),
        lambda: [format_action(int(choose(setup, state, rng)))],
    )


if __name__ == "__main__":
    run(new_player)
