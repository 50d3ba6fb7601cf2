"""Notes and changelog stay short; every row of a table in the notes has a command that exists."""

import re
import shlex
from itertools import pairwise

import pytest

from docs.tools.commands import application
from docs.tools.site import PROJECT

NOTES = sorted((PROJECT / "bots").glob("*/NOTES.md"))
MOST_LINES = 60
COMMANDS = application().commands
TARGETS = re.findall(r"^([a-z-]+):", (PROJECT / "Makefile").read_text(), re.MULTILINE)
BENCHMARKS = (PROJECT / "tests" / "lab" / "bench" / "__main__.py").read_text()
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([^`\n]+)`")


def of_notes(function):
    return pytest.mark.parametrize("path", NOTES, ids=lambda path: path.parent.name)(function)


def commands(text):
    """Returns the words of each command of a page: in its blocks, and as code in its text."""
    shown = INLINE.findall(BLOCK.sub("", text))
    for block in BLOCK.findall(text):
        shown += block.replace("\\\n", "").splitlines()
    named = []
    for line in shown:
        words = shlex.split(line, comments=True)
        while words and re.fullmatch(r"[A-Z_]+=\S*", words[0]):
            del words[0]
        if len(words) > 1 and words[0].rpartition("/")[2] in ("onefile", "make", "python"):
            named.append(words)
    return named


def check_onefile(name, *words):
    assert name in COMMANDS, name
    options = {option for parameter in COMMANDS[name].params for option in parameter.opts}
    assert {word for word in words if re.match(r"--?[a-z]", word)} <= options
    if name in ("arena", "match") and "--kaggle" not in words:
        assert (PROJECT / "shared" / "games" / words[0] / "contest.py").is_file()
        bots = [word.split()[0] for word in words if word.startswith("bots/")]
        assert bots
        for bot in bots:
            assert (PROJECT / bot).is_file(), bot


def check_module(module, *words):
    file = PROJECT.joinpath(*module.split("."))
    assert file.with_suffix(".py").is_file() or (file / "__main__.py").is_file(), module
    if module == "tests.lab.bench":
        for row in words:
            assert re.search(rf"^    {re.escape(row)},$", BENCHMARKS, re.MULTILINE), row


def check(words):
    program, *words = words
    if program == "onefile":
        check_onefile(*words)
    elif program == "make" and "-C" not in words:
        assert words[0] in TARGETS, words
    elif words[0] == "-m":
        check_module(*words[1:])


@of_notes
def test_notes_are_short(path):
    assert len(path.read_text().splitlines()) <= MOST_LINES


def test_readme_and_versions_of_the_changelog_are_short():
    assert len((PROJECT / "README.md").read_text().splitlines()) <= 100
    _, *versions = re.split(r"^## ", (PROJECT / "CHANGELOG.md").read_text(), flags=re.MULTILINE)
    assert len(versions) > 1
    for version in versions:
        assert len(version.splitlines()) <= MOST_LINES, version.splitlines()[0]


@of_notes
def test_commands_of_notes_exist(path):
    shown = commands(path.read_text())
    assert shown
    for words in shown:
        check(words)


@of_notes
def test_every_row_of_notes_names_its_command(path):
    """The last cell is a letter that a comment of a block has, or a bracket in the text."""
    lines = path.read_text().splitlines()
    rows = [
        row.strip("| ").rpartition("| ")[2]
        for above, row in pairwise(lines)
        if row.startswith("| ") and above.startswith("|")
    ]
    assert rows
    text = "\n".join(line for line in lines if not line.startswith("|"))
    for letter in rows:
        assert re.fullmatch(r"[A-Z]", letter), letter
        assert re.search(rf"#.*\b{letter}\b|\({letter}\)", text), letter
