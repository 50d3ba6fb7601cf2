"""`onefile test`: the tests of a workspace, by the Python that has the library."""

import importlib.util
import os
import sys

import typer

from referee.errors import UsageError
from referee.project import install_advice
from referee.sources.workspace import home_for_sources


def run_tests(context: typer.Context) -> None:
    """Run the tests of this workspace by pytest: rules, golden games, conformance and parity.

    Arguments go to pytest. The exit status is pytest's.

    Examples:

    ```sh
    onefile test -k my_contest
    ```
    """
    if importlib.util.find_spec("pytest") is None:
        raise UsageError(f"the tests need pytest: {install_advice('test')}")
    folder = home_for_sources()
    # The tests compare compiled kernels with plain Python.
    os.environ.pop("CG_JIT", None)
    os.chdir(folder)
    os.execv(sys.executable, [sys.executable, "-m", "pytest", *context.args])
