"""Runs the examples of a guide, a README, unchanged: in plain Python, as any reader might."""

import os
import re
import subprocess
import sys

from tests.conftest import PROJECT


def examples(guide):
    """Returns {heading: program} of the examples of a guide, one a section."""
    text = (PROJECT / guide).read_text()
    return dict(re.findall(r"^## (.*?)\n.*?```python\n(.*?)```", text, re.MULTILINE | re.DOTALL))


def said_by(program):
    """Returns the output of an example."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=PROJECT,
        env={**os.environ, "CG_JIT": "0"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
