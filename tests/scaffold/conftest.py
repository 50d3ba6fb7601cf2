"""A copy of the project, in which contests are created."""

import shutil
import subprocess
import sys

from tests.conftest import PROJECT

COPIED = ("bots", "bundler", "referee", "shared", "tests", "pyproject.toml")


def copy_of_project(folder):
    """Copy the project's files to a folder, which is returned."""
    for name in COPIED:
        if (PROJECT / name).is_dir():
            shutil.copytree(
                PROJECT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__")
            )
        else:
            shutil.copy(PROJECT / name, folder)
    return folder


def run(project, *arguments):
    """Run a module of Python in the project."""
    command = [sys.executable, "-m", *map(str, arguments)]
    return subprocess.run(command, cwd=project, capture_output=True, text=True)
