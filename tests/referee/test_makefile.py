"""`make match`, as a dry run, and the Python that `make setup` refuses."""

import os
import shutil
import subprocess

import pytest

from tests.conftest import PROJECT
from tests.support.pythons import interpreter_of

TRON = PROJECT / "tests" / "scaffold" / "tron" / "bots" / "tron"


@pytest.fixture
def dry_run(tmp_path):
    """dry_run(word, ...) gives the `onefile match` that `make match` would run in a copy."""
    for name in ("Makefile", "pyproject.toml", "requirements.lock"):
        shutil.copy(PROJECT / name, tmp_path)
    shutil.copytree(TRON, tmp_path / "bots" / "tron")

    def run(*words):
        variables = {name: value for name, value in os.environ.items() if name != "MAKEFLAGS"}
        done = subprocess.run(
            ["make", "-n", "match", *words],
            cwd=tmp_path,
            env=variables,
            capture_output=True,
            text=True,
            check=True,
        )
        lines = done.stdout.replace("\\\n", "").splitlines()
        return next(line for line in lines if " match " in line).split()

    return run


def test_a_contest_whose_first_bots_were_deleted_plays_with_those_that_are_there(dry_run, tmp_path):
    """Its golden game names bots of the example that `onefile new` writes."""
    golden = tmp_path / "bots" / "tron" / "golden.json"
    golden.write_text('{"bots":["smitsimax","random_player"]}')
    bots = [word for word in dry_run("CONTEST=tron") if word.startswith("bots/")]
    assert bots == ["bots/tron/paranoid.py"]


def test_an_older_python_is_refused_with_advice(dry_run, tmp_path):
    words = ["make", "setup", f"PYTHON={interpreter_of('3.10')}"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2 and not (tmp_path / ".venv").exists()
    said = "onefile needs Python 3.11 or newer: make PYTHON=/path/to/python3.11"
    assert said in done.stderr.splitlines()
