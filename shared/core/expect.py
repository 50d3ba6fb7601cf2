"""Tells on stderr the result that a search expects, for the match page; silent by CG_EXPECT=0.

The format: docs/reference/stderr.md.
"""

import os
import sys


def expect(value, depth, iterations, line):
    """Write the best action's value, the depth, the iterations, and each turn's actions as text."""
    if os.environ.get("CG_EXPECT") != "0":
        print(f"#expect {value:.4g} {depth} {iterations}", *line, sep="|", file=sys.stderr)
