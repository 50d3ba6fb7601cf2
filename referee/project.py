"""The folder that holds the project, and the version in it."""

import tomllib
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]


@cache
def version() -> str:
    """Returns the project's version, as in pyproject.toml."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    return str(project["version"])
