"""Bots of an arena are identified by their content."""

import shutil
import sys

from referee.arena.entrants import Entrant, labels, make_entrants
from referee.sources.bots import find_bot
from tests.arena.test_edits import key_of


def test_key_is_of_content_and_arguments(tmp_path):
    """A bot keeps its key in another place and under another name; other content or arguments make
    another bot.
    """
    first, copy, other = (tmp_path / name for name in ("a/first.py", "b/copy.py", "c/other.py"))
    for file in (first, copy, other):
        file.parent.mkdir()
    first.write_text("pass")
    shutil.copy(first, copy)
    other.write_text("pass  # edited")
    commands = [f"{sys.executable} {words}" for words in (first, copy, other, f"{first} 1")]
    keys = list(map(key_of, commands))
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3


def test_a_bot_may_take_part_twice(tmp_path):
    """A bot against itself is two entrants."""
    file = tmp_path / "bot.py"
    file.write_text("pass")
    first, second = make_entrants([find_bot(str(file))] * 2)
    assert (first.key != second.key, first.name, second.name) == (True, "bot", "bot#2")


def test_labels():
    """A bot's label is its name, its path if names are equal, or its key as a last resort."""
    entrants = [
        Entrant("aaaaaaaa", "mine", "old/mine.py"),
        Entrant("bbbbbbbb", "mine", "new/mine.py"),
        Entrant("cccccccc", "mine", "new/mine.py"),
        Entrant("dddddddd", "other", "other.py"),
        Entrant("eeeeeeee", "tuned", "python3 bots/tuned.py 1"),
        Entrant("ffffffff", "tuned", "python3 bots/tuned.py 2"),
    ]
    assert labels(entrants) == [
        "old/mine.py",
        "mine bbbbbb",
        "mine cccccc",
        "other",
        "python3 tuned.py 1",
        "python3 tuned.py 2",
    ]


def test_terms_of_its_own_make_another_bot(tmp_path):
    """The same bot with another thinking time is another entrant, and its label says so."""
    file = tmp_path / "bot.py"
    file.write_text("pass")
    found = [find_bot(str(file))] * 2
    first, second = make_entrants(found, ["thinks 40 ms", "thinks 80 ms"])
    assert first.key != second.key and not second.key.endswith("#2")
    assert labels([first, second]) == ["bot (thinks 40 ms)", "bot (thinks 80 ms)"]
    assert make_entrants(found[:1], [""]) == make_entrants(found[:1])
