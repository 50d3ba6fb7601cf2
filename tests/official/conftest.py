"""Fixtures of the official referees' tests: a build whose Java is `fake_engine.py`, and bots for
it.
"""

import shlex
import sys
from pathlib import Path

import pytest

from referee.log.file import read_log
from referee.official import prestart
from referee.official.build import ENGINE, REFEREE
from referee.play.leader import leader_of
from tests.referee.conftest import processes_naming, run  # noqa: F401

FAKE = Path(__file__).with_name("fake_engine.py")
# Reads the fake game's input, and writes a number.
ADDER = """\
import sys, time
def spin(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end: pass
for line in sys.stdin:
    turn = int(line.split()[0])
    print("debug", turn, file=sys.stderr, flush=True)
    sys.stdout.write(str({number}) + "\\n"); sys.stdout.flush()
"""


@pytest.fixture
def java_home(tmp_path, monkeypatch):
    """The folder of a Java whose program is `fake_engine.py`, the only one on this machine."""
    java = tmp_path / "java" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -I -S {FAKE} "$@"\n')
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "java"))
    monkeypatch.setattr("referee.official.java.JVMS", tmp_path / "none")
    return tmp_path / "java"


@pytest.fixture
def build(tmp_path, java_home):
    """build(scenario, **config) makes a contest's folder with a build; returns its path."""

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
    """adder(number) makes a bot that always writes a number, or the value of another expression."""

    def make(number=1, name=None):
        path = tmp_path / f"{name or f'adds_{number}'}.py"
        path.write_text(ADDER.format(number=number))
        return f"{sys.executable} -I -S {path}"

    return make


@pytest.fixture
def play(run, build, adder, tmp_path):  # noqa: F811
    """play(*words, bots=[...]) plays a match; returns the log, or the error's text."""

    def play(*words, bots=None, scenario="", **config):
        log = tmp_path / "match.jsonl"
        given = bots if bots is not None else [adder(1), adder(2)]
        folder = build(scenario, **config)
        status, out, err = run(
            "match", "--official", folder, *given, "--log", log, "--seed", 5, *words
        )
        if status == 2:
            assert out == "" and err.count("\n") == 1, err
            return err
        found = read_log(log)
        is_failed = any(part.fault for turn in found.turns for part in turn.players.values())
        is_failed |= bool(leader_of(found.header.conditions).failures(found))
        assert (status, err) == (3 if is_failed else 0, "")
        return found

    return play
