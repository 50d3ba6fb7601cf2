"""`make bench`: prints what the project is measured by. Nothing here is a test, and no
figure is asserted.

Two things are compared in turns within the same minute; a figure is a median with the least and the
greatest beside it.
"""

import sys

from rich.console import Console
from rich.table import Table

from tests.bench import (
    adversarial,
    ants,
    coders_strike_back,
    infexion,
    kernels,
    referee,
    start_up,
    xmas_rush,
)


def main():
    # A row is a line, in a file as in a terminal.
    console = Console() if sys.stdout.isatty() else Console(width=160)
    for measure in (
        coders_strike_back.simulator_speed,
        coders_strike_back.smitsimax_speed,
        infexion.perft_speed,
        infexion.alphabeta_speed,
        infexion.alphabeta_options,
        adversarial.search_speed,
        xmas_rush.simulator_speed,
        ants.simulator_speed,
        ants.sampler_speed,
        start_up.time_to_first_command,
        kernels.kernel_speed,
        referee.overhead,
        referee.throughput,
    ):
        title, columns, rows = measure()
        table = Table(title=title, title_justify="left", title_style="bold")
        for i, column in enumerate(columns):
            table.add_column(column, justify="left" if i == 0 else "right", overflow="fold")
        for row in rows:
            table.add_row(*row)
        console.print(table)


if __name__ == "__main__":
    main()
