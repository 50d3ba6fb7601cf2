"""Infexion: the depth that the strongest bot reaches in a turn."""

import time

from bots.infexion import minimax
from shared.games.infexion.protocol import LIMITS
from shared.games.infexion.truth import load, position
from shared.search.alphabeta import is_finished, new_tree, summary
from tests.conftest import DATA

SLICE = DATA / "infexion.json.gz"


def depths_in_a_turn():
    """Plies that the bot completes from each recorded position in the CPU time of a turn."""
    setup, rows = minimax.new_evaluated_setup(), []
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
