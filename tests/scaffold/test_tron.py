"""A new game from `onefile new` to a native bundle that searches: Tron, with the files of `tron/`.

The player's lines besides the generated ones are counted, bundled and played.
"""

import json
import shutil
from pathlib import Path

import pytest

from tests.scaffold.conftest import copy_of_project, run

TRON = Path(__file__).parent / "tron"


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    copy = copy_of_project(tmp_path_factory.mktemp("project"))
    made = run(copy, "referee", "new", "tron")
    assert made.returncode == 0, made.stderr
    for name in ("bots/tron/smitsimax.py", "bots/tron/random_player.py", "tests/unit/test_tron.py"):
        (copy / name).unlink()
    shutil.copytree(TRON, copy, dirs_exist_ok=True)
    return copy


@pytest.mark.exhaustive("runs all tests of a third new contest")
def test_it_is_a_contest_for_two_to_four(project):
    tested = run(
        project,
        *("pytest", "-p", "no:cacheprovider", "tests/conformance/test_contests.py"),
        *("tests/unit/test_imports.py", "-k", "tron"),
    )
    assert tested.returncode == 0, tested.stdout


@pytest.mark.exhaustive("compiles a bot; the source plays at tables of two to four")
def test_its_native_bundles_play_to_the_end(project):
    log, n_players = project / "log.jsonl", 4
    bots = ["bots/tron/paranoid.py"] * n_players
    options = ["--nodes", "300", "--limits", "off", "--seed", "3", "--log", log, "--json"]
    played = run(project, "referee", "match", "tron", *bots, *options)
    assert played.returncode == 0, played.stderr
    records = [json.loads(line) for line in log.read_text().splitlines()]
    faults = [part["fault"] for r in records for part in r.get("players", {}).values()]
    assert set(faults) == {None} and len(records[-1]["outcome"]["ranks"]) == n_players
    stderr = "".join(p["stderr"] for r in records[1:9] for p in r.get("players", {}).values())
    assert "machine code" in stderr
