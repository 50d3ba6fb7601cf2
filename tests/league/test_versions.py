"""The bots of a folder and their versions: which files are bots, when one is a new version."""

from pathlib import Path

import pytest

from referee.arena.store import open_store, sole_writer
from referee.errors import UsageError
from referee.league.folder import find_bots
from referee.league.versions import Lineage, State, prepare
from referee.project import PROJECT
from tests.league.conftest import bot, write_bot


def names(folder):
    return [one.name for one in find_bots(folder)]


def test_programs_sources_and_command_lines_are_bots(folder):
    (folder / "notes.md").write_text("no bot")
    (folder / "helper.py").write_text("N = 3")
    (folder / "player.py").write_text("import helper\nprint(helper.N)")
    (folder / "bots.txt").write_text("# others\n\njava one: java -jar bot.jar --depth 3\n")
    assert names(folder) == ["bot1", "bot2", "bot3", "java one", "player"]
    assert find_bots(folder)[3].text == "java -jar bot.jar --depth 3"


def test_modules_of_the_project_are_no_bots(tmp_path):
    """Of a folder of sources those are bots that a bundle can be made of."""
    found = names(PROJECT / "bots" / "infexion")
    assert "minimax" in found and "game" not in found and "__init__" not in found


def test_a_script_in_bots_is_a_bot_unless_another_file_imports_it(tmp_path):
    """It needs no new_player: the first bot of a contest reads input and prints."""
    (tmp_path / "onefile.toml").touch()
    folder = tmp_path / "bots/toy"
    folder.mkdir(parents=True)
    (folder / "first.py").write_text("while True:\n    print(input())\n")
    (folder / "game.py").write_text("WIDTH = 3\n")
    (folder / "reader.py").write_text("import sys\nread = sys.stdin.readline\n")
    (folder / "mine.py").write_text("from bots.toy.reader import read\ndef new_player(read): ...\n")
    assert names(folder) == ["first", "mine"]


@pytest.mark.parametrize(
    ("text", "said"),
    [("no colon here", "line 1: NAME: COMMAND is expected"), ("bot1: ./x", "is there twice")],
)
def test_a_wrong_list_is_told(folder, text, said):
    (folder / "bots.txt").write_text(text)
    with pytest.raises(UsageError, match=said):
        find_bots(folder)


@pytest.fixture
def lineage(tmp_path):
    with sole_writer(tmp_path / "x.db"), open_store(tmp_path / "x.db") as store:
        yield Lineage(store, "toy")


@pytest.fixture
def scan(folder, tmp_path, lineage):
    """Lets all bots of the folder join; returns the labels of new versions."""

    def run():
        found = find_bots(folder)
        ready = [prepare(one, tmp_path / "copies", print, found) for one in found]
        lineage.leave({one.name for one in ready})
        return [new.label for one in ready if (new := lineage.join(one))]

    return run


def test_a_changed_file_is_a_new_version_and_no_other(folder, lineage, scan):
    assert scan() == ["bot1", "bot2", "bot3"] and scan() == []
    write_bot(folder, "bot2", bot(5))
    assert scan() == ["bot2 v2"]
    states = {one.label: one.state for one in lineage.versions}
    assert states["bot2"] is State.FORMER and states["bot1"] is State.PLAYS
    assert lineage.find("bot2").is_intact()  # it plays from a copy of its own


def test_a_former_content_is_its_version_again(folder, lineage, scan):
    scan()
    write_bot(folder, "bot2", bot(5))
    scan()
    write_bot(folder, "bot2", bot(2))
    assert scan() == []
    states = {one.label: one.state for one in lineage.versions}
    assert states["bot2"] is State.PLAYS and states["bot2 v2"] is State.REPLACED


def test_a_file_that_goes_and_comes_back(folder, lineage, scan):
    scan()
    (folder / "bot3").unlink()
    scan()
    assert lineage.find("bot3").state is State.GONE
    write_bot(folder, "bot3", bot(3))
    assert scan() == [] and lineage.find("bot3").state is State.PLAYS


def test_a_script_keeps_the_program_that_it_names(folder, lineage, scan):
    """A wrapper's program lies in the folder of bots, and is one of them."""
    write_bot(folder, "wrapper", '#!/bin/sh\nexec "$(dirname "$0")/bot1"\n')
    scan()
    wrapper = lineage.find("wrapper")
    copy = wrapper.bot.command[-1]
    assert copy.endswith("/wrapper") and (folder.parent / "copies").exists()
    assert (Path(copy).parent / "bot1").exists()
    assert not (Path(copy).parent / "bot2").exists()
