"""The folder that holds the project, its version, and how its extras are installed."""

import sys
import tomllib
from functools import cache
from pathlib import Path

from bundler.sources.workspace import IS_CHECKOUT

PROJECT = Path(__file__).resolve().parents[1]


@cache
def version() -> str:
    """Returns the project's version, as in pyproject.toml, which a distribution brings along."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


def install_advice(extra: str) -> str:
    """Returns the command that installs an extra's packages where they are missing."""
    if IS_CHECKOUT:
        return f".venv/bin/python -m pip install -e '.[{extra}]'"
    # A folder that pipx made belongs to it.
    if "pipx" in Path(sys.prefix).parts:
        return f"pipx install --force 'onefile-bots[{extra}]'"
    return f"pip install 'onefile-bots[{extra}]'"
