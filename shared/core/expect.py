"""Tells on stderr the result that a search expects, for the match page; silent by CG_EXPECT=0."""

import os
import sys

IS_TOLD = os.environ.get("CG_EXPECT") != "0"


def expect(value, depth, iterations, line):
    """Write the best action's value, the depth, the iterations, and actions as texts."""
    if IS_TOLD:
        print(f"#expect {value:.4g} {depth} {iterations}", *line, sep="|", file=sys.stderr)
