"""A digest of what every kernel of the project computes, for comparing the ways of running.

`python -m tests.parity.trace [SUBJECT ...]` prints a line for each number or hash of all subjects
or of some, to the last bit. Each file of `subjects/` has a `trace` that yields them, named like the
contest or search it is about. In plain Python all buffers are `CheckedBuffer`s, so that subjects
are imported after that.
"""

import sys
from importlib import import_module
from pathlib import Path

from shared.core import jit
from tests.parity.digests import check_buffers

SUBJECTS = sorted(path.stem for path in Path(__file__).with_name("subjects").glob("[a-z]*.py"))


def lines_of(subject):
    """What is printed for a subject."""
    trace = import_module(f"tests.parity.subjects.{subject}").trace
    return [f"{name}: {value}" for name, value in trace()]


def main():
    if not jit.COMPILED:
        check_buffers()
    for subject in sys.argv[1:] or SUBJECTS:
        print(*lines_of(subject), sep="\n")


if __name__ == "__main__":
    main()
