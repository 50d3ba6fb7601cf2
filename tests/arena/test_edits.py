"""Every kind of edit that makes another bot: of files that it names in some way."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from referee.arena.store import open_store, sole_writer
from referee.arena.watched import WatchedFiles
from referee.process.bot_process import BotProcess
from referee.project import PROJECT
from referee.sources import programs
from referee.sources.bots import find_bot
from referee.sources.fingerprint import fingerprint_command
from tests.arena.conftest import TOY
from tests.arena.test_run import rows
from tests.arena.test_stale import key_of

PYTHON = f"{sys.executable} bot/main.py"
NODE = shutil.which("node")

# name: the command, the files of the bot, and the one that is edited
EDITS = {
    # By the command
    "the program": (PYTHON, {"bot/main.py": "import sys\n"}, "bot/main.py"),
    "a source": (
        "source:bot/main.py",
        {"bot/main.py": "import helper", "bot/helper.py": ""},
        "bot/helper.py",
    ),
    "a list of classes": (
        "env -cp lib/*:classes Main",
        {"lib/part.jar": "1", "classes/in/Main.class": "one"},
        "lib/part.jar",
    ),
    "an option's file": ("env --net=FOLDER/net.bin", {"net.bin": "1"}, "net.bin"),
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
    # By a Python program
    "a module by its name": (
        PYTHON,
        {"bot/main.py": "import importlib\nimportlib.import_module('late')", "bot/late.py": ""},
        "bot/late.py",
    ),
    "a module by a computed name": (
        PYTHON,
        {"bot/main.py": "__import__('la' + chr(116) + 'e')", "bot/late.py": ""},
        "bot/late.py",
    ),
    "sys.path with __file__": (
        PYTHON,
        {
            "bot/main.py": "import os, sys\n"
            "HERE = os.path.dirname(os.path.abspath(__file__))\n"
            "sys.path.append(os.path.join(HERE, '..', 'lib'))\nimport far",
            "lib/far.py": "import farther",
            "lib/farther.py": "",
        },
        "lib/farther.py",
    ),
    "a path by steps": (
        PYTHON,
        {
            "bot/main.py": "from pathlib import Path\nTOP = Path(__file__).resolve().parents[1]\n"
            "DATA = TOP.joinpath('data')\nprint((DATA / 'w.txt').read_text())",
            "data/w.txt": "1",
        },
        "data/w.txt",
    ),
    "a computed name in a folder": (
        PYTHON,
        {
            "bot/main.py": "from pathlib import Path\nn = len('x')\n"
            "(Path(__file__).parent.parent / 'data' / f'{n}.txt').read_text()",
            "data/1.txt": "1",
        },
        "data/1.txt",
    ),
    "a folder that is listed": (
        PYTHON,
        {
            "bot/main.py": "import os\nos.listdir(os.path.dirname(__file__) + '/data')",
            "bot/data/x": "1",
        },
        "bot/data/x",
    ),
    "a path in a module": (
        PYTHON,
        {
            "bot/main.py": "import helper",
            "bot/helper.py": "import numpy as np\nnp.load(__file__ + '/../../net/w.npz')",
            "net/w.npz": "1",
        },
        "net/w.npz",
    ),
    "a program that is started": (
        PYTHON,
        {
            "bot/main.py": "import subprocess\nsubprocess.run(['FOLDER/engine', '-q'])",
            "engine": "#!/bin/sh\n. ./rest.sh\n",
            "rest.sh": "true",
        },
        "rest.sh",
    ),
    # By other scripts
    "a script of a script": (
        "sh bot/run.sh",
        {
            "bot/run.sh": "exec FOLDER/out/second.sh\n",
            "out/second.sh": "./third\n",
            "out/third": "",
        },
        "out/third",
    ),
    "a script's path by a variable": (
        "env X=1 bot/run.sh",
        {"bot/run.sh": '#!/bin/sh\nhere=${0%/*}\n. "$here/../lib/common"\n', "lib/common": "1"},
        "lib/common",
    ),
    "a module of JavaScript by parts": (
        f"{NODE or '/bin/sh'} bot/bot.js",
        {
            "bot/bot.js": "require(require('path').join(__dirname, '..', 'lib', 'helper'))",
            "lib/helper.js": "",
        },
        "lib/helper.js",
    ),
    "a path from a compiled program's place": (
        "bin/a.out",
        {"bin/a.out": "\x7fELF\0\0/../data/weights\0", "data/weights": "1"},
        "data/weights",
    ),
    "a path in a compiled program": (
        "./a.out",
        {"a.out": "\x7fELF\0\0FOLDER/weights.bin\0FOLDER/main.cpp\0", "weights.bin": "1"},
        "weights.bin",
    ),
}


@pytest.fixture
def make(tmp_path, monkeypatch):
    """make(files, command) writes the files of a bot; the command with full paths."""
    monkeypatch.chdir(tmp_path)

    def write(files, command):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.replace("FOLDER", str(tmp_path)))
            path.chmod(0o755)
        return command.replace("FOLDER", str(tmp_path))

    return write


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_makes_another_bot(name, make, tmp_path):
    """Edits of the same size and time count, too; once undone, the bot is the former one."""
    command, files, edited = EDITS[name]
    command = make(files, command)
    file = tmp_path / edited
    contents = fingerprint_command(find_bot(command).command)
    before, text, times = key_of(command), file.read_text(), file.stat()
    assert contents.changed() == []
    time.sleep(0.02)
    file.write_text(("%" if text[:1] == "#" else "#") + text[1:])
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert key_of(command) != before
    assert contents.changed() == [str(file)]
    file.write_text(text)
    assert key_of(command) == before


@pytest.mark.parametrize(
    ("command", "files", "other"),
    [
        # A folder with versions of a bot: a version consists of the files that it imports.
        (PYTHON, {"bot/main.py": "import sys\nopen(0)\nopen(sys.argv[1])"}, "bot/other.py"),
        ("./a.out", {"a.out": "\x7fELF\0\0FOLDER/main.cpp\0"}, "main.cpp"),
        ("env --net=FOLDER/net.bin", {"net.bin": "1"}, "other.bin"),
    ],
)
def test_files_that_a_bot_does_not_name_do_not_count(command, files, other, make, tmp_path):
    """The key of the bot stays the same when a file beside it changes."""
    command = make({**files, other: "1"}, command)
    before = key_of(command)
    (tmp_path / other).write_text("2")
    assert key_of(command) == before


def notes_of(command):
    return fingerprint_command(find_bot(command).command).notes


def test_names_that_cannot_be_resolved_are_noted(make, tmp_path):
    """Each note comes once, with the line and advice."""
    computed = make({"bot/main.py": "import sys\nprint(1)\nopen(chr(65))"}, PYTHON)
    assert notes_of(computed) == (
        f"{tmp_path}/bot/main.py, line 3, opens or starts a file whose name is computed: the files"
        " of its folder count; name others in the bot's command",
    )
    shell = make({"run.sh": "#!/bin/sh\n# $HOME/x\nexec $BOTS/out/bot ~/w.txt\n"}, "./run.sh")
    assert [note.partition(" cannot be followed")[0] for note in notes_of(shell)] == [
        f"{tmp_path}/run.sh, line 3: $BOTS/out/bot",
        f"{tmp_path}/run.sh, line 3: ~/w.txt",
    ]
    value = make({"cat.sh": "#!/bin/sh\np=FOLDER/we\nX=$(cat $p)\nexec $X\n"}, "./cat.sh")
    assert [note.partition(" cannot be followed")[0] for note in notes_of(value)] == [
        f"{tmp_path}/cat.sh, line 3: $p",
        f"{tmp_path}/cat.sh, line 4: $X",
    ]
    script = make(
        {"js/b.js": "const w = 'x';\nrequire('fs').readFileSync(w, 'utf8')"}, "env js/b.js"
    )
    assert [note.partition(" cannot be followed")[0] for note in notes_of(script)] == [
        f"{tmp_path}/js/b.js, line 2: readFileSync(w,",
    ]
    plain = make({"b/main.py": "import os\nopen(0)\nopen(os.devnull)"}, "b/main.py")
    assert notes_of(plain) == ()


def test_a_folder_that_holds_too_much(make, tmp_path, monkeypatch):
    """Its files do not count, and a note says so; files that the script names still count."""
    monkeypatch.setattr(programs, "MAX_FILES", 2)
    files = {"run.sh": "#!/bin/sh\n./bot\n", "bot": "1", "a": "", "b": ""}
    command = make(files, "./run.sh")
    [note] = notes_of(command)
    assert note.startswith(f"{tmp_path} holds more than 2 files or 512 MB, too many to know")
    before = key_of(command)
    (tmp_path / "a").write_text("edited")
    assert key_of(command) == before
    (tmp_path / "bot").write_text("edited")
    assert key_of(command) != before


# No text names the file, which stays open.
HIDDEN = """\
#!/bin/sh
exec 3< "$(dirname $(dirname "$0"))/elsewh"ere"/pa"rt
read -r _; read -r _
while read -r _; do echo 1; echo word; done
"""


def arena(tmp_path, command, games=4):
    words = [sys.executable, "-m", "referee", "arena", TOY, command, command, "--limits", "off"]
    words += ["--games", games, "--jobs", 1, "--db", tmp_path / "a.db", "--json"]
    done = subprocess.run(list(map(str, words)), cwd=PROJECT, capture_output=True, text=True)
    found = [line for line in done.stderr.splitlines() if "has changed" in line]
    return done, found


@pytest.mark.slow("plays matches; other tests read the files of a process")
def test_a_file_that_a_bot_is_seen_to_use(make, tmp_path):
    """No text names it, and an edit makes another bot all the same; undone, the games are found."""
    command, file = make({"run/run.sh": HIDDEN}, "FOLDER/run/run.sh"), tmp_path / "elsewhere/part"
    file.parent.mkdir()
    file.write_text("1")
    assert str(file) not in fingerprint_command([command]).parts
    time.sleep(0.05)
    for text, n_games in (("1", 4), ("1", 4), ("edited", 8), ("1", 8)):
        file.write_text(text)
        done, changed = arena(tmp_path, command)
        assert done.returncode == 0, done.stderr
        assert len(rows(tmp_path / "a.db")) == n_games
        edited = f"({file}): 4 games stay with the former version"
        assert any(edited in line for line in changed) == (text == "edited")


def test_a_file_that_was_touched_before_it_was_seen(tmp_path):
    """It may have differed in earlier games: those stay with the former version."""
    db, file = tmp_path / "a.db", tmp_path / "part"
    file.write_text("1")
    with sole_writer(db), open_store(db) as store:
        watched = WatchedFiles.find(store, "key")
        assert watched.suffix == "" and watched.version.files == {}
        time.sleep(0.02)
        file.write_text("2")
        assert watched.add([str(file)]) == [str(file)]
        now = WatchedFiles.find(store, "key")
        assert now.suffix and list(now.version.files) == [str(file)]
        assert WatchedFiles.find(store, "key").suffix == now.suffix
        file.write_text("3")
        assert WatchedFiles.find(store, "key").suffix not in ("", now.suffix)
        file.write_text("2")
        assert WatchedFiles.find(store, "key").suffix == now.suffix
        file.unlink()
        gone = WatchedFiles.find(store, "key")
        assert gone.version.files == {str(file): ""}


def test_a_file_that_a_bot_has_made_itself_is_none_of_it(tmp_path):
    """Nor one of the system, nor one that it writes."""
    made = tmp_path / "made"
    (tmp_path / "own").write_text("")
    code = f"import time; made = open({str(made)!r}, 'w'), open({str(made)!r})\n"
    code += f"own = open({str(tmp_path / 'own')!r}), open({str(tmp_path / 'own')!r}, 'a')\n"
    code += "print(flush=True); time.sleep(9)"
    time.sleep(0.05)
    with BotProcess([sys.executable, "-c", code], {}) as process:
        os.set_blocking(process.stdout, True)
        os.read(process.stdout, 1)
        seen = process.files_in_use()
    assert str(tmp_path / "own") in seen and str(made) not in seen
    assert [path for path in seen if not programs.is_system(Path(path))] == [str(tmp_path / "own")]
