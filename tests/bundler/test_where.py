"""Lines of a bundle lead back to lines of the sources."""

import re

import pytest

from bundler.flatten import flatten
from bundler.trace import add_trace
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


ODD_PROJECT = '''
--- my bots/x%20y/trace.py
"""The bot."""
# shared/far.py:40
import shared.early
BEFORE = 1
# made by the bundler
TEXT = """
# shared/far.py:41
"""


def play():
    # .../far.py:42
    import shared.late

    return shared.late.NUMBER


print(BEFORE, TEXT, play())
import shared.late as late
print(late.NUMBER)
--- shared/early.py
print("early")
--- shared/far.py
FAR = 3
print(FAR)
--- shared/late.py
# -*- coding: latin-1 -*-
from shared.far import FAR

NUMBER = FAR  # é
'''


@pytest.mark.parametrize("traced", [False, True], ids=["plain", "traced"])
@pytest.mark.parametrize("sources", [False, True], ids=["counted", "aligned"])
def test_nothing_is_taken_for_the_comment_of_a_piece(tmp_path, traced, sources):
    """Comments and strings that look like one, odd names of files, the trace that has the bot's own
    name, lines of the bundler between pieces, sources in an encoding of their own."""
    entry = write_project(ODD_PROJECT, tmp_path)
    late = tmp_path / "shared/late.py"
    late.write_bytes(late.read_text(encoding="utf-8").encode("latin-1"))
    text = flatten(entry, root=tmp_path).text
    text = add_trace(text) if traced else text
    source_map = SourceMap(text)
    if sources:
        source_map.find_sources([tmp_path])
    bot = "my bots/x%20y/trace.py"
    places = {
        '"""The bot."""': (bot, 1),
        "BEFORE = 1": (bot, 4),
        "def play": (bot, 11),
        "return NUMBER": (bot, 15),
        "print(BEFORE": (bot, 18),
        "FAR = 3": ("shared/far.py", 1),
        "NUMBER = FAR": ("shared/late.py", 4),
        "print(NUMBER": (bot, 20),
        "def load_late": None,
    }
    for part, place in places.items():
        assert source_map.locate(_line(text, part)) == place, part
    if sources:
        assert source_map.locate(_line(text, "    load_late()")) == (bot, 13)
    between = text.split("\n").index("load_late()") + 1
    assert source_map.locate(between) is None
    if traced:
        assert source_map.locate(_line(text, "def trace_stdio")) is None
