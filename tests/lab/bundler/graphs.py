"""Random projects (generator.py), run before and after bundling.

By hand: `python -m tests.lab.bundler.graphs COUNT [FIRST_SEED]` compares so many projects, counts
the verdicts, prints the wrong ones, and exits 1 if there are any.
"""

import random
import sys
import tempfile
import traceback
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from bundler.bundle import make_bundle
from tests.bundler.differential import outcome_of_bundle, outcome_of_sources, write_project
from tests.bundler.generator import random_project


class Comparison(NamedTuple):
    """A project run before and after bundling: "same", "different" or "failed" (the bundler), the
    report, and the numbers of flattened and carried modules.
    """

    verdict: str
    report: str
    n_flattened: int = 0
    n_carried: int = 0


def compare(seed):
    """The Comparison of a seed's project: half of the bundles are stripped, half packed."""
    files = random_project(random.Random(seed))
    options = {"strip": seed % 2 == 1, "carry": seed // 2 % 4 == 3}
    options["packing"] = "wide" if seed // 8 % 2 else None
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        entry = write_project({path: text.encode() for path, text in files.items()}, root)
        before = outcome_of_sources(entry, root)
        shown = "\n".join(f"--- {path}\n{text.rstrip()}" for path, text in files.items())
        report = f"##### seed {seed}, {options}\n{shown}\n=== before\n{before}"
        try:
            bundle = make_bundle(entry, root=root, mode="python", **options)
        except Exception:
            return Comparison("failed", report + traceback.format_exc(limit=-5))
        after = outcome_of_bundle(bundle.text, Path(folder) / "alone")
    report += f"=== after\n{after}=== carried: {bundle.reasons}\n{bundle.text}"
    verdict = "same" if after == before else "different"
    return Comparison(verdict, report, len(bundle.flattened), len(bundle.carried))


def main(count, first_seed=0):
    """Compare `count` projects; exit 1 if any is wrong."""
    verdicts = Counter()
    for seed in range(first_seed, first_seed + count):
        compared = compare(seed)
        verdicts[compared.verdict] += 1
        if compared.verdict != "same":
            print(compared.report, flush=True)
    print(", ".join(f"{number} {verdict}" for verdict, number in verdicts.items()))
    sys.exit(verdicts["same"] < count)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
