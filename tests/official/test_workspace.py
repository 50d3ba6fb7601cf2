"""Workspaces: contests and bots of the user, beside the installed ones; contests of packages."""

import json
import os
import subprocess
import sys

import pytest

from bundler.modules import packages
from referee.errors import UsageError
from referee.project import PROJECT
from referee.scaffold.new_workspace import make_workspace
from referee.sources import contests
from referee.sources.contests import contest_names, find_contest


@pytest.fixture
def workspace(tmp_path):
    folder = tmp_path / "own"
    make_workspace(folder)
    return folder


@pytest.fixture
def onefile(workspace):
    """onefile(*words, folder) runs a command in a folder as typed in a shell; returns its
    output.
    """

    def run(*words, module="referee", status=0, folder=workspace):
        command = [sys.executable, "-m", module, *map(str, words)]
        done = subprocess.run(
            command,
            cwd=folder,
            env={
                **{name: os.environ[name] for name in ("ONEFILE_CACHE",) if name in os.environ},
                "PYTHONPATH": f"{PROJECT}:{PROJECT / 'referee' / 'launcher'}",
                "PATH": "/usr/bin:/bin",
            },
            capture_output=True,
            text=True,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    return run


STEPS = """\
import sys
from shared.games.tug_of_mine.protocol import format_step
sys.stdin.readline()
for line in sys.stdin:
    print(format_step(1), flush=True)
"""


@pytest.mark.slow("compiles a contest's bundles; the next ones play in it")
def test_a_contest_in_a_workspace(onefile, workspace):
    """It is played by name from any folder of the workspace, replayed, checked and bundled, and no
    file is written into the installation.
    """
    said = onefile("new", "tug_of_mine")
    assert "shared/games/tug_of_mine/contest.py" in said
    assert "tests/unit/test_tug_of_mine.py" in said and "onefile test" in said
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
    assert not (PROJECT / "tests" / "unit" / "test_tug_of_mine.py").exists()
    assert "; checked on " in onefile(bot, "-o", "out.py", module="bundler")


@pytest.mark.slow("bundles from several folders")
def test_bots_are_bundled_from_any_folder(onefile, workspace):
    """The bot's path is looked up in the workspace, then in the installation."""
    (workspace / "bots" / "mine.py").write_text("print(1)\n")
    below = workspace / "logs"
    below.mkdir()
    words = ["--no-check", "--mode", "python", "-o", "out.py"]
    for folder, bot in ((below, "bots/mine.py"), (below, "bots/infexion/greedy.py")):
        said = onefile(bot, *words, module="bundler", folder=folder)
        assert said.startswith("out.py: ") and (folder / "out.py").is_file()
    said = onefile("tunables", "bots/infexion/greedy.py", module="bundler", folder=workspace.parent)
    assert said == ""
    assert "no such file" in onefile("bots/none.py", *words, module="bundler", status=2)


def test_a_workspace_comes_first(onefile, workspace):
    """A workspace's contest hides an installed one of the same name."""
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
    """Existing files are left unchanged."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "Makefile").write_text("mine")
    written = make_workspace(tmp_path / "other")
    assert (tmp_path / "other" / "Makefile").read_text() == "mine"
    assert tmp_path / "other" / "Makefile" not in written
    # Made again, it gets what is missing and nothing else.
    (workspace / "bots" / "__init__.py").write_text("mine = 1\n")
    (workspace / "pyrightconfig.json").unlink()
    assert make_workspace(workspace) == [workspace / "pyrightconfig.json"]
    assert (workspace / "bots" / "__init__.py").read_text() == "mine = 1\n"
    with pytest.raises(UsageError, match="lies in onefile's own folder"):
        make_workspace(PROJECT / "build" / "own")


PACKAGED = """\
from dataclasses import replace
from referee.sources.contests import find_contest
CONTEST = replace(find_contest("infexion"), title="Brought")
"""


def test_a_package_brings_a_contest(tmp_path, monkeypatch):
    """A package adds a contest by an entry point of the group onefile.contests, whose name nobody
    else has.
    """
    (tmp_path / "brought_contest.py").write_text(PACKAGED)
    monkeypatch.syspath_prepend(str(tmp_path))
    # Installed packages do not change while a command runs, except in this test.
    monkeypatch.setattr(contests, "brought_contests", packages.brought_contests.__wrapped__)
    for package, names in (("one", "brought empty wrong ants twice"), ("other", "twice")):
        metadata = tmp_path / f"{package}-1.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n"
        )
        values = {"empty": "PACKAGED", "wrong": "replace"}
        points = [
            f"{name} = brought_contest:{values.get(name, 'CONTEST')}" for name in names.split()
        ]
        (metadata / "entry_points.txt").write_text("\n".join(["[onefile.contests]", *points]))
        if package == "one":
            contest = find_contest("brought")
    assert (contest.name, contest.title) == ("brought", "Brought") and "brought" in contest_names()
    for name, message in {
        "empty": "the package one .* names no Contest .* has no attribute 'PACKAGED'",
        "wrong": "the package one .* names no Contest",
        "ants": "by onefile itself and by the package one .*: uninstall a package",
        "twice": "by the package .* and by the package .*: uninstall a package",
    }.items():
        with pytest.raises(UsageError, match=message):
            find_contest(name)


@pytest.mark.exhaustive(
    "compiles the kernels of a contest twice; another test runs what `new` writes"
)
def test_its_tests_are_run_by_one_command(onefile, workspace):
    """The command runs the tests of the rules, conformance, the golden game and parity."""
    onefile("new", "nim_of_mine")
    said = onefile("test", "-k", "nim_of_mine", "-p", "no:cacheprovider")
    assert " passed" in said and "failed" not in said and "warning" not in said
    (workspace / "shared/games/nim_of_mine/RULES.md").unlink()
    said = onefile("test", "tests/test_conformance.py", "-x", "-p", "no:cacheprovider", status=1)
    assert "RULES.md" in said


@pytest.mark.slow("looks for each part of the machine")
def test_a_doctor_names_each_part_with_advice(onefile, workspace):
    said = onefile("doctor", "--json").splitlines()
    rows = [json.loads(line) for line in said if line.startswith("{")]  # it bundles the probe
    parts = {row["part"]: row for row in rows}
    assert parts["workspace"]["text"] == str(workspace)
    assert {"Python", "numba", "machine code", "cores", "Java", "browser", "[tune]"} <= set(parts)
    assert all(row["advice"] for row in rows if row["state"] != "ok")
    assert parts["machine code"]["text"].startswith("machine code for x86-64-v2, ")
    assert "x plain Python; processor x86-64-v" in parts["machine code"]["text"]
    (workspace / "pyrightconfig.json").write_text('{"extraPaths": ["/gone"]}')
    assert "names another installation" in onefile("doctor")
