"""`make bench`: prints the project's benchmarks. They are not tests, and no figure is asserted.

`python -m tests.lab.bench start_up xmas_rush.simulator_speed` prints those of a module, or one. One
that fails is told, and the others go on.

Two things are compared in turns within the same minute; a figure is a median with the least and the
greatest beside it.
"""

import sys
import traceback

from rich.console import Console
from rich.table import Table

from tests.lab.bench import (
    adversarial,
    annealing,
    ants,
    code_of_kutulu,
    coders_strike_back,
    in_process,
    infexion,
    kernels,
    monte_carlo,
    networks,
    referee,
    search_parts,
    start_up,
    turn_search_parts,
    ultimate_tic_tac_toe,
    wayfinder,
    xmas_rush,
)
from tests.lab.paths import grids, meshes

MEASURES = (
    coders_strike_back.simulator_speed,
    infexion.perft_speed,
    infexion.alphabeta_speed,
    infexion.depths_in_a_turn,
    infexion.alphabeta_options,
    adversarial.search_speed,
    monte_carlo.options_measured,
    annealing.speed_of_tours,
    xmas_rush.simulator_speed,
    code_of_kutulu.simulator_speed,
    grids.search_speed,
    wayfinder.path_methods,
    meshes.search_speed,
    meshes.change_speed,
    ultimate_tic_tac_toe.perft_speed,
    ultimate_tic_tac_toe.rollout_speed,
    ultimate_tic_tac_toe.network_speed,
    networks.evaluation_speed,
    ants.simulator_speed,
    ants.sampler_speed,
    start_up.time_to_first_command,
    search_parts.smitsimax_parts,
    turn_search_parts.mcts_parts,
    turn_search_parts.alpha_beta_parts,
    kernels.search_speed,
    kernels.kernel_speed,
    referee.overhead,
    referee.throughput,
    in_process.cost_of_a_game,
)


def names_of(measure):
    """Returns (module, module.function), without the folders of all."""
    module = measure.__module__.removeprefix("tests.lab.").removeprefix("bench.")
    return module, f"{module}.{measure.__name__}"


def chosen(names):
    """Returns the measures of these names, all without names; exits where one is unknown."""
    found = {names_of(measure): measure for measure in MEASURES}
    if unknown := {*names}.difference(*found):
        there = ", ".join(name for _, name in found)
        sys.exit(f"no such benchmark: {', '.join(sorted(unknown))}; there are {there}")
    return [one for known, one in found.items() if not names or {*known} & {*names}]


def main():
    # A row is a line, in a file as in a terminal.
    console = Console() if sys.stdout.isatty() else Console(width=160)
    failed = []
    for measure in chosen(sys.argv[1:]):
        try:
            title, columns, rows = measure()
        except Exception:
            traceback.print_exc()
            failed.append(names_of(measure)[1])
            continue
        table = Table(title=title, title_justify="left", title_style="bold")
        for i, column in enumerate(columns):
            table.add_column(column, justify="left" if i == 0 else "right", overflow="fold")
        for row in rows:
            table.add_row(*row)
        console.print(table)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
