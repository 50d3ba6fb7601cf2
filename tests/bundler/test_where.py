"""Lines of a bundle lead back to lines of the sources."""

import re

from bundler.flatten import flatten
from bundler.where import SourceMap
from tests.bundler.differential import write_project

PROJECT = '''
--- main.py
"""The bot."""

import sys
from lib.deep import long_function_name, LIMIT as TOP, helper

LIMIT = 1


def main():
    from lib.deep import helper as other

    first = long_function_name(LIMIT, TOP, other(1), helper(2), "some text that is long", "more text here")
    print(first)  # line 12 of the source
    raise ValueError("at 13")


main()
--- lib/__init__.py
--- lib/deep.py
LIMIT = 2


def unused():
    return 0


def long_function_name(a, b, c, d, e, f):
    total = (a +
             b + LIMIT)
    return total, c, d, e, f


def helper(n):
    return n + LIMIT  # line 15
'''


def _bundle(tmp_path):
    text = flatten(write_project(PROJECT, tmp_path), root=tmp_path).text
    source_map = SourceMap(text)
    source_map.find_sources([tmp_path])
    return text, source_map


def _line(text, part):
    (number,) = [n for n, line in enumerate(text.split("\n"), 1) if part in line]
    return number


def test_lines_lead_back_to_their_sources(tmp_path):
    """Also past imports that were taken out and lines that black joined or broke."""
    text, source_map = _bundle(tmp_path)
    places = {
        "def main": ("main.py", 9),
        "print(first)": ("main.py", 13),
        "raise ValueError": ("main.py", 14),
        "def long_function_name": ("lib/deep.py", 8),
        "return total": ("lib/deep.py", 11),
        "# line 15": ("lib/deep.py", 15),
        "def helper": ("lib/deep.py", 14),
        "deep_LIMIT = 2": ("lib/deep.py", 1),
    }
    for part, place in places.items():
        assert source_map.locate(_line(text, part)) == place, part


def test_a_traceback_reads_in_the_sources(tmp_path):
    """Both Python's form and the site's."""
    text, source_map = _bundle(tmp_path)
    number = _line(text, "raise ValueError")
    python = f'  File "/tmp/out.py", line {number}, in main\n  File "/lib/numpy.py", line 3, in x\n'
    assert source_map.translate(python, "out.py") == (
        '  File "main.py", line 14, in main\n  File "/lib/numpy.py", line 3, in x\n'
    )
    site = f"ValueError: at 13\n at Answer.py. in main on line {number}\n"
    assert source_map.translate(site, "out.py").endswith("in main on main.py:14\n")


def test_every_line_of_a_bundle_leads_somewhere(tmp_path):
    """Without the sources at hand lines are counted from the comments, and never beyond the file."""
    text, _ = _bundle(tmp_path)
    source_map = SourceMap(text)
    for number, line in enumerate(text.split("\n"), 1):
        place = source_map.locate(number)
        mark = re.fullmatch(r"# (\S+):(\d+)", line)
        if mark:
            assert place[1] == int(mark[2])
            assert place[0] == mark[1] or mark[1] == ".../" + place[0].rpartition("/")[2]
