"""`--site`: Python bots run with the Python of a site, which log, tables and results name."""

import json
import re
import sqlite3
import sys

import pytest

from bundler import sites
from bundler.sites import CODINGAME, STRICT
from referee.log.file import read_log
from referee.sources import site as site_module
from tests.referee.conftest import PRELUDE
from tests.support.pythons import python_of

# Tells its Python and numpy.
TELLS = """\
import numpy
print("Python %d.%d" % sys.version_info[:2], "numpy", numpy.__version__, file=sys.stderr)
for turn, line in enumerate(turns()):
    print(f"nodes={turn + 1}", file=sys.stderr, flush=True)
    say(str(turn + 1), "word")
"""
PLAIN = (
    'print("kernels run as plain Python, 100 to 1,000 times slower: no such processor",'
    " file=sys.stderr)\n"
)
OFF = ("--limits", "off")


@pytest.fixture
def bot(tmp_path):
    """The path of a Python file that tells its Python and numpy."""
    path = tmp_path / "bot.py"
    path.write_text(PRELUDE + TELLS)
    return str(path)


@pytest.fixture
def nothing_made(tmp_path, monkeypatch):
    """A machine without environments and without other interpreters."""
    monkeypatch.setattr(sites, "ENVIRONMENTS", tmp_path / "sites")
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("PYENV_ROOT", "XDG_DATA_HOME", "UV_PYTHON_INSTALL_DIR"):
        monkeypatch.setenv(name, str(tmp_path / "nothing"))
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))


@pytest.fixture
def own_site(tmp_path, monkeypatch):
    """own_site(text) makes the current folder a workspace with that text in onefile.toml."""

    def write(text):
        (tmp_path / "onefile.toml").write_text(text)
        monkeypatch.chdir(tmp_path)

    return write


@pytest.mark.parametrize(
    ("key", "site"), [("site", CODINGAME), ("oldest", STRICT)], ids=["codingame", "strict"]
)
def test_a_python_file_runs_with_the_site_and_a_command_with_its_own(run, bot, tmp_path, key, site):
    program, log = python_of(key), tmp_path / "match.jsonl"
    command = f"{sys.executable} {bot}"
    status, out, err = run("match", "toy", bot, command, "--site", site.name, "--log", log, *OFF)
    assert (status, err) == (0, "")
    played = read_log(log)
    text = played.header.conditions.site
    assert re.match(rf"{site.name}: Python {site.version}\.\d+, numpy ", text)
    assert f"site {text}\n" in out
    assert run("view", log)[0] == 0 and text in log.with_suffix(".html").read_text()
    assert [one.command[0] for one in played.header.bots] == [program, sys.executable]
    first, second = (played.of_player(player)[0][1].stderr for player in (0, 1))
    numpy = site.requirements[0].replace("==", " ")
    assert first.strip() == f"Python {site.version} {numpy}" != second.strip()


def test_an_own_site_is_the_table_of_the_workspace(run, bot, own_site, tmp_path):
    program = python_of("oldest")
    own_site('[site]\npython = "3.9"\npackages = []\n')
    (tmp_path / "bot.py").write_text(PRELUDE + TELLS.replace("numpy.__version__", "0")[13:])
    log = tmp_path / "match.jsonl"
    status, _, err = run("match", "toy", bot, "--site", "own", "--log", log, *OFF)
    assert status == 0, err
    assert re.fullmatch(r"own: Python 3\.9\.\d+", read_log(log).header.conditions.site)
    assert read_log(log).header.bots[0].command[0] != program


@pytest.mark.falls_back
def test_a_bundle_that_refuses_its_machine_code_is_told(run, bot, tmp_path):
    python_of("oldest")
    (tmp_path / "plain.py").write_text(PRELUDE + PLAIN + TELLS)
    bots = [bot, tmp_path / "plain.py"]
    status, _, err = run("match", "toy", *bots, "--site", "strict", *OFF)
    assert (status, err) == (0, "warning: player 1 ran as plain Python: no such processor\n")
    assert run("match", "toy", *bots, *OFF)[2] == err


