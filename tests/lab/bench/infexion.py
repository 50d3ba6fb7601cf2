"""Speed of Infexion's simulator and of alpha-beta: perft, the report's three plies, six plies of
the strongest bot.
"""

import time

from bots.infexion import minimax, report_minimax
from bots.infexion.game import captures, quiet_actions
from bots.infexion.report import REPORT_GAME, UNIT, new_report_setup
from shared.core.checks.perft import count_sequences, make_perft
from shared.core.jit import kernel
from shared.games.infexion.game import GAME
from shared.games.infexion.protocol import LIMITS
from shared.games.infexion.state import new_setup
from shared.games.infexion.truth import load, position
from shared.search.alphabeta import is_finished, make_search, new_tree, summary
from tests.conftest import DATA
from tests.lab.measure import spread

SLICE = DATA / "infexion.json.gz"
ROUNDS = 5
# The stages of the bot's search: captures, quiet actions and their most gain.
STAGES = captures, quiet_actions, minimax.QUIET_GAIN


def perft_speed():
    """Sequences of three actions a second, from each recorded position."""
    perft = kernel(make_perft(GAME))
    setup, rows = new_setup(), []
    for case in load(SLICE)["positions"]:
        state = position(case["board"], case["turns_played"])
        speeds = []
        count_sequences(GAME, perft, setup, state, 1)  # compiles it
        for _ in range(ROUNDS):
            began = time.process_time()
            sequences, _ = count_sequences(GAME, perft, setup, state, 3)
            speeds.append(sequences / (time.process_time() - began))
        rows.append([case["name"], f"{sequences:,}", spread(speeds)])
    title = f"Infexion, sequences of three actions, one thread, {ROUNDS} runs"
    return title, ["position", "sequences", "a CPU second"], rows


def searched(search, game, options, depth, case):
    """(summary, CPU ms) of a whole search with an empty table."""
    setup = new_report_setup(case["after"] % 2)
    state = position(case["board"], case["after"])
    tree = new_tree(game, options, minimax.TABLE_BITS, depth)
    began = time.process_time()
    search(setup, state, tree, 1 << 40)
    return summary(tree), 1000 * (time.process_time() - began)


def alphabeta_speed():
    """The ten recorded positions: the time of a search, and the positions it generates in a
    second.
    """
    bare = minimax.OPTIONS._replace(quiescence=0)
    bare_search = kernel(make_search(minimax.GAME, bare, *STAGES))
    rows = []
    for name, search, game, options, depth in (
        ("the report's, 3 plies", report_minimax.search, REPORT_GAME, report_minimax.OPTIONS, 3),
        ("6 plies, no captures beyond", bare_search, minimax.GAME, bare, 6),
        ("6 plies and captures, as the bot", minimax.search, minimax.GAME, minimax.OPTIONS, 6),
    ):
        times, nodes = [], []
        for case in load(SLICE)["searches"]:
            runs = [searched(search, game, options, depth, case) for _ in range(ROUNDS)]
            found, best_ms = runs[0][0], min(ms for _, ms in runs)
            if game is REPORT_GAME:
                assert found.value / UNIT == case["value"], "a wrong value"
            times.append(best_ms)
            nodes.append(found.generated)
        rate = sum(nodes) / sum(times) * 1000
        rows.append([name, spread(times, " ms", 2), spread(nodes), f"{rate:,.0f}"])
    title = f"Infexion, alpha-beta from ten positions, best CPU time of {ROUNDS} runs"
    return title, ["search", "CPU time", "positions generated", "a CPU second"], rows


def depths_in_a_turn():
    """Plies that the bot completes from each recorded position in the CPU time of a turn."""
    setup, rows = new_setup(), []
    turn_ms = LIMITS.turn_ms - minimax.MARGIN_MS
    for case in load(SLICE)["searches"]:
        state = position(case["board"], case["after"])
        tree = new_tree(minimax.GAME, minimax.OPTIONS, minimax.TABLE_BITS)
        minimax.search(setup, state, tree, 1)  # compiles the remaining functions
        began = time.process_time()
        while 1000 * (time.process_time() - began) < turn_ms and not is_finished(tree):
            minimax.search(setup, state, tree, 10_000)
        rows.append([f"{case['after']}", f"{summary(tree).depth}", f"{summary(tree).generated:,}"])
    title = f"Infexion, minimax, {turn_ms:g} ms from an empty table"
    return title, ["turn of the position", "plies", "positions generated"], rows


def alphabeta_options():
    """The ten recorded positions to six plies, each time with one option changed from the bot's."""
    changes = {
        "as the bot": {},
        "no killers": {"killers": 0},
        # Reductions search with null windows, as principal variation search does.
        "no null windows, no reductions": {
            "principal_variation": False,
            "late_move_reductions": 0,
            "single_reductions": 0,
        },
        "no table": {"table": False},
        "history 6": {"history": 6},
        "aspiration 12": {"aspiration": 12},
        "no double reductions": {"single_reductions": 0},
        "no reductions": {"late_move_reductions": 0, "single_reductions": 0},
    }
    rows = []
    for name, change in changes.items():
        row = [name]
        for quiescence in (0, minimax.OPTIONS.quiescence):
            options = minimax.OPTIONS._replace(quiescence=quiescence, **change)
            search = kernel(make_search(minimax.GAME, options, *STAGES))
            runs = [
                searched(search, minimax.GAME, options, 6, case) for case in load(SLICE)["searches"]
            ]
            row.append(f"{sum(found.generated for found, _ in runs):,}")
            row.append(f"{sum(ms for _, ms in runs):,.0f} ms")
        rows.append(row)
    columns = ["options", "positions generated", "CPU time"]
    columns += ["with captures: positions generated", "CPU time"]
    return "Infexion, alpha-beta to six plies from ten positions, all together", columns, rows
