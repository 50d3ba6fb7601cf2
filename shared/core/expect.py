"""Tells on stderr what a search expects, for the page of the match; with CG_EXPECT=0 it is silent."""

import os
import sys

IS_TOLD = os.environ.get("CG_EXPECT") != "0"


def expect(value, depth, iterations, line):
    """Write a line: the value of the best action, the depth, the iterations, the actions as texts."""
    if IS_TOLD:
        print(f"#expect {value:.4g} {depth} {iterations}", *line, sep="|", file=sys.stderr)
