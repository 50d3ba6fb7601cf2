"""Builds the distribution, installs it in clean environments, and types a newcomer's commands."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
# Programs that commands start besides Python: no compiler is among them.
PROGRAMS = ("env", "sh")
NOBODY = 65534
MEGABYTE = 1e6
TRAPS = ("bots", "bundler", "numpy_", "referee", "shared", "tests")


def build_wheel(folder):
    """Returns the wheel, built from the files of the checkout."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    [wheel] = Path(folder).glob("*.whl")
    return wheel


def promised():
    """Returns the versions of Python that the metadata names, as in 3.11."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    kinds = "\n".join(project["classifiers"])
    return re.findall(r"^Programming Language :: Python :: (3\.\d+)$", kinds, re.MULTILINE)


def lowest_requirements():
    """Returns the dependencies, each at the lower end of its range."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    return [re.sub(r">=([^,]+).*", r"==\1", text) for text in project["dependencies"]]


def install(wheel, folder, python=sys.executable, lowest=False, extra=""):
    """Install the wheel in a new environment. Returns its folder `bin`."""
    run([python, "-m", "venv", "--without-pip", folder])
    binaries = Path(folder) / "bin"
    add(f"{wheel}{extra}", binaries, *(lowest_requirements() if lowest else []))
    return binaries


def add(package, binaries, *others):
    """Install packages in an environment."""
    inside, uv = str(binaries / "python"), shutil.which("uv")
    pip = [uv, "pip", "install", "--quiet", "--python", inside]
    if not uv:
        pip = [sys.executable, "-m", "pip", "--python", inside, "install", "--quiet"]
        pip += ["--disable-pip-version-check"]
    run([*pip, package, *others])


def run(command):
    """Run a command. Raises AssertionError with all that it wrote where it fails."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


class Newcomer:
    """Types commands in an empty home, with an installation that cannot be written: as another user
    where this is root.

    In `home` lie modules named as the project's folders, which end every program that imports them.
    """

    def __init__(self, binaries, home):
        self.home, self.folder = Path(home), Path(home)
        self.binaries = Path(binaries)
        programs = self.home / "programs"
        programs.mkdir()
        for name in PROGRAMS:
            (programs / name).symlink_to(shutil.which(name))
        for name in TRAPS:
            (self.home / f"{name}.py").write_text('raise SystemExit("a trap was imported")\n')
        self.environment = {
            "HOME": str(self.home),
            "PATH": f"{binaries}{os.pathsep}{programs}",
            "TMPDIR": str(self.home),
        }
        self.user = {}
        if os.geteuid() == 0:
            shutil.chown(self.home, NOBODY, NOBODY)
            self.user = {"user": NOBODY, "group": NOBODY, "extra_groups": []}

    def can_start(self):
        """True if the user may run the interpreter of the environment."""
        try:
            return not subprocess.run(
                [self.binaries / "python", "-c", ""], env=self.environment, **self.user
            ).returncode
        except PermissionError:
            return False

    def own_everything(self):
        """Give the user what this process has written into its home."""
        for path in self.home.rglob("*") if self.user else ():
            shutil.chown(path, NOBODY, NOBODY)

    def type(self, *words, status=0):
        """Type a command in the current folder. Returns what it writes."""
        self.own_everything()
        program = self.binaries / words[0]
        done = subprocess.run(
            [program, *map(str, words[1:])],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            **self.user,
        )
        said = done.stdout + done.stderr
        assert done.returncode == status, f"{words}: status {done.returncode}\n{said}"
        assert "Traceback" not in said and "trap" not in said, said
        return said


def walk(newcomer):
    """Type a newcomer's commands, from an empty folder to a bundle, and test what they say."""
    onefile = "onefile"
    assert newcomer.type(onefile, "--version").startswith("onefile ")
    newcomer.type(onefile, "--help")
    assert "onefile init" in newcomer.type(onefile, "new", "my_contest", status=2)
    newcomer.type(onefile, "init", "own")
    newcomer.folder = newcomer.home / "own"
    said = newcomer.type(onefile, "new", "my_contest")
    assert "tests/unit/test_my_contest.py" in said.splitlines()
    bots = [f"bots/my_contest/{name}.py" for name in ("smitsimax", "random_player")]
    played = ["--limits", "off", "--nodes", 50, "--seed", 1]
    said = newcomer.type(onefile, "match", "my_contest", *bots, *played, "--log", "m.jsonl")
    assert "wins" in said
    newcomer.type(onefile, "view", "m.jsonl", "-o", "m.html")
    assert "agree" in newcomer.type(onefile, "replay", "m.jsonl", "--player", 0)
    for mode in ("python", "native"):
        newcomer.type(onefile, "bundle", bots[0], "--mode", mode, "-o", f"{mode}.py")
        said = newcomer.type("python", "-I", f"{mode}.py", status=1)
        assert "the input ended" in said
    said = newcomer.type(onefile, "arena", "my_contest", *bots, "--games", 4, *played[:4])
    assert "4 games in " in said and str(newcomer.folder) in said
    (newcomer.folder / "stub.txt").write_text("gameloop\nread x:int\nwrite WAIT\n")
    newcomer.type(onefile, "new", "other_contest", "--stub", "stub.txt")
    installed = newcomer.binaries.parent.glob("lib/*/site-packages/onefile_bots/bots")
    mine = newcomer.folder / "bots" / "infexion" / "mine.py"
    mine.parent.mkdir()
    mine.write_text((next(installed) / "infexion" / "random_player.py").read_text())
    # A bot of a workspace is found from any folder.
    newcomer.folder = newcomer.home
    rivals = ["own/bots/infexion/mine.py", "bots/infexion/random_player.py"]
    newcomer.type(onefile, "match", "infexion", *rivals, "--limits", "off", "--turns", 4)
    newcomer.folder = newcomer.home / "elsewhere"
    newcomer.folder.mkdir()
    alone = newcomer.folder / "alone.py"
    alone.write_text(mine.read_text())
    said = newcomer.type(onefile, "match", "infexion", "alone.py", rivals[1], status=2)
    assert "onefile init" in said
    newcomer.type(onefile, "doctor")
