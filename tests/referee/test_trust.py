"""Permissions of a stranger's log: it names contests and bots of this installation only, and no
other code runs; bots write only text to a terminal.
"""

from dataclasses import replace

import pytest

from referee.log.file import read_log, write_log
from referee.terminal import plain
from tests.fuzz.subjects import sample_log
from tests.referee.conftest import TOY

BOOBY_TRAP = """\
from pathlib import Path
Path(__file__).with_suffix(".sprung").touch()
"""
# Clears the screen, names the window, rings, writes from right to left; and the single-byte form of
# C1.
ESCAPES = "\x1b[2J\x1b]0;owned\x07\u202ereversed\x9b31m"


@pytest.fixture
def trap(tmp_path):
    """A file that must not be run as Python; running it creates `trap.with_suffix(".sprung")`."""
    path = tmp_path / "trap.py"
    path.write_text(BOOBY_TRAP + TOY.read_text())
    return path


@pytest.fixture
def log(toy, tmp_path):
    """The path of a log of the toy contest that names the trap, and its records."""
    path = tmp_path / "log.jsonl"

    def write(contest, bot):
        log = sample_log(toy, 2)
        log.header.contest = str(contest)
        log.header.bots = [replace(one, bot=str(bot)) for one in log.header.bots]
        write_log(log, path)
        return path

    return write


def test_the_contest_of_a_log_is_run_only_if_trusted(run, log, trap):
    """`view`, `replay` and a page of a foreign referee's match: one line, exit 2, nothing run."""
    path = log(trap, "cat")
    for command in ("view", "replay"):
        status, out, err = run(command, path, trust=False)
        assert (status, out) == (2, "") and err.count("\n") == 1
        assert f"{path}: the contest is the code of a file, {trap}: add --trust" in err
    led = read_log(path)
    led.header.conditions = replace(led.header.conditions, referee="true")
    write_log(led, path)
    assert run("view", path, trust=False)[0] == 2
    assert not trap.with_suffix(".sprung").exists()
    assert run("view", path)[0] == 0
    assert trap.with_suffix(".sprung").exists()


@pytest.mark.parametrize("form", ["{}", "sh -c 'touch {}'"])
def test_the_bots_of_a_log_are_run_only_if_trusted(run, log, trap, form):
    """For bots of any kind, also in the debugger; a bot given by the user is trusted."""
    path = log("coders_strike_back", form.format(trap))
    for options in (["--player", "0"], ["--turn", "0", "--pdb"]):
        status, out, err = run("replay", path, *options, trust=False)
        assert (status, out) == (2, "") and err.count("\n") == 1
        assert f"{path}: the bot is none of this installation's, " in err
    assert not trap.with_suffix(".sprung").exists()
    assert run("replay", path, "--player", "0", "--bot", "cat", trust=False)[0] == 1


def test_a_folder_that_looks_like_the_installation_is_none(run, log, trap, monkeypatch):
    """A bot's path is looked up in the current folder first: a bot found there is a stranger's."""
    monkeypatch.chdir(trap.parent)
    folder = trap.parent / "bots" / "coders_strike_back"
    folder.mkdir(parents=True)
    trap.rename(folder / "racer.py")
    path = log("coders_strike_back", "bots/coders_strike_back/racer.py")
    status, _, err = run("replay", path, "--player", "0", trust=False)
    assert status == 2 and "none of this installation's" in err


def test_the_installation_s_own_contests_and_bots_need_no_trust(run, log):
    """Logs name its contests by name, its bots by their paths in the project."""
    path = log("coders_strike_back", "bots/coders_strike_back/racer.py")
    assert run("replay", path, trust=False)[0] == 1  # it is a log of another contest
    status, out, _ = run("replay", path, "--player", "0", "--bot", "cat", trust=False)
    assert status == 1 and "first difference" in out


def test_control_characters_are_shown():
    """Control characters are shown as escapes; tabs, ends of lines and all letters stay."""
    assert plain("\x1b[2J\x07\r\x7f\x9b\u202e\ud800") == r"\x1b[2J\x07\r\x7f\x9b\u202e\ud800"
    assert plain("a\tb\nçä日本 {x}") == "a\tb\nçä日本 {x}"


def test_no_bot_writes_to_the_terminal_but_text(run, write_bot, toy, tmp_path):
    """Any output on stdout and stderr, of dead and live bots of any name, in any command."""
    written = ESCAPES.replace("\x9b", "\udc9b").encode(errors="surrogateescape")
    loud = f"""\
import os
os.write(2, {written!r} + b"\\n")
for line in sys.stdin:
    os.write(1, b"1" + {written!r} + b"\\n" + {written!r} + b"\\n")
"""
    dying = f"os.write(2, {ESCAPES.encode()!r})\nsys.exit(3)"
    bots = [write_bot(loud, "loud\x1b[2J"), write_bot(dying, "dying")]
    log, saved = tmp_path / "log", tmp_path / "saved\x1b[2J.txt"
    saved.write_text(f"@0:<b'{ESCAPES}'\n")
    said = [run("match", "toy", *bots, "--log", log)]
    said += [run("match", "toy", *bots[::-1], "--json")]
    said += [run("replay", log, "--turn", "0", "--player", player) for player in (0, 1)]
    said += [run("diff", log, *bots), run("replay", log)]
    said += [run("import", saved, "--contest", "toy"), run("view", log)]
    said += [run("match", f"x{ESCAPES}", *bots), run("table", saved)]
    texts = "".join(out + err for _, out, err in said)
    assert "owned" in texts and r"\x1b[2J" in texts
    assert plain(texts) == texts
