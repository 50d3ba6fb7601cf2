"""The speed of SameGame's beam beside a port of it to C++, measured in turns.

    python -m tests.lab.samegame.port [--width 1000] [--boards 10] [--turns 5]

compiles `port.cpp` (g++ -O3 -march=native) and prints, for each turn, million children a second of
CPU of either, then the median of the turns' ratios. The port has the same evaluation, hash table
and selection; ties are broken differently, so totals differ a little.
"""

import argparse
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from bots.samegame.beam import GAME, OPTIONS
from shared.core.jit import kernel
from shared.games.samegame.maps import VALIDATORS
from shared.games.samegame.state import new_setup, new_state, write_board
from shared.search.solo import beam

PORT = Path(__file__).with_name("port.cpp")


def run_port(program, width, boards):
    """(total, children, seconds of CPU) of the port."""
    text = "\n".join(" ".join(map(str, row)) for rows in boards for row in rows)
    done = subprocess.run(
        [program, str(width)], input=text, capture_output=True, text=True, check=True
    )
    total, children, seconds = done.stdout.split()
    return int(total), int(children), float(seconds)


def run_own(search, tree, boards):
    """The same of the compiled beam."""
    total = children = 0
    setup, state = new_setup(), new_state()
    begin = time.process_time()
    for rows in boards:
        write_board(rows, state)
        beam.reset(tree)
        while not beam.is_finished(tree):
            search(setup, state, tree, 1 << 40)
        found = beam.summary(tree)
        total, children = total + int(found.score), children + found.children
    return total, children, time.process_time() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--width", type=int, default=1000)
    parser.add_argument("--boards", type=int, default=10)
    parser.add_argument("--turns", type=int, default=5)
    asked = parser.parse_args()
    boards = list(VALIDATORS.values())[: asked.boards]
    options = OPTIONS._replace(width=asked.width)
    search, tree = kernel(beam.make_search(GAME, options)), beam.new_tree(GAME, options)
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "port"
        flags = ["-O3", "-march=native", "-o", program]
        subprocess.run(["g++", *flags, PORT], check=True)
        for _ in range(asked.turns):
            rates = []
            for total, children, seconds in (
                run_port(program, asked.width, boards),
                run_own(search, tree, boards),
            ):
                rates.append(children / seconds / 1e6)
                print(f"{total:7,} points, {children / 1e6:.2f} million", end="; ")
            ratios.append(rates[1] / rates[0])
            print(f"C++ {rates[0]:.2f}, own {rates[1]:.2f} million children/s", flush=True)
    print(f"own / C++: {statistics.median(ratios):.3f}, {min(ratios):.3f} to {max(ratios):.3f}")


if __name__ == "__main__":
    main()
