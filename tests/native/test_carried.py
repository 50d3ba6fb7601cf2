"""Kernels in carried modules and in the entry: they are identified by their
modules, and find the names they raise and read there.
"""

import pytest

from bundler.bundle import make_bundle
from bundler.errors import BundleError
from bundler.native.machine_code import machine_code_literal
from tests.conftest import PROJECT
from tests.native.conftest import native_bundle, run

pytestmark = pytest.mark.slow("compiles a bundle for each test")

# A program with a module that reads its own namespace is carried.
WALLS = """
from shared.core.jit import kernel, njit

NAMES = globals()


class Blocked(Exception):
    pass


@njit
def look(n):
    if n == 3:
        raise Blocked("at", 3)
    return n


@kernel("int64(int64)")
def walk(n):
    return look(n) + 1
"""

SEARCH = """
from shared.core.jit import kernel

SALT = 10
NAMES = globals()


def make_search(step):
    def search(n):
        return step(n) * 100

    return search


@kernel("int64(int64)")
def walk(n):
    return n + SALT
"""

MOVES = """
from shared.core.jit import kernel, njit


class Stuck(Exception):
    pass


@njit
def step(n):
    if n == 4:
        raise Stuck
    if n == 5:
        raise KeyError("ünï", 5)
    return n


@kernel("int64(int64)")
def walk(n):
    return step(n) + 1000
"""

BOT = """
import moves
import search
from moves import Stuck, step
from shared.core.jit import kernel
from walls import Blocked, walk as walk_to_the_wall

search_steps = kernel("int64(int64)")(search.make_search(step))


@kernel("int64(int64)")
def walk_twice(n):
    return moves.walk(moves.walk(n)) + 7


def main():
    print(input())
    for function in (walk_to_the_wall, search.walk, moves.walk, search_steps, walk_twice):
        for n in range(6):
            try:
                print(int(function(n)))
            except (Blocked, Stuck, KeyError) as error:
                print(type(error) in (Blocked, Stuck), type(error).__name__, error.args)


if __name__ == "__main__":
    main()
"""


@pytest.fixture
def project(tmp_path):
    """write(**others) writes a bot's files, those named with other contents; returns its path."""

    def write(**others):
        folder = tmp_path / "project"
        folder.mkdir()
        (folder / "shared").symlink_to(PROJECT / "shared")
        for name, text in {"walls": WALLS, "search": SEARCH, "moves": MOVES, "bot": BOT}.items():
            (folder / f"{name}.py").write_text(others.get(name, text))
        return folder / "bot.py"

    return write


def test_all_modes_give_the_same(project, tmp_path):
    bot = project()
    bundle = make_bundle(bot, root=bot.parent, mode="python")
    assert {"walls", "search", "moves", "shared.core.jit"} <= set(bundle.carried)
    (path := tmp_path / "bundle.py").write_text(bundle.text)
    plain, said = run(path, given="one line\n")
    assert (len(plain.splitlines()), said) == (31, "")
    assert "True Blocked ('at', 3)" in plain and "True Stuck ()" in plain
    path.write_text(make_bundle(bot, root=bot.parent, mode="numba").text)
    assert run(path, given="one line\n") == (plain, "")
    said = "kernels run as machine code for x86-64-v2\n"
    for packing in (None, "base85"):
        text = native_bundle(bot, bot.parent, cache=tmp_path, packing=packing)
        path.write_text(text, encoding="utf-8")
        assert run(path, given="one line\n") == (plain, said)


def test_kernels_of_modules_that_are_imported_late_are_compiled_too(project, tmp_path):
    late = MOVES.replace("1000", "2000")
    entry = BOT.replace(
        "print(input())", "print(input())\n    from late import walk\n    print(walk(1))"
    )
    bot = project(bot=entry)
    (bot.parent / "late.py").write_text(late)
    (path := tmp_path / "bundle.py").write_text(native_bundle(bot, bot.parent, cache=tmp_path))
    output, said = run(path, given="one line\n")
    assert output.splitlines()[1] == "2001"
    assert said == "kernels run as machine code for x86-64-v2\n"


def test_a_module_with_kernels_that_cannot_be_imported_by_itself_is_refused(project, tmp_path):
    bot = project(bot=BOT.replace("print(input())", "print(input())\n    import late"))
    (bot.parent / "late.py").write_text(MOVES + "\nN = int(input())\n")
    with pytest.raises(BundleError) as caught:
        native_bundle(bot, bot.parent, cache=tmp_path, path=str(bot))
    assert str(caught.value).startswith("late.py:22: importing late ends with EOFE")


@pytest.mark.exhaustive("starts processes that import numba for each error", keep=1)
@pytest.mark.parametrize(
    ("others", "place", "said"),
    [
        (
            {"moves": MOVES.replace("return n\n", "return n + nothing\n")},
            "moves.py:15",
            "kernel walk, in step: NameError: name 'nothing' is not defined",
        ),
        (
            {"bot": BOT.replace("print(input())", "search.SALT = len(input())")},
            "bot.py:17",
            "SALT, which kernel walk reads and keeps, is changed here",
        ),
    ],
)
def test_errors_name_the_file_of_the_module(project, tmp_path, others, place, said):
    bot = project(**others)
    text = make_bundle(bot, root=bot.parent, mode="numba").text
    with pytest.raises(BundleError) as caught:
        machine_code_literal(text, cache=tmp_path, path=str(bot))
    assert str(caught.value).startswith(f"{place}: {said}")


def test_only_the_module_of_the_machine_code_may_run_a_loader(project):
    """The same statement of another module runs a text that nobody knows."""
    loads = """
def load(loader):
    names = {}
    exec(compile(loader, "loader.py", "exec"), names)
    return names
"""
    bot = project(bot="from loads import load\nload('')\n")
    (bot.parent / "loads.py").write_text(loads)
    reasons = make_bundle(bot, root=bot.parent, mode="python").reasons
    assert "uses exec, loads.py:4" in reasons
