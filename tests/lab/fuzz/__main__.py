"""`python -m tests.lab.fuzz [--mutants N] [--seed S] [--jobs J] [KIND ...]`: runs commands on
damaged files and counts the ways in which they end.

Exit status 1 if a command ended in an unexpected way; its file and output are in build/fuzz.
"""

import argparse
import multiprocessing
import os
import signal
import sys
from collections import Counter
from pathlib import Path

from tests.fuzz.subjects import SUBJECTS
from tests.lab.fuzz.run import limit_memory, run_batch

BATCH = 500
KEEP = Path("build/fuzz")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", default=list(SUBJECTS), metavar="KIND")
    parser.add_argument("--mutants", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    given = parser.parse_args()
    os.nice(10)
    # Contests are imported later: plain Python is faster than compilation for a few turns.
    os.environ.setdefault("CG_JIT", "0")
    # Either signal stops it with a summary, also in the background of a shell.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    ends: Counter[str] = Counter()
    with multiprocessing.get_context("fork").Pool(
        given.jobs, limit_memory, maxtasksperchild=20
    ) as pool:
        for kind in given.kinds:
            found: Counter[str] = Counter()
            batches = [
                (kind, given.seed + first, min(BATCH, given.mutants - first), KEEP)
                for first in range(0, given.mutants, BATCH)
            ]
            stopped = False
            try:
                for some in pool.imap_unordered(run_batch, batches):
                    found += some
                    print(f"\r{kind}: {found['mutants']}", end="", file=sys.stderr, flush=True)
            except KeyboardInterrupt:
                stopped = True
            print(f"\r{kind}: {found.pop('mutants', 0)} mutants", flush=True)
            for end, count in sorted(found.items()):
                print(f"  {end:50} {count}", flush=True)
            ends += found
            if stopped:
                return 130
        # Otherwise the signal that ends the workers would be reported as an interruption of each.
        pool.close()
        pool.join()
    return int(any("FAILED" in end for end in ends))


if __name__ == "__main__":
    sys.exit(main())
