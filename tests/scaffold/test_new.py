"""`python -m referee new CONTEST`, in a copy of the project: the created contest can be played and
tested at once.
"""

import json

import pytest

from referee.errors import UsageError
from referee.scaffold.new_contest import write_contest
from tests.scaffold.conftest import copy_of_project, run

CONTEST, SOLO = "tug_of_war", "coin_field"
both = pytest.mark.parametrize("contest", [CONTEST, SOLO])


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project in which both contests have been created."""
    copy = copy_of_project(tmp_path_factory.mktemp("project"))
    for contest, options in ((CONTEST, ()), (SOLO, ("--solo",))):
        made = run(copy, "referee", "new", contest, *options)
        assert made.returncode == 0, made.stderr
        assert f"bots/{contest}/random_player.py" in made.stdout.splitlines()
    return copy


@pytest.mark.slow("runs all tests of a new contest")
@pytest.mark.exhaustive("runs all tests of a second new contest", keep=1)
@both
def test_it_passes_its_own_tests_and_what_every_contest_owes(project, contest):
    tested = run(
        project,
        *("pytest", "-p", "no:cacheprovider", f"tests/unit/test_{contest}.py"),
        *("tests/conformance/test_contests.py", "tests/unit/test_imports.py", "-k", contest),
    )
    assert tested.returncode == 0, tested.stdout
    assert " passed" in tested.stdout


@both
def test_it_is_formatted_as_the_project_is(project, contest):
    paths = [f"shared/games/{contest}", f"bots/{contest}", f"tests/unit/test_{contest}.py"]
    checked = run(project, "black", "--check", *paths)
    assert checked.returncode == 0, checked.stderr


@pytest.mark.slow("runs five commands")
def test_a_bot_is_listed_and_copied_once(project):
    listed = run(project, "referee", "bots", CONTEST).stdout
    assert f"in bots/{CONTEST}\n" in listed and "\n  random_player " in listed
    elsewhere = run(project, "referee", "bots", "connectx").stdout
    assert elsewhere.startswith("connectx: rules from --kaggle, ")
    words = ["referee", "copy", f"bots/{CONTEST}/random_player.py", "other"]
    assert run(project, *words).stdout.startswith(f"bots/{CONTEST}/other.py\n")
    assert "\n  other " in run(project, "referee", "bots", CONTEST).stdout
    assert f"bots/{CONTEST}/other.py exists" in run(project, *words).stderr
    said = run(project, "referee", "copy", f"bots/{CONTEST}/random_playr.py").stderr
    assert f"did you mean bots/{CONTEST}/random_player.py?" in said
    (project / f"bots/{CONTEST}/other.py").unlink()


def test_an_existing_contest_is_left_alone(project):
    before = (project / f"shared/games/{CONTEST}/sim.py").stat().st_mtime_ns
    refused = run(project, "referee", "new", CONTEST)
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"error: contest '{CONTEST}' exists: there is ")
    assert len(refused.stderr.splitlines()) == 1
    assert (project / f"shared/games/{CONTEST}/sim.py").stat().st_mtime_ns == before


@pytest.mark.slow("compiles a beam search; the contest passes its own tests")
def test_a_beam_search_plays_the_contest_for_one_player_at_once(project):
    """The bot takes far more coins than a random player."""
    options = ["--cases", "1-3", "--in-process", "--nodes", 8000, "--json"]
    played = run(project, "referee", "arena", SOLO, f"bots/{SOLO}/beam.py", *options)
    assert played.returncode == 0, played.stderr
    result = json.loads(played.stdout)
    assert result["cases"] == 3 and result["bots"][0]["mean"]["value"] > 140


@pytest.mark.parametrize(
    "name",
    ["", "Tug", "tug-of-war", "3d", "tug_", "tug__war", "class", "../x"],
)
def test_what_cannot_be_a_module_cannot_name_a_contest(tmp_path, name):
    with pytest.raises(UsageError, match="cannot name a contest"):
        write_contest(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_way_is_named_and_nothing_is_written(tmp_path):
    test = tmp_path / "tests" / "unit" / "test_chess.py"
    test.parent.mkdir(parents=True)
    test.write_text("")
    with pytest.raises(UsageError, match=r"there is tests/unit/test_chess\.py"):
        write_contest("chess", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["tests"]
