"""Prints the project's benchmarks, or those of a module, or single ones: figures, no tests.

Two things are compared in turns within the same minute; a figure is a median with the least and the
greatest beside it. A benchmark that fails is told, and the others go on.
"""

import argparse
import sys
import traceback

from tests.lab.bench import (
    adversarial,
    ants,
    bundles,
    code_of_kutulu,
    infexion,
    networks,
    plain_python,
    referee,
    ultimate_tic_tac_toe,
    wayfinder,
    xmas_rush,
)
from tests.lab.measure import show

MEASURES = (
    code_of_kutulu.simulator_speed,
    xmas_rush.simulator_speed,
    ants.sampler_speed,
    ultimate_tic_tac_toe.perft_speed,
    ultimate_tic_tac_toe.rollout_speed,
    ultimate_tic_tac_toe.network_speed,
    infexion.depths_in_a_turn,
    wayfinder.path_methods,
    adversarial.uct_speed,
    adversarial.uct_choices,
    adversarial.alpha_beta_speed,
    adversarial.annealing_speed,
    networks.evaluation_speed,
    bundles.time_to_first_command,
    bundles.search_speed,
    plain_python.nodes_a_ms,
    referee.overhead,
)


def names_of(measure):
    """Returns (module, module.function), without the folders of all."""
    module = measure.__module__.removeprefix("tests.lab.bench.")
    return module, f"{module}.{measure.__name__}"


def main():
    """Returns an exit status: 1 if a benchmark failed."""
    modules, singles = (sorted({names_of(measure)[i] for measure in MEASURES}) for i in (0, 1))
    parser = argparse.ArgumentParser(
        prog="python -m tests.lab.bench",
        description=__doc__,
        epilog=f"benchmarks: {', '.join(singles)}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="module, or module.benchmark")
    names = parser.parse_args().names
    if unknown := set(names).difference(modules, singles):
        parser.error(f"no such benchmark: {', '.join(sorted(unknown))}; --help lists all")
    failed = []
    for measure in MEASURES:
        if names and not {*names_of(measure)} & {*names}:
            continue
        try:
            show(*measure())
        except Exception:
            traceback.print_exc()
            failed.append(names_of(measure)[1])
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
