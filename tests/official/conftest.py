"""What the tests of official referees share: a build whose Java is `fake_engine.py`, and bots for
it.
"""

import os
import shlex
import sys
from pathlib import Path

import pytest

from referee.official import prestart
from referee.official.build import ENGINE, REFEREE
from tests.referee.conftest import processes_naming, run  # noqa: F401

FAKE = Path(__file__).with_name("fake_engine.py")
# Reads what the fake game sends, and writes a number.
ADDER = """\
import sys
for line in sys.stdin:
    turn = int(line.split()[0])
    print("debug", turn, file=sys.stderr, flush=True)
    sys.stdout.write(str({number}) + "\\n"); sys.stdout.flush()
"""


@pytest.fixture
def build(tmp_path, monkeypatch):
    """build(scenario, **config) makes a contest's folder that is built, and gives its path."""
    java = tmp_path / "java" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -I -S {FAKE} "$@"\n')
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "java"))

    def make(scenario="", name="AddingUp2030", **config):
        folder = tmp_path / name
        for file in (ENGINE, REFEREE):
            path = folder / "target" / "classes" / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        (folder / "target" / "classes" / "scenario.txt").write_text(scenario)
        (folder / "config").mkdir(exist_ok=True)
        lines = [f"{key}={value}" for key, value in config.items()]
        (folder / "config" / "config.ini").write_text("\n".join(lines))
        return folder

    yield make
    prestart.end_waiting()


@pytest.fixture
def adder(tmp_path):
    """adder(number) makes a bot that always writes a number, or what else an expression gives."""

    def make(number=1, name=None):
        path = tmp_path / f"{name or f'adds_{number}'}.py"
        path.write_text(ADDER.format(number=number))
        return f"{sys.executable} -I -S {path}"

    return make


@pytest.fixture(scope="session")
def real_build():
    """A real contest's build, which ONEFILE_OFFICIAL names; tests are skipped without it."""
    named = os.environ.get("ONEFILE_OFFICIAL")
    if not named:
        pytest.skip("no official referee: ONEFILE_OFFICIAL=CLASSPATH names a contest's build")
    return named
