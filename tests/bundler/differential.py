"""Runs a miniature project before and after bundling.

A project is one text: a line `--- path` opens each file (`--- path: text` is a file of one line,
`--- path (encoding)` one that is not in UTF-8), the first is the entry. Characters that do not show
are written as their control pictures: ␍ ␌ ␉, and ␃ where a file ends without a newline. The outcome
of a run is its output, then class and message of the exception that ends it, if any.
"""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from bundler.bundle import make_bundle

FILE = re.compile(r"^--- (?P<path>[^\s:]+)(?: \((?P<encoding>[^)]+)\))?(?:: (?P<line>.*))?$", re.M)
PICTURES = str.maketrans({"␍": "\r", "␌": "\f", "␉": "\t"})
TITLE = re.compile(r"(.*?)(?: \[(.*)\])?(?: -> (carried|flattened))?")
runners = {}  # by the parent process


def files_of(text):
    """The files of a project: {path: bytes}, in order."""
    marks = list(FILE.finditer(text))
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    files = {}
    for mark, end in zip(marks, ends):
        body = text[mark.end() : end].lstrip("\n") if mark["line"] is None else mark["line"] + "\n"
        body = (body.rstrip("\n") + "\n").translate(PICTURES) if body.strip() else ""
        body = body.removesuffix("␃\n")
        files[mark["path"]] = body.encode(mark["encoding"] or "utf-8")
    return files


def write_project(text, folder):
    """Write the files of a project, a text or {path: bytes}, below `folder`; returns the path of
    the entry: main.py or the first.
    """
    files = files_of(text) if isinstance(text, str) else text
    for name, body in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    return folder / ("main.py" if "main.py" in files else next(iter(files)))


def run(path, folders, module=None):
    """Returns a program's output and end, without the paths that only its sources have."""
    runner = runners.get(os.getpid())
    if runner is None or runner.poll() is not None:
        command = [sys.executable, str(Path(__file__).with_name("runner.py"))]
        environment = {
            **{name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
            "PYTHONIOENCODING": "utf-8:backslashreplace",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        runner = subprocess.Popen(command, env=environment, encoding="utf-8", **pipes)
        runners[os.getpid()] = runner
    request = {"path": str(path), "folders": [str(folder) for folder in folders], "module": module}
    runner.stdin.write(json.dumps(request) + "\n")
    runner.stdin.flush()
    text = json.loads(runner.stdout.readline())
    text = re.sub(r" at 0x[0-9a-f]+", " at 0x", text)
    # The depth at which a recursion ends depends on the number of frames below.
    text = re.sub(r"(RecursionError: maximum recursion depth exceeded)[\w ]*", r"\1", text)
    text = re.sub(r"<module '([\w.]+)' (?:from '[^']*'|\([^)]*\))>", r"<module '\1'>", text)
    # As Python 3.13 says of a partially initialized module
    text = re.sub(r"(module '[\w.]+') from '[^']*' has no", r"\1 has no", text)
    return re.sub(r"(cannot import name .*) \((?!most likely)[^()]*\)", r"\1", text)


def outcome_of_sources(entry, root, as_module=False):
    """The bot's outcome when Python imports its modules."""
    if as_module:
        return run(entry, [root], ".".join(entry.relative_to(root).with_suffix("").parts))
    return run(entry, [entry.parent] + [root] * (entry.parent != root))


def outcome_of_bundle(text, folder):
    """The bundle's outcome in a folder without the sources."""
    folder.mkdir(exist_ok=True)
    path = folder / "bundle.py"
    path.write_text(text, encoding="utf-8", newline="")
    return run(path, [folder])


def assert_same(project, tmp_path, as_module=False, **options):
    """Bundle a project, run it both ways, and compare; returns the Bundle."""
    root = tmp_path / "project"
    entry = write_project(project, root)
    bundle = make_bundle(entry, root=root, **options)
    before = outcome_of_sources(entry, root, as_module)
    after = outcome_of_bundle(bundle.text, tmp_path / "alone")
    assert after == before, f"{after}{bundle.text}"
    return bundle


@dataclass(frozen=True)
class Program:
    """A project of a table: its topic and name, its files, the remark after its name, and whether
    it has to be carried, if the table says so.
    """

    topic: str
    name: str
    files: dict
    remarks: tuple = ()
    is_carried: bool | None = None


def read_programs(path):
    """The Programs of a table.

    `=== name` opens each; `=== name [remark] -> carried` adds details. Files before the first
    program belong to every project without such a file; text before the first `--- path` is lib.py.
    """
    common, *parts = ("\n" + path.read_text(encoding="utf-8")).split("\n=== ")
    for part in parts:
        title, _, body = part.partition("\n")
        own = files_of(body if FILE.match(body) else "--- lib.py\n" + body)
        files = own | {path: text for path, text in files_of(common).items() if path not in own}
        name, remark, ending = TITLE.fullmatch(title).groups()
        yield Program(
            path.stem,
            name,
            files,
            tuple(remark.split(", ")) if remark else (),
            ending and ending == "carried",
        )
