"""The tool that changes modules: its table of tests, and a run."""

import ast
import multiprocessing
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.conftest import PROJECT
from tests.mutants import __main__ as tool
from tests.mutants.operators import mutants
from tests.mutants.rooms import FOLDERS, killers_of, rows
from tests.support.waiting import wait_for


@pytest.mark.parametrize("room", FOLDERS)
def test_every_module_has_tests_and_changes_that_parse(room):
    for row in rows(room):
        text = (PROJECT / row.path).read_text()
        made = mutants(text)
        assert all(ast.parse(mutant.text(text)) for mutant in made[::20])


def test_a_module_without_tests_is_an_error():
    with pytest.raises(LookupError, match=r"shared/search/other.py: tests/.*test_other.py missing"):
        killers_of("shared/search/other.py")


def test_the_tests_of_a_mutant_may_start_processes(monkeypatch, tmp_path):
    """An arena starts its workers; the processes of a pool may start none by default."""
    monkeypatch.setattr(tool, "copy_of_project", lambda folder: folder)
    with multiprocessing.get_context("fork").Pool(1, tool.become_worker, (tmp_path,)) as pool:
        assert pool.apply(start_a_process) == 0


def start_a_process():
    process = multiprocessing.get_context("fork").Process(target=int)
    process.start()
    process.join()
    return process.exitcode


def run(*words, **options):
    command = [sys.executable, "-m", "tests.mutants", *words]
    return subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True, **options)


@pytest.mark.exhaustive("runs the tests of a module three times")
def test_a_run_names_killers_and_leaves_nothing(tmp_path):
    """Nor does one that is interrupted; the working tree is as before."""
    status = ["git", "status", "--porcelain"]
    before = subprocess.check_output(status, cwd=PROJECT)
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    said = run("play/lateness", "--mutants", "2", env=environment).communicate()[0]
    assert "referee/play/lateness.py:" in said and "process  " in said
    with run("play/lateness", env=environment, process_group=0) as interrupted:
        wait_for(lambda: list(tmp_path.glob("mutants-*/*/project/tests")))
        interrupted.send_signal(signal.SIGINT)
        assert interrupted.wait() == 130
    assert list(tmp_path.glob("mutants-*")) == []
    assert not any(path.startswith(str(tmp_path)) for path in working_folders())
    assert subprocess.check_output(status, cwd=PROJECT) == before


def working_folders():
    for link in Path("/proc").glob("[0-9]*/cwd"):
        with suppress(OSError):  # it has ended, or is another user's
            yield os.readlink(link)
