"""`python -m tests.fuzz [--mutants N] [--seed S] [--jobs J] [KIND ...]`: damaged files through the
commands that read them, and how often each command ended how.

Exit status 1 where one did not end as a command may; the file and what it led to are in
build/fuzz.
"""

import argparse
import multiprocessing
import os
import signal
import sys
from collections import Counter
from pathlib import Path

from tests.fuzz.run import limit_memory, run_batch
from tests.fuzz.subjects import SUBJECTS

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
    # The contests are imported later: a few turns at a time are done sooner than compiled.
    os.environ.setdefault("CG_JIT", "0")
    # Stopped by either it tells what it has come to, also in the background of a shell.
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
        # Else what ends them would be told as an interruption of each.
        pool.close()
        pool.join()
    return int(any("FAILED" in end for end in ends))


if __name__ == "__main__":
    sys.exit(main())
