"""Folders of a player's own: contests and bots there, beside the installed ones; contests of
packages.
"""

import subprocess
import sys

import pytest

from referee.errors import UsageError
from referee.project import PROJECT
from referee.sources import contests
from referee.sources.contests import contest_names, find_contest
from referee.sources.workspace import make_workspace


@pytest.fixture
def workspace(tmp_path):
    folder = tmp_path / "own"
    make_workspace(folder)
    return folder


@pytest.fixture
def onefile(workspace):
    """onefile(*words, folder) runs a command there, as it is typed; what it prints."""

    def run(*words, module="referee", status=0, folder=workspace):
        command = [sys.executable, "-m", module, *map(str, words)]
        done = subprocess.run(
            command,
            cwd=folder,
            env={"PYTHONPATH": str(PROJECT), "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
        )
        assert done.returncode == status, done.stderr
        return done.stdout + done.stderr

    return run


STEPS = """\
import sys
from shared.games.tug_of_mine.protocol import format_step
sys.stdin.readline()
for line in sys.stdin:
    print(format_step(1), flush=True)
"""


def test_a_contest_in_a_workspace(onefile, workspace):
    """It is played by name from any folder of the workspace, replayed, checked and bundled, and
    nothing of it is written into the installation.
    """
    said = onefile("new", "tug_of_mine")
    assert "shared/games/tug_of_mine/contest.py" in said and "tests/" not in said
    (workspace / "bots" / "tug_of_mine" / "steps.py").write_text(STEPS)
    bot, log = "bots/tug_of_mine/steps.py", workspace / "logs" / "m.jsonl"
    log.parent.mkdir()
    words = ["match", "tug_of_mine", bot, "--seed", 3, "--limits", "off", "--log", log]
    for folder in (workspace, log.parent):
        onefile(*words, folder=folder)
        assert "agree with the rules" in onefile("replay", log, folder=folder)
    onefile("match", "tug_of_mine", f"source:{bot}", *words[3:], "--turns", 2)
    said = onefile("match", "tug_of_mine", "true", folder=workspace.parent, status=2)
    assert "no contest 'tug_of_mine'" in said
    assert not (PROJECT / "shared" / "games" / "tug_of_mine").exists()
    assert "checked on 6 turns" in onefile(bot, "-o", "out.py", module="bundler")


def test_its_first_words_can_be_typed(onefile, workspace, tmp_path):
    """What `init` says to type, where the folder's name has a space; what is there under an
    installed contest's name would hide half of it.
    """
    said = onefile("init", "my own", folder=tmp_path)
    assert "begin there: cd 'my own', then onefile new my_contest\n" in said
    onefile("new", "my_contest", folder=tmp_path / "my own")
    done = subprocess.run(["make", "-n"], cwd=tmp_path / "my own", capture_output=True, text=True)
    assert "onefile match my_contest bots/my_contest/random_player.py" in done.stdout
    said = onefile("new", "infexion", status=2)
    assert "contest 'infexion' exists: there is one in the installation" in said
    assert not (workspace / "shared" / "games" / "infexion").exists()


def test_a_bot_of_an_installed_contest(onefile, workspace):
    """What it imports of the contest, and of the contest's other bots, is the installation's."""
    folder = workspace / "bots" / "infexion"
    folder.mkdir()
    (folder / "mine.py").write_text((PROJECT / "bots" / "infexion" / "greedy.py").read_text())
    said = onefile("bots/infexion/mine.py", "--mode", "python", "-o", "out.py", module="bundler")
    assert "checked on" in said
    text = (workspace / "out.py").read_text()
    assert "# bots/infexion/mine.py:1" in text and "Infexion one ply deep" in text


def test_bots_are_bundled_from_any_folder(onefile, workspace):
    """As they play from there: by their paths in the workspace, or else in the installation."""
    (workspace / "bots" / "mine.py").write_text("print(1)\n")
    below = workspace / "logs"
    below.mkdir()
    words = ["--no-check", "--mode", "python", "-o", "out.py"]
    for folder, bot in ((below, "bots/mine.py"), (below, "bots/infexion/greedy.py")):
        said = onefile(bot, *words, module="bundler", folder=folder)
        assert said.startswith("out.py: ") and (folder / "out.py").is_file()
    said = onefile("tunables", "bots/infexion/greedy.py", module="bundler", folder=workspace.parent)
    assert said == ""
    assert "no such bot" in onefile("bots/none.py", *words, module="bundler", status=2)


def test_a_workspace_comes_first(onefile, workspace):
    """A contest of its own hides an installed one of the same name."""
    onefile("new", "nim_of_mine")
    folder = workspace / "shared/games/infexion"
    (workspace / "shared/games/nim_of_mine").rename(folder)
    for file in folder.glob("*.py"):
        file.write_text(file.read_text().replace("nim_of_mine", "infexion"))
    code = (
        "from referee.sources.contests import find_contest; print(find_contest('infexion').title)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=workspace,
        env={"PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
    )
    assert done.stdout == "Nim of mine\n", done.stderr


def test_a_workspace_is_made_once(workspace, tmp_path):
    """It leaves alone what is there."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "Makefile").write_text("mine")
    written = make_workspace(tmp_path / "other")
    assert (tmp_path / "other" / "Makefile").read_text() == "mine"
    assert tmp_path / "other" / "Makefile" not in written
    with pytest.raises(UsageError, match="is a workspace already"):
        make_workspace(workspace)
    with pytest.raises(UsageError, match="lies in onefile's own folder"):
        make_workspace(PROJECT / "build" / "own")


PACKAGED = """\
from dataclasses import replace
from referee.sources.contests import find_contest
CONTEST = replace(find_contest("infexion"), title="Brought")
"""


def test_a_package_brings_a_contest(tmp_path, monkeypatch):
    """By an entry point of the group onefile.contests."""
    (tmp_path / "brought_contest.py").write_text(PACKAGED)
    metadata = tmp_path / "brought-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: brought\nVersion: 1.0\n")
    points = (
        "[onefile.contests]\nbrought = brought_contest:CONTEST\nempty = brought_contest:PACKAGED\n"
    )
    (metadata / "entry_points.txt").write_text(points)
    monkeypatch.syspath_prepend(str(tmp_path))
    # What is installed does not change while a command runs, but here.
    monkeypatch.setattr(contests, "packaged", contests.packaged.__wrapped__)
    assert "brought" in contest_names()
    contest = find_contest("brought")
    assert (contest.name, contest.title) == ("brought", "Brought")
    with pytest.raises(Exception, match="PACKAGED"):
        find_contest("empty")
