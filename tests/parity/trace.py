"""A digest of what every kernel of the project computes, for comparing the ways of running in
separate processes.

`python -m tests.parity.trace` prints a line a subject: its name and a hash of all numbers to the
last bit. Each file of `subjects/` has a `trace` that yields them, named like the contest or search it
is about. In plain Python all buffers are `CheckedBuffer`s, so that subjects are imported after that.
"""

import importlib
from pathlib import Path

from shared.core import jit
from tests.parity.digests import check_buffers

SUBJECTS = sorted(path.stem for path in Path(__file__).with_name("subjects").glob("[a-z]*.py"))


def main():
    print("compiled" if jit.COMPILED else "plain")
    if not jit.COMPILED:
        check_buffers()
    for subject in SUBJECTS:
        for name, value in importlib.import_module(f"tests.parity.subjects.{subject}").trace():
            print(f"{name}: {value}")


if __name__ == "__main__":
    main()
