"""A process of its own that imports a bundle once more, in other circumstances: `python -m
bundler.native.another_import BUNDLE OUT KNOBS`.

Its kernels are recorded and not compiled. OUT: JSON with what they keep, as compile.py has it, or
with `error`. KNOBS: "turned" if variables of the environment that are not set and whose default is
a number are to be other numbers.
"""

import os
import sys

from bundler.native.changes import kept
from bundler.native.recording import import_apart, run


class Knobs(type(os.environ)):
    """Variables of the environment, some of them set to other numbers than the bundle expects."""

    def get(self, name, default=None):
        return super().get(name, turned(default))


def turned(default):
    """Another number than the one that a default is or says; the default itself if it is none."""
    if isinstance(default, str):
        for number in (int, float):
            try:
                return str(number(default) + 1)
            except ValueError:
                pass
    return default + 1 if type(default) in (int, float) else default


def main(bundle, out, knobs):
    """Import the bundle; everything goes into the file `out`."""
    if knobs == "turned":
        os.environ.__class__ = Knobs
    import_apart(bundle, out, lambda: {"kept": kept(run(bundle))})


if __name__ == "__main__":
    main(*sys.argv[1:])
