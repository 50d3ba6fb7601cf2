"""Results of changed files are never reused: bots and rules are identified by their files, before a
series and during it.
"""

import os
import subprocess
import sys

import pytest

from referee.arena.cluster.packaging import Packer
from referee.play.leader import Rules
from referee.project import PROJECT, version
from referee.sources import fingerprint
from referee.sources.bots import find_bot
from referee.sources.fingerprint import (
    changed_paths,
    file_hash,
    fingerprint_command,
    fingerprint_contest,
)
from tests.arena.conftest import TOY
from tests.arena.test_edits import key_of
from tests.arena.test_run import rows
from tests.support.waiting import wait_for

HELPER = """\
def play():
    input(), input()
    while True:
        try:
            input()
        except EOFError:
            return
        print(1)
        print("word", flush=True)
"""


@pytest.fixture
def folder(tmp_path):
    """A Python bot of two files, and a folder of classes."""
    for name, text in {
        "bot/main.py": "import helper\nhelper.play()\n",
        "bot/helper.py": HELPER,
        "classes/Main.class": "one",
        "classes/inner/Part.class": "two",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_new_file_in_a_folder_counts(folder, monkeypatch):
    """A new file or a removed one counts; the file of results in the folder does not."""
    monkeypatch.chdir(folder)
    before, results = key_of("env -cp classes Main"), folder / "classes/arena.db"
    results.write_text("results")
    command = find_bot("env -cp classes Main").command
    contents = fingerprint_command(command, (results,))
    assert contents.digest == fingerprint_command(command, (results,)).digest
    results.write_text("more results")
    assert contents.changed() == []
    results.unlink()
    assert key_of("env -cp classes Main") == before
    odd = folder / os.fsdecode(b"classes/\xff")
    odd.touch()
    assert contents.changed() == [rf"{folder}/classes/\xff"]
    assert Packer().pack_tree(folder / "classes")
    odd.unlink()
    (folder / "classes/inner/Part.class").unlink()
    assert contents.changed() == [str(folder / "classes/inner/Part.class")]


@pytest.mark.parametrize("word", ["-Dtmp=/tmp", "TMP/..:/"])
def test_a_shared_folder_is_no_part_of_a_bot(folder, monkeypatch, word):
    """The folder in which a bot is told to write is not part of it."""
    monkeypatch.setattr("tempfile.tempdir", str(folder / "classes"))
    command = ["/bin/sh", word.replace("TMP", str(folder / "classes")).replace("/tmp", str(folder))]
    parts = fingerprint_command(command).parts
    assert list(parts) == ["/bin/sh"]


def test_rules_are_all_that_decides(tmp_path):
    """The rules consist of the contest's modules and the shared ones they import, without
    renderers.
    """
    parts = fingerprint_contest("xmas_rush").parts
    assert {"shared/games/xmas_rush/sim.py", "shared/games/xmas_rush/maps.py"} < parts.keys()
    assert parts["onefile"] == version() and not any("shared/core" in path for path in parts)
    assert not any(path.endswith(("render.py", ".md")) for path in parts)
    assert not any("bots/" in path or "drawing/" in path for path in parts)
    assert fingerprint_contest("of a foreign referee").parts == {}
    # As before the library's modules imported each other relatively.
    absolute = (
        (PROJECT / "shared/games/xmas_rush/sim.py").read_text().replace("from ...", "from shared.")
    )
    (tmp_path / "sim.py").write_text(absolute)
    former = {**parts, "shared/games/xmas_rush/sim.py": file_hash(tmp_path / "sim.py", True)}
    assert former == parts
    file = tmp_path / "rules.py"
    file.write_text("import mine\n")
    (tmp_path / "mine.py").write_text("")
    contents = fingerprint_contest(str(file))
    (tmp_path / "mine.py").write_text("changed")
    assert contents.changed() == [str(tmp_path / "mine.py")]


RULES = '''"""Rules."""
import mine

class Game:
    """A game."""
    N = 1

def play(a, b: int = 2) -> int:
    """Play."""
    return a + b
'''


@pytest.mark.parametrize(
    ("before", "after", "is_other"),
    [
        ("import mine", "import mine  # now", False),
        ("    return a + b", "    return (\n        a\n        + b\n    )", False),
        ('"""A game."""', '"""Another game."""', False),
        ('"""Play."""', '"""Play on."""', False),
        ("N = 1", "N = 2", True),
        ("N = 1", "N = 1.0", True),
        ("a + b", "b + a", True),
        ('"""Play."""', '"""Play."""\n    "".join(play.__doc__)', True),
        ("a + b", "a +", True),
    ],
)
def test_rules_are_what_they_mean(before, after, is_other, tmp_path):
    """Neither comments nor docstrings nor layout make other rules."""
    file = tmp_path / "rules.py"
    file.write_text(RULES)
    contents = fingerprint_contest(str(file))
    file.write_text(RULES.replace(before, after))
    assert contents.changed() == [str(file)] * is_other


def test_the_library_counts_by_its_version(monkeypatch, tmp_path):
    file = tmp_path / "rules.py"
    file.write_text("from shared.core import jit")
    before = fingerprint_contest(str(file))
    monkeypatch.setattr(fingerprint, "version", lambda: "9.0")
    now = fingerprint_contest(str(file))
    assert before.digest != now.digest
    assert changed_paths(before.parts, now.parts) == [f"onefile {version()}, now 9.0"]
    bundles = [{str(fingerprint.CACHE / f"bundles/toy-{key}.py"): key} for key in ("1", "2")]
    assert changed_paths(*bundles) == ["its bundle"]


def arena_of(folder, contest=TOY, games=4):
    """The arguments of an arena between the bot of a folder and itself."""
    bots = ["bot/main.py", "bot/main.py"]
    words = [sys.executable, "-m", "referee", "arena", contest, *(folder / bot for bot in bots)]
    words += ["--games", games, "--limits", "off", "--db", folder / "a.db"]
    return [*map(str, words)]


def test_a_file_that_an_option_names_is_part_of_the_rules(tmp_path):
    """The map of a game, for example, is part of the rules."""
    board = tmp_path / "board.map"
    board.write_text("..")
    options = {"map": str(board), "turns": "9"}
    before = Rules().fingerprint(str(TOY), options)
    assert before.digest == Rules().fingerprint(str(TOY), options).digest
    board.write_text(".%")
    assert [str(board)] == before.changed()
    assert before.digest != Rules().fingerprint(str(TOY), options).digest


@pytest.mark.exhaustive("plays an arena after each of many edits")
def test_games_of_changed_files_are_played_again(folder):
    """After a change of a helper module, or of the contest's rules, all games are played again, and
    the changed file is named.
    """
    contest = folder / "toy.py"
    contest.write_text(TOY.read_text())
    words = arena_of(folder, contest)
    runs = []
    for file in (None, "bot/helper.py", "toy.py", None):
        if file:
            with (folder / file).open("a") as changed:
                changed.write("\nchanged = 1\n")
        runs.append(subprocess.run(words, cwd=PROJECT, capture_output=True, text=True))
    assert [run.returncode for run in runs] == [0] * 4, [run.stderr for run in runs]
    assert len(rows(folder / "a.db")) == 12
    assert "warning" not in runs[0].stderr + runs[3].stderr
    assert f"has changed ({folder}/bot/helper.py): 4 games stay with the form" in runs[1].stderr
    assert f"has changed ({folder}/toy.py): 8 games stay with the former version" in runs[2].stderr
    assert "4 games, 4 of them found" in runs[3].stdout
    words = [sys.executable, "-m", "referee", "table", str(folder / "a.db")]
    table = subprocess.run(words, cwd=PROJECT, capture_output=True, text=True).stdout
    assert table.count("limits off, rules ") == 2


@pytest.mark.slow("plays an arena more")
@pytest.mark.exhaustive("plays an arena more", keep=1)
@pytest.mark.parametrize("file", ["bot/helper.py", "toy.py"])
def test_a_change_in_mid_run_is_not_mixed(folder, file):
    """The arena stops with a line that names the file; earlier results are kept."""
    contest = folder / "toy.py"
    contest.write_text(TOY.read_text())
    words = arena_of(folder, contest, games=100_000)
    with subprocess.Popen(words, cwd=PROJECT, stdout=-1, stderr=-1, text=True) as arena:
        wait_for(lambda: len(rows(folder / "a.db")) >= 4)
        with (folder / file).open("a") as changed:
            changed.write("\nchanged = 1\n")
        _, said = arena.communicate(timeout=300)
    assert arena.returncode == 2
    progress = " left", " more games take "
    lines = [line for line in said.splitlines() if not any(text in line for text in progress)]
    assert lines == [
        f"error: {folder}/{file} changed while the arena ran: what was played before stays with"
        " the former version, and the same command starts anew with this one (if it is no part of"
        " a bot, as a log, keep it outside of the bot's folder and command)"
    ]
