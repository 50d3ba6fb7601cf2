"""The edits that make another bot, and those that do not."""

import hashlib
import os
import subprocess
import sys
import time

import pytest

from referee.arena.entrants import make_entrants
from referee.errors import UsageError
from referee.project import PROJECT
from referee.sources import fingerprint
from referee.sources.bots import find_bot
from referee.sources.fingerprint import fingerprint_command
from tests.arena.conftest import TOY
from tests.arena.test_run import rows

PYTHON = f"{sys.executable} bot/main.py"
SOURCE = {"onefile.toml": "", "bots/toy/main.py": "import bots.toy.helper\n"}

# name: the command, the files of the bot, and the one that is edited
EDITS = {
    "the program": ("./a.out", {"a.out": "\x7fELF"}, "a.out"),
    "an option's file": ("env --net=FOLDER/net.bin", {"net.bin": "1"}, "net.bin"),
    "a list of classes": (
        "env -cp lib/*:classes Main",
        {"lib/part.jar": "1", "classes/in/Main.class": "one"},
        "lib/part.jar",
    ),
    "a variable's folder": (
        f"env PYTHONPATH=FOLDER/lib {sys.executable} -m bot",
        {"lib/bot.py": "import deep", "lib/deep.py": ""},
        "lib/deep.py",
    ),
    "a folder that a shell enters": (
        "sh -c 'cd FOLDER/deep && exec ./bot'",
        {"deep/bot": "#!/bin/sh\ntrue\n"},
        "deep/bot",
    ),
    "a file beside a script": (PYTHON, {"bot/main.py": "", "bot/late.py": ""}, "bot/late.py"),
    "a file below a script": ("bot/run", {"bot/run": "#!/bin/sh\n", "bot/net/w": ""}, "bot/net/w"),
    "a module of a source": (
        "source:bots/toy/main.py",
        {**SOURCE, "bots/toy/helper.py": ""},
        "bots/toy/helper.py",
    ),
    "a file of --files": (PYTHON, {"bot/main.py": "", "more/in/w": ""}, "more/in/w"),
}


@pytest.fixture
def make(tmp_path, monkeypatch):
    """make(files, command) writes the files of a bot; returns the command with full paths."""
    monkeypatch.chdir(tmp_path)

    def write(files, command):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            path.chmod(0o755)
        return command.replace("FOLDER", str(tmp_path))

    return write


def contents_of(command, globs=()):
    return fingerprint_command(find_bot(command).command, globs=globs)


def key_of(command, globs=()):
    [entrant] = make_entrants([find_bot(command)], digests=[contents_of(command, globs).digest])
    return entrant.key


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_makes_another_bot(name, make, tmp_path):
    """Edits of the same size and time count, too; once undone, the bot is the former one."""
    command, files, edited = EDITS[name]
    command, file = make(files, command), tmp_path / edited
    file.write_text("#1")
    globs = [f"{tmp_path}/more/**"] if "more" in edited else []
    contents, before, times = contents_of(command, globs), key_of(command, globs), file.stat()
    file.touch()
    assert contents.changed() == [] and key_of(command, globs) == before
    time.sleep(0.02)
    file.write_text("#2")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert key_of(command, globs) != before
    assert contents.changed() == [str(file)]
    file.write_text("#1")
    assert key_of(command, globs) == before


@pytest.mark.parametrize(
    ("command", "files", "other"),
    [
        (PYTHON, {"bot/main.py": "print('data/1')"}, "data/1"),
        (PYTHON, {"bot/main.py": ""}, "bot/.git/index"),
        ("./a.out", {"a.out": "\x7fELF"}, "net.bin"),
        ("env --net=FOLDER/net.bin", {"net.bin": "1"}, "other.bin"),
        ("source:bots/toy/main.py", {**SOURCE, "bots/toy/helper.py": ""}, "bots/toy/other.py"),
    ],
)
def test_an_edit_elsewhere_makes_none(command, files, other, make, tmp_path):
    command = make({**files, other: "1"}, command)
    before = key_of(command)
    (tmp_path / other).write_text("2")
    assert key_of(command) == before


@pytest.mark.parametrize("bound", ["MAX_BESIDE", "MAX_BYTES_BESIDE", "folder of all"])
def test_a_folder_beyond_the_bound_is_said(bound, make, tmp_path, monkeypatch):
    """Of its files those alone count that a Python file imports."""
    if bound == "folder of all":
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "bot"))
    else:
        monkeypatch.setattr(fingerprint, bound, 2)
    files = {"bot/main.py": "import near", "bot/near.py": "", "bot/data": ""}
    command = make(files, PYTHON)
    before, [note] = key_of(command), contents_of(command).notes
    assert note.startswith(f"{tmp_path}/bot ") and note.endswith("name its files by --files")
    (tmp_path / "bot/data").write_text("edited")
    assert key_of(command) == before
    (tmp_path / "bot/near.py").write_text("edited")
    assert key_of(command) != before


def test_a_bundle_is_known_by_its_characters(make, tmp_path, monkeypatch):
    """Neither its folder nor --files counts, so that its games of older versions are found."""
    monkeypatch.setattr(fingerprint, "CACHE", tmp_path)
    command = make({"bot/main.py": "print()", "bot/other.py": "", "more": ""}, PYTHON)
    content = hashlib.sha256(b"print()").digest()
    for globs in ([], [f"{tmp_path}/more"]):
        assert contents_of(command, globs).digest == hashlib.sha256(content).hexdigest()


def test_a_pattern_that_matches_nothing_is_told(make, tmp_path):
    command = make({"bot/main.py": ""}, PYTHON)
    with pytest.raises(UsageError, match=r"--files '.*none\*' matches no file"):
        contents_of(command, [f"{tmp_path}/none*"])


WRITES = """\
#!/bin/sh
read -r _; read -r _
while read -r _; do date +%N >> log; date +%N >> FOLDER/out; echo 1; echo word; done
"""


@pytest.mark.exhaustive("plays two arenas")
def test_files_that_a_bot_writes_while_it_plays(make, tmp_path):
    """Those of the folder in which it runs, and elsewhere, are none of it; --files names one."""
    text = WRITES.replace("FOLDER", str(tmp_path))
    command = make({"bot/run.sh": text, "net": "1"}, "FOLDER/bot/run.sh")
    words = [sys.executable, "-m", "referee", "arena", TOY, command, command, "--limits", "off"]
    words += ["--games", 4, "--jobs", 1, "--db", tmp_path / "a.db", "--files", tmp_path / "n*"]
    for net, n_games in (("1", 4), ("1", 4), ("2", 8)):
        (tmp_path / "net").write_text(net)
        done = subprocess.run(list(map(str, words)), cwd=PROJECT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert (tmp_path / "out").exists() and len(rows(tmp_path / "a.db")) == n_games
        assert (f"has changed ({tmp_path}/net): 4 games stay" in done.stderr) == (net == "2")
