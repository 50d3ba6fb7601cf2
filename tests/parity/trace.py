"""A digest of every kernel's results, for comparing the three ways to run.

`python -m tests.parity.trace [SUBJECT ...]` prints a line for each number or hash of all subjects
or of some, to the last bit. Each file of `subjects/` has a `trace` that yields them, named like its
contest or search. In plain Python all buffers are `CheckedBuffer`s, so subjects are imported after
that.
"""

import sys
from importlib import import_module

from shared.core import jit
from tests.conftest import HOME
from tests.parity.digests import check_buffers

SUBJECTS = sorted(path.stem for path in HOME.glob("tests/parity/subjects/[a-z]*.py"))


def lines_of(subject):
    """Returns the lines printed for a subject."""
    trace = import_module(f"tests.parity.subjects.{subject}").trace
    return [f"{name}: {value}" for name, value in trace()]


def main():
    if not jit.COMPILED:
        check_buffers()
    for subject in sys.argv[1:] or SUBJECTS:
        print(*lines_of(subject), sep="\n")


if __name__ == "__main__":
    main()
