"""Folders in which the commands of the documentation run, as a reader would type them."""

import itertools
import os
import shlex
import shutil
import subprocess
import sys

import pytest

from referee.official.build import ENGINE, REFEREE
from tests.conftest import PROJECT
from tests.page.conftest import browser  # noqa: F401
from tests.scaffold.conftest import copy_of_project

FAKE_JAVA = PROJECT / "tests" / "official" / "fake_engine.py"
# The fake referee's game sends the turn and a drawn number, and wants a number.
STUB = "gameloop\nread turn:int drawn:int\nwrite 1\n"
# Packages are installed already: make must not set up an environment.
MAKE = "exec {make} -o .venv/for-playing -o .venv/for-tests"
# Stands for pipx where it is not installed: an environment, and a link to its command.
PIPX = """\
#!/bin/sh -e
[ "$1 $2" = "install ." ]
python -m venv --without-pip "$HOME/.pipx"
python -m pip --python "$HOME/.pipx/bin/python" install --quiet --disable-pip-version-check .
mkdir -p "$HOME/.local/bin"
ln -s "$HOME/.pipx/bin/onefile" "$HOME/.local/bin"
"""
ONEFILE = "PYTHONPATH={project}/referee/launcher exec {python} -m onefile_bots"


@pytest.fixture
def reader(tmp_path):
    """reader(place, script) runs commands of bash in a place of its own; returns the result."""
    programs = tmp_path / "bin"
    programs.mkdir()
    python, project = shlex.quote(sys.executable), shlex.quote(str(PROJECT))
    write_program(programs / "onefile", ONEFILE.format(project=project, python=python))
    write_program(programs / "python", f"exec {python}")
    write_program(programs / "make", MAKE.format(make=shutil.which("make") or "make"))
    if shutil.which("pipx") is None:
        (programs / "pipx").write_text(PIPX)
        (programs / "pipx").chmod(0o755)
    count = itertools.count()

    def run(place, script):
        around = tmp_path / str(next(count))
        home = around / "home"
        home.mkdir(parents=True)
        folder = PLACES[place](around, home)
        variables = {
            # A command that is installed comes before the project's.
            "PATH": f"{home}/.local/bin:{programs}:{os.environ['PATH']}",
            "HOME": str(home),
            "JAVA_HOME": str(around / "java"),
        }
        prepare = "onefile init my-bots >/dev/null; cd my-bots\n" if place == "workspace" else ""
        return subprocess.run(
            ["bash", "-euo", "pipefail", "-c", prepare + script],
            cwd=folder,
            env={**os.environ, **variables},
            capture_output=True,
            text=True,
        )

    return run


def write_program(path, command):
    path.write_text(f'#!/bin/sh\n{command} "$@"\n')
    path.chmod(0o755)


def at_home(folder, home):
    return home


def in_checkout(folder, home):
    """A copy of the project with this environment; at home lie programs of a newcomer."""
    shutil.copytree(PROJECT / "tests" / "docs" / "newcomer", home / "newcomer")
    copy = folder / "checkout"
    copy.mkdir()
    copy_of_project(copy)
    for name in ("Makefile", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(PROJECT / name, copy)
    (copy / ".venv").symlink_to(sys.prefix)
    # Bundles that other tests have made
    (PROJECT / ".cache").mkdir(exist_ok=True)
    (copy / ".cache").symlink_to(PROJECT / ".cache")
    return copy


def beside_a_referee(folder, home):
    """At home, with the build of a contest's official referee, whose Java is a double."""
    java = folder / "java" / "bin" / "java"
    java.parent.mkdir(parents=True)
    write_program(java, f"exec {shlex.quote(sys.executable)} -I -S {FAKE_JAVA}")
    build = home / "Contest2030"
    for file in (ENGINE, REFEREE):
        path = build / "target" / "classes" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (build / "target" / "classes" / "scenario.txt").touch()
    (build / "config").mkdir()
    (build / "config" / "stub.txt").write_text(STUB)
    (build / "config" / "config.ini").touch()
    return home


PLACES = {
    "home": at_home,
    "workspace": at_home,
    "checkout": in_checkout,
    "official": beside_a_referee,
}
