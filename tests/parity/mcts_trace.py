"""A digest of what the Monte Carlo searches compute: `python -m tests.parity.mcts_trace`, as `tests/parity/trace.py`."""

from bots.infexion import mcts as infexion_bot
from bots.infexion import report_mcts
from shared.core.jit import COMPILED, float_buffer, int_buffer, kernel
from shared.games.connect_four import game as connect_four
from shared.games.infexion.state import new_setup, new_state
from shared.search import flat_monte_carlo, mcts
from tests.parity.trace import digest

SETUP = connect_four.new_setup()
EVERYTHING = mcts.Options(
    exploration=0.7,
    rollout_plies=30,
    max_depth=20,
    score_scale=8.0,
    prior_visits=2.0,
    rave_visits=40.0,
    n_actions=connect_four.MAX_WIDTH,
)


def trace_connect_four():
    game, root = connect_four.GAME, connect_four.new_state(SETUP, [3, 3, 2])
    search = kernel(mcts.SEARCH_SIGNATURE)(mcts.make_search(game, EVERYTHING))
    replant_tree = kernel(mcts.REPLANT_SIGNATURE)(mcts.replant_tree)
    tree = mcts.new_tree(game, EVERYTHING, 4000)
    search(SETUP, root, *tree, 600)
    yield "uct", digest(*tree)
    sizes = [len(buffer) for buffer in tree[:3]]
    spare = (int_buffer(sizes[0]), float_buffer(sizes[1]), float_buffer(sizes[2]))
    tree, _ = mcts.replant(tree, spare, mcts.report(tree).line[:1], replant_tree)
    search(SETUP, connect_four.new_state(SETUP, [3, 3, 2, 4]), *tree, 100)
    yield "uct replanted", digest(*tree)

    options = flat_monte_carlo.Options(rollout_plies=42)
    flat = kernel(flat_monte_carlo.SEARCH_SIGNATURE)(flat_monte_carlo.make_search(game, options))
    samples = flat_monte_carlo.new_samples(game, options)
    flat(SETUP, root, *samples, 200)
    yield "flat monte carlo", digest(*samples)


def trace_infexion():
    setup, state = new_setup(), new_state()
    tree = mcts.new_tree(infexion_bot.GREEDY_GAME, infexion_bot.OPTIONS, 20000)
    infexion_bot.search(setup, state, *tree, 150)
    yield "infexion mcts", digest(*tree)
    buffers = report_mcts.new_search()
    report_mcts.search(setup, state, *buffers, 3)
    yield "infexion report_mcts", digest(*buffers)


def main():
    print("compiled" if COMPILED else "plain")
    for subject in (trace_connect_four, trace_infexion):
        for name, value in subject():
            print(f"{name}: {value}")


if __name__ == "__main__":
    main()
