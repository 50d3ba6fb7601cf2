"""The program run for a bot on the command line: a source's bundle, a file, a command."""

import os
import sys
import tempfile
import time

import pytest

import bundler.modules.workspace as modules_workspace
from referee.errors import UsageError
from referee.process.bot_process import BotProcess
from referee.process.supervisor_pool import supervisors
from referee.sources import bots, fingerprint, workspace
from referee.sources.contests import find_contest

# A bundler that copies, and counts its calls.
BUNDLER = """\
import sys, pathlib
source, output = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[3])
if "unbundlable" in source.read_text():
    sys.exit("some context\\nbot.py:1: star import: name what you need")
with open("calls", "a") as calls:
    calls.write("x")
assert sys.argv[4:] == ["--no-check"], "a cold match must not play other matches first"
output.write_text(source.read_text())
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project with one bot, one shared module and a bundler that copies."""
    for name, text in {
        "bots/toy/bot.py": "import deep.part",
        "bots/toy/deep/part.py": "",
        "bots/toy/notes.txt": "",
        "shared/core.py": "core",
        "bundler/__main__.py": BUNDLER,
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(bots, "PROJECT", tmp_path)
    monkeypatch.setattr(fingerprint, "PROJECT", tmp_path)
    for module in (workspace, modules_workspace):
        monkeypatch.setattr(module, "INSTALLED", tmp_path)
    monkeypatch.setattr(bots, "BUNDLES", tmp_path / "bundles")
    return tmp_path


def times_bundled(project):
    return len((project / "calls").read_text())


def test_the_bundle_of_a_source_runs(project):
    """A source in bots/ is found from any folder; its bundle is run and hashed."""
    bot = bots.find_bot("bots/toy/bot.py")
    assert (bot.name, bot.bot) == ("bot", "bots/toy/bot.py")
    python, bundled = bot.command
    assert python == sys.executable
    assert bundled.startswith(str(project / "bundles"))
    assert bot.sha256 == bots.content_hash([project / "bots/toy/bot.py"])


@pytest.mark.parametrize(
    "file",
    [
        "bots/toy/deep/part.py",
        "bundler/__main__.py",
        "shared/new.py",
    ],
)
def test_a_bundle_is_made_once_for_equal_sources(file, project):
    """A bundle is remade only after a change of the bundler or of a file that the bundle may
    contain.
    """
    before = bots.find_bot("bots/toy/bot.py")
    assert bots.find_bot("bots/toy/bot.py") == before
    assert times_bundled(project) == 1
    with (project / file).open("a") as changed:
        changed.write("\n# changed")
    assert bots.find_bot("bots/toy/bot.py").command != before.command
    assert times_bundled(project) == 2


def test_a_file_of_the_system_changes_no_bundle(project):
    """Its text is another one for each process, or each moment."""
    text = 'FILES = "/proc/self/stat", "/proc/uptime", "/sys/kernel/uevent_seqnum"'
    (project / "bots/toy/bot.py").write_text(text)
    before = bots.find_bot("bots/toy/bot.py")
    time.sleep(0.02)
    assert bots.find_bot("bots/toy/bot.py") == before
    assert times_bundled(project) == 1


def test_a_bot_of_a_workspace_is_told_by_its_path_there(project, monkeypatch):
    """Messages name a bot from the current folder on, though a log has another path."""
    own = project / "own"
    (own / "bots/toy").mkdir(parents=True)
    (own / "onefile.toml").touch()
    (own / "bots/toy/mine.py").write_text("print(1)")
    monkeypatch.chdir(own)
    told = []
    assert bots.find_bot("bots/toy/mine.py", told.append).bot == "own/bots/toy/mine.py"
    assert told == ["bots/toy/mine.py"]


def test_a_contest_without_rules_is_told_apart(project, monkeypatch):
    """`onefile new --stub` writes its first bot and its board alone."""
    (project / "onefile.toml").touch()
    (project / "shared/games/far").mkdir(parents=True)
    monkeypatch.chdir(project)
    with pytest.raises(UsageError, match=r"shared/games/far has no contest\.py\. Its own"):
        find_contest("far")


def test_a_source_that_cannot_be_bundled(project):
    """The bundler's last line is the error, and no partial bundle stays."""
    (project / "bots/toy/bot.py").write_text("unbundlable")
    with pytest.raises(UsageError, match=r"cannot bundle bots/toy/bot.py: bot.py:1: star import"):
        bots.find_bot("bots/toy/bot.py")
    assert list((project / "bundles").iterdir()) == []


def test_a_command_line(project, monkeypatch):
    """Files in a command get absolute paths, other words stay; all files are hashed."""
    monkeypatch.chdir(project / "bots")
    bot = bots.find_bot("sh toy/notes.txt --depth 3")
    assert bot.command[0].endswith("/sh")
    assert bot.command[1:] == [str(project / "bots/toy/notes.txt"), "--depth", "3"]
    assert bot.name == "notes"
    (project / "bots/toy/notes.txt").write_text("changed")
    assert bots.find_bot("sh toy/notes.txt --depth 3").sha256 != bot.sha256


def test_a_link_in_a_command_stays_one(project, monkeypatch):
    """A virtual environment's Python is a link: its target would find other packages."""
    monkeypatch.chdir(project)
    (project / "environment").mkdir()
    (project / "environment/python").symlink_to(sys.executable)
    bot = bots.find_bot("env A=1 environment/python bots/toy/notes.txt")
    assert bot.command[2] == str(project / "environment/python")


def test_a_failed_start_leaves_nothing(tmp_path, monkeypatch):
    """The error gives the system's reason; no file stays open, and no folder is left."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    # opens the descriptors that stay open, before they are counted
    monkeypatch.setattr(supervisors, "nursery", None)
    # file descriptors that are opened only once are open from here on
    with BotProcess(["/bin/cat"], {}):
        pass
    n_open = len(os.listdir("/proc/self/fd"))
    with pytest.raises(UsageError, match="cannot start /bin/cat: Argument list too long"):
        BotProcess(["/bin/cat", "x" * 3_000_000], {})
    with BotProcess(["/bin/cat"], {}) as process:
        process.measure()
    assert len(os.listdir("/proc/self/fd")) == n_open
    assert list(tmp_path.iterdir()) == []


def named(name, path):
    return bots.Bot(name, path, [], "")


def test_bots_of_one_name_are_told_apart():
    """Labels are as short as they may be, with a number if a bot plays against itself."""
    mine, old = named("mine", "new/mine.py"), named("mine", "old/mine.py")
    other = named("other", "other.py")
    assert bots.distinct_names([mine, old, other]) == ["new/mine.py", "old/mine.py", "other"]
    assert bots.distinct_names([mine, mine]) == ["mine #1", "mine #2"]
    other_width = named("mine", "new/mine.py width=2")
    assert bots.distinct_names([mine, other_width]) == ["mine.py", "mine.py width=2"]
    assert bots.distinct_names([named("unknown", "")] * 2) == ["unknown #1", "unknown #2"]


def test_numbers_behind_a_file_whose_path_has_spaces(project, monkeypatch):
    """Numbers after the file are the bot's arguments, as for any other file; words of a command
    line are not.
    """
    monkeypatch.chdir(project)
    (project / "my bots").mkdir()
    (project / "my bots" / "bot.py").touch()
    values = {"depth": 3, "width": 0.5}
    for file in ("my bots/bot.py", "source:my bots/bot.py", "missing.py"):
        assert bots.split_parameters(f"{file} depth=3 width=0.5") == (file, values)
    for text in ("python3 bot.py depth=3", "my bots/missing.py depth=3", "depth=3", "bot.py"):
        assert bots.split_parameters(text) == (text, {})
