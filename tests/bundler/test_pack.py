"""`--pack`: all but the bot's own file is compressed, and still maps to its source lines."""

import subprocess
import sys

import pytest

from bundler.bundle import make_bundle
from bundler.errors import BundleError
from bundler.source_map import SourceMap
from tests.bundler.differential import write_project

BOT = '''
--- main.py
"""A bot."""

# is read
import lib
from lib import halve


def answer(n):
    # a comment of the bot's
    return halve(n)


for line in input().split():
    print(answer(int(line)), lib.N)
--- lib.py
"""Halves."""

N = 2


def unused():
    return None


@staticmethod
def halve(n):
    if n % N:
        raise ValueError("é")
    return n // N
'''


def packed(folder, project=BOT, **options):
    entry = write_project(project, folder)
    return make_bundle(entry, root=folder, **{"mode": "python", "packing": "wide", **options}).text


def run(text, folder, given):
    (folder / "out.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "out.py"]
    return subprocess.run(command, cwd=folder, input=given, capture_output=True, text=True)


@pytest.mark.parametrize("strip", [False, True])
def test_the_bots_own_file_stays_as_it_is(tmp_path, strip):
    """It stays at the end of the text, with its comments unless stripped; the others' text does not
    appear.
    """
    text = packed(tmp_path, strip=strip)
    own = text.partition("del run_packed\n")[2]
    assert ("# a comment of the bot's" in own) != strip and "return halve(n)" in own
    assert "n // N" not in text
    source_map = SourceMap(text)
    line = next(n for n, row in enumerate(source_map.lines, 1) if "return halve" in row)
    assert source_map.shown(line) == ("main.py:9 or below" if strip else "main.py:10")
    done = run(text, tmp_path, "4 6\n")
    assert (done.stdout, done.stderr) == ("2 2\n3 2\n", "")


def test_a_traceback_names_lines_of_the_sources(tmp_path):
    """It shows their text as well, although no such file exists."""
    text = packed(tmp_path / "project")
    done = run(text, tmp_path, "3\n")
    assert 'File "lib.py", line 13, in halve' in done.stderr and "ValueError: é" in done.stderr
    program = (
        "import runpy, traceback\ntry: runpy.run_path('out.py')\n"
        "except ValueError: traceback.print_exc()"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=tmp_path, input="3\n", capture_output=True, text=True)
    assert 'line 13, in halve\n    raise ValueError("é")\n' in done.stderr


def test_ascii_and_a_name_that_is_taken(tmp_path):
    project = BOT.replace("é", "run_packed").replace("answer(", "run_packed_(")
    text = packed(tmp_path, project, packing="base85")
    assert text.isascii() and "\ndef run_packed__(group" in text
    assert run(text, tmp_path, "4\n").stdout == "2 2\n"


def test_without_other_modules_nothing_is_packed(tmp_path):
    project = "--- main.py\nprint(1)\n"
    assert packed(tmp_path, project) == packed(tmp_path, project, packing=None)


def test_modules_that_read_sources_are_refused(tmp_path):
    project = (
        "--- main.py\nimport lib\n--- lib.py\nimport inspect\nprint(inspect.getsource(inspect))\n"
    )
    with pytest.raises(
        BundleError, match=r"main.py:1: something reads lines of its source: leave --pack out"
    ):
        packed(tmp_path, project)
