"""`python -m tests.fuzz [--mutants N] [--seed S] [--jobs J] [KIND ...]`: damaged files through the
commands that read them, and how often each command ended how.

Exit status 1 where one did not end as a command may; the file and what it led to are in
build/fuzz.
"""

import argparse
import multiprocessing
import os
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
    failed = False
    with multiprocessing.get_context("fork").Pool(
        given.jobs, limit_memory, maxtasksperchild=20
    ) as pool:
        for kind in given.kinds:
            ends: Counter[str] = Counter()
            batches = [
                (kind, given.seed + first, min(BATCH, given.mutants - first), KEEP)
                for first in range(0, given.mutants, BATCH)
            ]
            for found in pool.imap_unordered(run_batch, batches):
                ends += found
                print(f"\r{kind}: {ends['mutants']}", end="", file=sys.stderr, flush=True)
            print(f"\r{kind}: {ends.pop('mutants')} mutants", flush=True)
            for end, count in sorted(ends.items()):
                print(f"  {end:50} {count}", flush=True)
            failed |= any("FAILED" in end for end in ends)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
