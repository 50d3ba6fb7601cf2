"""The files sent to the workers of a cluster: those that a bot's command names."""

import subprocess
import sys

import pytest

from referee.arena.cluster import packaging
from referee.arena.play import Setting
from referee.log.records import Conditions
from referee.sources.bots import find_bot


@pytest.fixture
def transported(tmp_path, monkeypatch):
    """transported(command) sends a bot away and returns its command after unpacking, with the
    original files deleted.
    """
    monkeypatch.setattr(packaging, "TREES_FOLDER", tmp_path / "shipped")

    def send(command):
        packer = packaging.Packer()
        setting = Setting("toy", (find_bot(command),), Conditions.for_all(1, seed=1, limits=None))
        package = packer.pack(setting)
        (tmp_path / "here").rename(tmp_path / "gone")
        for name, tree in packer.trees.items():
            packaging.write_tree(name, tree)
            packaging.write_tree(name, tree)  # a second worker of the machine
        return package.unpack().bots[0].command, package

    return send


@pytest.mark.parametrize(
    "command",
    [
        f"{sys.executable} {{here}}/bot/main.py",
        "sh {here}/run.sh {here}/classes:{here}/bot",
        "sh {here}/run.sh --folder={here}/bot",
    ],
)
def test_files_named_by_a_command_are_shipped(transported, tmp_path, command):
    """Files with their modules, folders, lists of them, and values of options are sent, nothing
    else.
    """
    for name, text in {
        "bot/main.py": "import helper\nprint(helper.NAME)",
        "bot/helper.py": "NAME = 'found'",
        "bot/found": "found",
        "classes/x": "",
        "run.sh": 'f=${1#--folder=}; cat "${f##*:}/found"; echo',
    }.items():
        path = tmp_path / "here" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    words, _ = transported(command.format(here=tmp_path / "here"))
    done = subprocess.run(words, capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("found", "")
    assert str(tmp_path / "here") not in " ".join(words)


def test_programs_and_modules_that_a_worker_needs(transported, tmp_path):
    """A worker is asked for system programs and for modules that are not sent."""
    (tmp_path / "here").mkdir()
    (tmp_path / "here/main.py").write_text(
        "import nowhere, numpy, json\ntry:\n import x\nexcept: 0"
    )
    _, package = transported(str(tmp_path / "here/main.py"))
    assert package.modules == {"nowhere", "numpy"}
    assert package.missing() == ["the Python module nowhere"]
