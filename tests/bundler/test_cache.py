"""The cache: an entry requested by several processes at once is made once."""

import contextlib
import subprocess
import sys

from bundler.native.cache import cached
from tests.conftest import PROJECT

MAKE = """
import sys, time
from pathlib import Path
from bundler.native.cache import cached

def make():
    with open(sys.argv[2], "a") as made:
        made.write("made\\n")
    time.sleep(0.3)
    return b"whole"

assert cached(Path(sys.argv[1]), make) == b"whole"
"""


def test_of_several_processes_one_makes_it(tmp_path):
    words = [sys.executable, "-c", MAKE, tmp_path / "cache" / "data", tmp_path / "made"]
    processes = [subprocess.Popen(words, cwd=PROJECT) for _ in range(4)]
    assert [process.wait() for process in processes] == [0] * 4
    assert (tmp_path / "made").read_text() == "made\n"
    assert [file.name for file in (tmp_path / "cache").iterdir()] == ["data"]


def test_one_that_fails_leaves_it_to_the_next(tmp_path):
    def fail():
        raise ValueError("no")

    with contextlib.suppress(ValueError):
        cached(tmp_path / "data", fail)
    assert cached(tmp_path / "data", lambda: b"made") == b"made"


def test_a_damaged_file_is_made_again(tmp_path):
    file = tmp_path / "data"
    cached(file, lambda: b"made")
    file.write_bytes(file.read_bytes()[:-1])
    assert [cached(file, lambda word=word: word) for word in (b"anew", b"no")] == [b"anew"] * 2