def test_a_replay_runs_the_bot_with_the_python_of_the_log(run, bot, tmp_path, monkeypatch):
    python_of("oldest")
    log = tmp_path / "match.jsonl"
    run("match", "toy", bot, "--site", "strict", "--log", log, *OFF)
    status, out, err = run("replay", log, "--player", 0, "--turn", 0)
    assert (status, err) == (0, "")
    assert "Python 3.9 numpy 1.20.3" in out
    monkeypatch.setattr(site_module, "environment", lambda site: None)
    status, out, err = run("replay", log, "--player", 0, "--turn", 0)
    assert status == 0 and "Python 3.9" not in out
    assert err.startswith("warning: Python bots of this match ran with strict: Python 3.9.")
    assert "another Python runs them here: `onefile doctor --site strict`" in err


def test_an_arena_keeps_the_games_of_a_site_apart(run, bot, tmp_path):
    python_of("oldest")
    other = tmp_path / "other.py"
    other.write_text(PRELUDE + TELLS + "# another\n")
    db = tmp_path / "arena.db"
    arena = ("arena", "toy", bot, other, "--games", 2, "--db", db, "--jobs", 1, *OFF)
    for words in ((), ("--site", "strict"), ("--site", "strict")):
        status, out, err = run(*arena, *words)
        assert status == 0 and "changed" not in err, err
    with sqlite3.connect(db) as connection:
        n_games = connection.execute("SELECT series, count(*) FROM games GROUP BY series")
        assert n_games.fetchall() == [(1, 2), (2, 2)]
        assert connection.execute("SELECT count(*) FROM bots").fetchall() == [(2,)]
    status, out, _ = run("table", db)
    assert status == 0 and "site strict: Python 3.9." in out


@pytest.mark.parametrize("command", ["match", "arena"])
def test_a_site_that_cannot_be_made_is_a_line(run, bot, nothing_made, command):
    status, _, err = run(command, "toy", bot, bot, "--site", "strict")
    assert status == 2
    assert err.startswith("error: --site strict: no Python 3.9 on this machine: install it (pyenv")
    status, _, err = run(command, "toy", bot, bot, "--site", "lunar")
    known = "codingame, strict, own"
    assert (status, err) == (2, f"error: --site lunar: no site 'lunar': name one of {known}\n")
    status, _, err = run(command, "toy", bot, bot, "--site", "own")
    assert status == 2 and "no site of your own: write [site] with python" in err


def test_options_that_a_site_excludes(run, bot, tmp_path):
    words = ("arena", "toy", bot, bot, "--site", "strict", "--db", tmp_path / "arena.db")
    status, _, err = run(*words, "--cluster", "tcp://127.0.0.1:1")
    assert status == 2 and "leave out --site or --cluster" in err
    status, _, err = run(*words, "--in-process", "--nodes", 5)
    assert status == 2 and "leave out --site or --in-process" in err
    status, _, err = run(
        "league", "toy", tmp_path, "--site", "strict", "--cluster", "tcp://127.0.0.1:1"
    )
    assert status == 2 and "leave out --site or --cluster" in err


def rows_of_doctor(run, *words):
    status, out, err = run("doctor", "--json", *words)
    rows = [json.loads(line) for line in out.splitlines()]
    return status, [row for row in rows if row["part"] == "site"], err


def test_a_doctor_makes_the_environment_of_a_site_and_names_it(run):
    python_of("oldest")
    status, [row], _ = rows_of_doctor(run, "--site", "strict")
    assert (status, row["state"], row["advice"]) == (0, "ok", "")
    assert re.fullmatch(r"strict: Python 3\.9\.\d+, numpy 1\.20\.3", row["text"])


def test_a_doctor_without_a_site_tells_how_to_make_its_environment(run, own_site, nothing_made):
    _, [row], _ = rows_of_doctor(run)
    assert (row["state"], row["text"]) == ("ok", "codingame: not made")
    assert row["advice"].startswith("onefile doctor --site codingame makes it")
    own_site('[site]\npython = "3.10"\n')
    assert rows_of_doctor(run)[1][0]["text"] == "own: not made"
    own_site("[site]\npython = 3.10\n")
    _, [row], _ = rows_of_doctor(run)
    assert row["state"] == "note" and '[site] may have python = "3.11"' in row["text"]
