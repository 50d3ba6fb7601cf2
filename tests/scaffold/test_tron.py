"""A new game from `onefile new` to a native bundle that searches: Tron, with the files of `tron/`.

The player's lines besides the generated ones are counted, bundled and played.
"""

import ast
import json
import shutil
from pathlib import Path

import pytest

from referee.scaffold.new_contest import render_templates
from tests.scaffold.conftest import copy_of_project, run

TRON = Path(__file__).parent / "tron"
MOST_LINES = 150


def code_lines(text):
    """Returns a module's lines without docstrings, comments and empty ones."""
    documented = set()
    for node in ast.walk(ast.parse(text)):
        kinds = (ast.Module, ast.FunctionDef, ast.ClassDef)
        if isinstance(node, kinds) and ast.get_docstring(node, clean=False) is not None:
            documented |= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    lines = (line.strip() for n, line in enumerate(text.split("\n"), 1) if n not in documented)
    return [line for line in lines if line and not line.startswith("#")]


def test_the_players_own_lines_are_few():
    """Lines that the command did not generate."""
    templates = [text for path, text in render_templates("tron").items() if path.suffix == ".py"]
    written = {line for text in templates for line in code_lines(text)}
    own = [
        line
        for path in TRON.rglob("*.py")
        for line in code_lines(path.read_text())
        if line not in written
    ]
    assert len(own) <= MOST_LINES


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    copy = copy_of_project(tmp_path_factory.mktemp("project"))
    made = run(copy, "referee", "new", "tron")
    assert made.returncode == 0, made.stderr
    for name in ("bots/tron/smitsimax.py", "bots/tron/random_player.py", "tests/unit/test_tron.py"):
        (copy / name).unlink()
    shutil.copytree(TRON, copy, dirs_exist_ok=True)
    return copy


@pytest.mark.slow("runs all tests of a third new contest")
def test_it_is_a_contest_for_two_to_four(project):
    tested = run(
        project,
        *("pytest", "-p", "no:cacheprovider", "tests/conformance/test_contests.py"),
        *("tests/unit/test_imports.py", "-k", "tron"),
    )
    assert tested.returncode == 0, tested.stdout


@pytest.mark.slow("compiles a bot; the source plays at tables of two to four")
@pytest.mark.parametrize("n_players", [2, 4])
def test_its_native_bundles_play_to_the_end(project, n_players):
    log = project / f"{n_players}.jsonl"
    bots = ["bots/tron/paranoid.py"] * n_players
    options = ["--nodes", "300", "--limits", "off", "--seed", "3", "--log", log, "--json"]
    played = run(project, "referee", "match", "tron", *bots, *options)
    assert played.returncode == 0, played.stderr
    records = [json.loads(line) for line in log.read_text().splitlines()]
    faults = [part["fault"] for r in records for part in r.get("players", {}).values()]
    assert set(faults) == {None} and len(records[-1]["outcome"]["ranks"]) == n_players
    stderr = "".join(p["stderr"] for r in records[1:9] for p in r.get("players", {}).values())
    assert "machine code" in stderr


FIRST_FREE = """
from shared.core.jit import int_buffer
from shared.core.loop import run
from shared.games.tron.protocol import DIRECTIONS, read_turn
from shared.games.tron.sim import legal
from shared.games.tron.state import new_setup, new_state

setup, state, actions = new_setup(0), new_state([]), int_buffer(4)


def choose():
    legal(setup, state, actions)
    return [DIRECTIONS[actions[0]]]


run(lambda read_line: (lambda: read_turn(read_line, setup, state), choose))
"""


@pytest.mark.slow("plays four games for strength; native bundles play one without")
def test_searching_outlives_the_first_free_direction(project):
    (project / "first_free.py").write_text(FIRST_FREE)
    """But for some endgames: its evaluation does not say how to fill what is one's own."""
    bots, log, wins = ["bots/tron/paranoid.py", "source:first_free.py"], project / "log.jsonl", 0
    for seed in range(4):
        options = ["--nodes", "1000", "--limits", "off", "--seed", seed, "--log", log]
        played = run(project, "referee", "match", "tron", *bots, *options)
        assert played.returncode == 0, played.stderr
        wins += json.loads(log.read_text().splitlines()[-1])["outcome"]["ranks"] == [0, 1]
    assert wins >= 3
