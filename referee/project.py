"""The folder that holds the project, its version, and the installation of its extras."""

import re
import shlex
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from bundler.modules.workspace import IS_CHECKOUT

PROJECT = Path(__file__).resolve().parents[1]


OWN_EXTRA = re.compile(r"onefile-bots\[(\w+)\]", re.ASCII)


@cache
def metadata() -> dict[str, Any]:
    """Returns the table `project` of pyproject.toml, which a distribution includes."""
    text = (PROJECT / "pyproject.toml").read_text(encoding="utf-8")
    project: dict[str, Any] = tomllib.loads(text)["project"]
    return project


def version() -> str:
    """Returns the project's version."""
    return str(metadata()["version"])


def documentation() -> Path:
    """Returns the path of the documentation's first page, which a distribution includes."""
    return PROJECT / "docs" / "index.md"


def packages_of(extra: str) -> list[str]:
    """Returns the requirements of an extra and of the extras that it names."""
    packages: list[str] = []
    for text in metadata()["optional-dependencies"][extra]:
        named = OWN_EXTRA.fullmatch(text)
        packages += packages_of(named[1]) if named else [text]
    return packages


def install_advice(extra: str) -> str:
    """Returns the shell command that installs an extra's packages for this Python."""
    if IS_CHECKOUT:
        is_here = Path.cwd() == PROJECT
        folder = "." if is_here else PROJECT
        python = ".venv/bin/python" if is_here else sys.executable
        return f"{python} -m pip install -e {shlex.quote(f'{folder}[{extra}]')}"
    # The packages by name: no registry has the distribution, and its checkout may be gone.
    packages = shlex.join(packages_of(extra))
    # A folder that pipx made belongs to it.
    if "pipx" in Path(sys.prefix).parts:
        return f"pipx inject onefile-bots {packages}"
    return f"{sys.executable} -m pip install {packages}"
