"""What changed in a bundle is formatted as if all of it were."""

import random
import re

import black
import pytest

from bundler.flatten import assemble
from bundler.formatting import Reformatter, formatted
from tests.conftest import PROJECT

MARK = r"^(?=# \S+\.py:\d+$)"
ADDED = [
    "x = {'a':1}\n",
    '"""A text  of its own."""   \n',
    "def added( a,b ):\n    return a\n",
    "if True: pass\n",
    "import os\n",
    "@njit\ndef decorated(a): return a\n",
    "class Added: pass\nADDED=1\n",
    "\n\n\n\n# a comment\n",
]


@pytest.fixture(scope="module")
def text():
    bot = PROJECT / "bots" / "infexion" / "random.py"
    return assemble(bot, root=PROJECT, mode="numba").text


def edited(text, rng):
    """The text with something added to a piece, or without a piece, or with one moved by a line."""
    pieces = re.split(MARK, text, flags=re.MULTILINE)
    i = rng.randrange(1, len(pieces))
    how = rng.randrange(4)
    if how == 0:
        pieces[i] = re.sub(r":(\d+)\n", lambda m: f":{int(m[1]) + 1}\n", pieces[i], count=1)
    elif how == 1 and len(pieces) > 4:
        del pieces[i]
    elif how == 2:
        head, newline, body = pieces[i].partition("\n")
        pieces[i] = head + newline + rng.choice(ADDED) + body
    else:
        pieces[i] = pieces[i].rstrip("\n") + "\n" + rng.choice(ADDED) + "\n"
    return "".join(pieces)


def test_a_series_of_edits_is_formatted_as_a_whole_is(text, tmp_path):
    reformat, rng = Reformatter(), random.Random(1)
    for _ in range(40):
        assert reformat(text) == formatted(text, cache=tmp_path)
        text = edited(text, rng)


def test_a_string_that_looks_like_the_start_of_a_piece(tmp_path):
    reformat = Reformatter()
    text = '# a.py:1\nTEXT = """\n# b.py:1\n  more\n"""\n# b.py:1\nB=2\n# b.py:3\nC=3\n'
    for old, new in ("", ""), ("B=2", "B=5"), ("more", "else"), ("C=3", "C=6"):
        text = text.replace(old, new)
        assert reformat(text) == formatted(text, cache=tmp_path)


def test_after_a_small_edit_only_its_surroundings_are_formatted(text, monkeypatch):
    seen = []

    def format_str(part, **options):
        seen.append(part)
        return real(part, **options)

    reformat, real = Reformatter(), black.format_str
    reformat(text)
    monkeypatch.setattr(black, "format_str", format_str)
    reformat(text + "\nprint( 1 )\n")
    assert [len(part) < len(text) / 2 for part in seen] == [True]
