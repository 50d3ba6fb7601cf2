"""`import onefile_bots` from the wheel: the program of the page about it, in a folder with modules
named like the project's, and a contest and a bot that a package brings.
"""

import os
import re
import subprocess
import sys

import pytest

from tests.conftest import PROJECT
from tests.install import wheel as distribution

PAGE = (PROJECT / "docs" / "reference" / "python-api.md").read_text(encoding="utf-8")
PROGRAM = re.search(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[1]
# A notebook: an event loop runs, and `__main__` has no file.
NOTEBOOK = """
import asyncio, sys
import onefile_bots

async def cell():
    [series] = onefile_bots.read_arena("games.db")
    assert {row["name"] for row in series.standings} == {"greedy", "random_player"}
    assert sum(game["ranks"].count(0) for game in series.games) >= 4 == len(series.games)
    bot = "bots/infexion/random_player.py"
    match = onefile_bots.play_match("infexion", bot, turns=2, limits="off")
    assert (match.turns, match.winner, match.ranks) == (2, None, [None, None])

asyncio.run(cell())
assert onefile_bots.search.bandit.__name__ == "onefile_bots.shared.search.bandit"
assert not {"shared", "bundler", "referee"} & sys.modules.keys()
"""
PACKAGE = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "toll-road"
version = "1.0"
[project.entry-points."onefile.contests"]
toll_road = "toll_road.contest:CONTEST"
infexion = "toll_road.contest:CONTEST"
"""


@pytest.mark.parametrize("is_on_path", [False, True], ids=["alone", "a command's"])
def test_a_checkout_has_the_library(is_on_path, tmp_path):
    """In a process that has the project on its path, both names mean the same modules."""
    folders = [PROJECT / "referee" / "launcher", *[PROJECT] * is_on_path]
    code = (
        "from onefile_bots import core, path; from onefile_bots.shared.core.contest import Contest"
    )
    code += "; print(core.contest.Contest is Contest, Contest.__module__, path.__name__)"
    environment = {"PYTHONPATH": os.pathsep.join(map(str, folders)), "CG_JIT": "0"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    package = "shared" if is_on_path else "onefile_bots.shared"
    assert done.stdout == f"True {package}.core.contest {package}.path\n", done.stderr


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory):
    folder = tmp_path_factory.mktemp("api")
    wheel = distribution.build_wheel(folder)
    binaries = distribution.install(wheel, folder / "environment")
    (folder / "home").mkdir()
    newcomer = distribution.Newcomer(binaries, folder / "home")
    newcomer.user = {}
    newcomer.environment["CG_JIT"] = "0"
    return newcomer


@pytest.mark.slow("installs the dependencies from the package index")
def test_the_program_of_the_page_runs_and_has_types(newcomer):
    """Of an installation all names are found, and their types."""
    program = newcomer.home / "program.py"
    program.write_text(PROGRAM)
    said = newcomer.type("python", program).splitlines()
    assert said[0] == "column 3" and said[1].startswith("greedy 0 ")
    assert re.match(r"[\d,]+ characters: .*checked on", said[-2]) and "greedy.py" in said[-1]
    wrong = program.with_name("wrong.py")
    wrong.write_text(PROGRAM + "play_match(3)\nmake_search(1, 2, 3)\n")
    python = f"--python-executable={newcomer.binaries / 'python'}"
    command = [sys.executable, "-m", "mypy", "--config-file=", python, program.name, wrong.name]
    checked = subprocess.run(command, cwd=newcomer.home, capture_output=True, text=True)
    assert checked.stdout.count("wrong.py:") == checked.stdout.count(": error: ") == 5
    bots = ["bots/infexion/greedy.py", "bots/infexion/random_player.py"]
    played = ["--games", 4, "--limits", "off", "--db", "games.db"]
    newcomer.type("onefile", "arena", "infexion", *bots, *played)
    assert newcomer.type("python", "-c", NOTEBOOK) == ""


@pytest.mark.slow("builds a package, and a bot's machine code")
def test_a_package_brings_a_contest_and_its_modules(newcomer):
    """The contest that `onefile new` writes, as a package: played, bundled and checked."""
    newcomer.type("onefile", "init", "own")
    newcomer.folder = own = newcomer.home / "own"
    newcomer.type("onefile", "new", "toll_road")
    package = newcomer.home / "package" / "toll_road"
    package.parent.mkdir()
    (own / "shared" / "games" / "toll_road").rename(package)
    (own / "bots" / "toll_road" / "game.py").rename(package / "search_game.py")
    for file in package.glob("*.py"):
        text = file.read_text().replace("from shared.games.toll_road.", "from .")
        file.write_text(text.replace("from shared.", "from onefile_bots.shared."))
    bots = own / "bots" / "toll_road"
    for file in bots.glob("*.py"):
        text = file.read_text().replace("shared.games.toll_road.", "toll_road.")
        file.write_text(text.replace("bots.toll_road.game ", "toll_road.search_game "))
    (package.parent / "pyproject.toml").write_text(PACKAGE)
    distribution.add(package.parent, newcomer.binaries)
    bot, lone = "bots/toll_road/smitsimax.py", newcomer.home / "lone.py"
    said = newcomer.type("onefile", "match", "toll_road", bot, *"--limits off --nodes 9".split())
    assert "wins" in said or "draw" in said
    said = newcomer.type("onefile", "bundle", bot, "--mode", "python", "-o", "bundle.py")
    assert "; checked on " in said
    lone.write_text(
        (bots / "random_player.py").read_text().replace("shared.", "onefile_bots.shared.")
    )
    newcomer.folder = newcomer.home
    newcomer.type("onefile", "match", "toll_road", lone, "--limits", "off")
    said = newcomer.type("onefile", "match", "infexion", "bots/infexion/greedy.py", status=2)
    assert "brought by onefile itself and by the package toll-road" in said
