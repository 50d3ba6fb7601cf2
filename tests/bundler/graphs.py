"""Random projects (generator.py), run before and after bundling.

By hand: `python -m tests.bundler.graphs COUNT [FIRST_SEED]` compares this many projects, counts the
verdicts, prints the wrong ones, and exits 1 if there are any.
"""

import random
import sys
import tempfile
import traceback
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from bundler.bundle import make_bundle
from bundler.errors import BundleError
from tests.bundler.differential import outcome_of_bundle, outcome_of_sources, write_project
from tests.bundler.generator import random_project


@dataclass(frozen=True)
class Comparison:
    """A project run before and after bundling: "same", "different", "crash" (of the bundler, with
    anything but a BundleError) or "refused"; the reason; and the numbers of flattened and embedded
    modules beside the entry.
    """

    verdict: str
    detail: str
    n_flattened: int = 0
    n_carried: int = 0


def compare(files, **options):
    """The Comparison of a project, {path: text}."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        entry = write_project({path: text.encode() for path, text in files.items()}, root)
        before = outcome_of_sources(entry, root)
        try:
            bundle = make_bundle(entry, root=root, mode="python", **options)
        except BundleError as error:
            return Comparison("refused", str(error))
        except Exception:
            return Comparison("crash", traceback.format_exc(limit=-5))
        after = outcome_of_bundle(bundle.text, Path(folder) / "alone")
    flattened, carried = [
        set(names) - {"__main__"} for names in (bundle.flattened, bundle.embedded)
    ]
    verdict = "same" if after == before else "different"
    text = bundle.text.partition("\ndel carry\n")[2] or bundle.text
    detail = f"=== carried: {bundle.embedded}\n{text}\n=== before\n{before}=== after\n{after}"
    return Comparison(verdict, detail, len(flattened), len(carried))


def random_case(seed):
    """Returns (files, options) for a seed: half of the projects are wild, half of the bundles
    stripped, half packed.
    """
    files = random_project(random.Random(seed), wild=seed % 2 == 1)
    packing = "wide" if seed // 16 % 2 else None
    return files, {
        "strip": seed // 2 % 2 == 1,
        "keep_all": seed // 4 % 4 == 3,
        "packing": packing,
    }


def shown(files):
    return "\n".join(f"--- {path}\n{text.rstrip()}" for path, text in files.items())


def main(count, first_seed=0):
    """Compare `count` projects; exit 1 if any is wrong."""
    verdicts = Counter()
    for seed in range(first_seed, first_seed + count):
        files, options = random_case(seed)
        found = compare(files, **options)
        verdicts[found.verdict] += 1
        if found.verdict != "same":
            print(f"##### seed {seed}: {found.verdict}, {options}")
            print(f"{shown(files)}\n{found.detail}", flush=True)
    print(", ".join(f"{number} {verdict}" for verdict, number in verdicts.items()))
    sys.exit(verdicts["same"] < count)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
