"""Kernels in modules that a bundle carries as text and imports, and in pieces that say what module
they are from: bundles written by hand, with shared/core/jit.py and all it imports carried too.
"""

import subprocess
import sys

import pytest

from bundler.errors import BundleError
from bundler.native.embedding import machine_code_literal
from tests.conftest import PROJECT
from tests.native.conftest import run

IMPORTER = '''
import importlib.util
import sys


class Importer:
    """Imports the modules that the bundle carries."""

    def find_spec(self, name, path=None, target=None):
        if name in CARRIED:
            package = any(other.startswith(name + ".") for other in CARRIED)
            return importlib.util.spec_from_loader(name, self, is_package=package)

    def create_module(self, spec):
        return None

    def get_source(self, name):
        return CARRIED[name]

    def exec_module(self, module):
        file = module.__name__.replace(".", "/") + ".py"
        exec(compile(CARRIED[module.__name__], file, "exec"), vars(module))


sys.meta_path.insert(0, Importer())
'''

CORE = ("jit", "numba_kernels", "machine_code", "plain_kernels")

WALLS = """
from shared.core.jit import kernel, njit


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


def make_search(step):
    def search(n):
        return step(n) * 100

    return search


@kernel("int64(int64)")
def walk(n):
    return n + 10
"""

# Its pieces, as of a flattened bundle: the entry's function, the module's class
ENTRY = '''
__name__ = "moves"
from shared.core.jit import kernel, njit
import search
from walls import Blocked, walk as walk_to_the_wall


class Stuck(Exception):
    """Of a piece of the bundle."""


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


__name__ = "__main__"
search_steps = kernel("int64(int64)")(search.make_search(step))


@kernel("int64(int64)")
def walk_twice(n):
    return walk(walk(n)) + 7


def main():
    print(input())
    for function in (walk_to_the_wall, search.walk, walk, search_steps, walk_twice):
        for n in range(6):
            try:
                print(int(function(n)))
            except (Blocked, Stuck, KeyError) as error:
                print(type(error) in (Blocked, Stuck), type(error).__name__, error.args)


if __name__ == "__main__":
    main()
'''


def bundle(mode, entry=ENTRY, machine_code='""', **modules):
    """The text of a bundle that carries the modules and shared/core."""
    carried = {"shared": "", "shared.core": "", "walls": WALLS, "search": SEARCH} | modules
    for name in CORE:
        text = (PROJECT / "shared" / "core" / f"{name}.py").read_text()
        text = text.replace('BUNDLE_MODE = "numba"', f'BUNDLE_MODE = "{mode}"')
        carried[f"shared.core.{name}"] = text.replace(
            'MACHINE_CODE = ""', f"MACHINE_CODE = {machine_code}"
        )
    return f"CARRIED = {carried!r}\n{IMPORTER}{entry}"


@pytest.fixture(scope="module")
def literal(tmp_path_factory):
    return machine_code_literal(bundle("numba"), cache=tmp_path_factory.mktemp("code"))


def written(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def test_kernels_of_carried_modules_answer_the_same_in_all_modes(literal, tmp_path):
    plain, said = run(written(tmp_path / "plain.py", bundle("python")), given="one line\n")
    assert (len(plain.splitlines()), said) == (31, "")
    assert (
        "True Blocked ('at', 3)" in plain and "True Stuck ()" in plain and "False KeyError" in plain
    )
    compiled = written(tmp_path / "compiled.py", bundle("numba"))
    assert run(compiled, given="one line\n") == (plain, "")
    native = written(tmp_path / "native.py", bundle("native", machine_code=literal))
    said = "kernels run as machine code for x86-64-v2\n"
    assert run(native, given="one line\n") == (plain, said)


def test_the_kernels_are_told_by_their_modules(tmp_path):
    path = written(tmp_path / "bot.py", bundle("numba"))
    program = f"from bundler.native.recording import run; print(*run({str(path)!r}).kernels)"
    command = [sys.executable, "-c", program]
    printed = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True)
    assert printed.stdout == (
        "search.walk walls.walk moves.walk search.make_search.<locals>.search __main__.walk_twice\n"
    )


def test_a_kernel_that_was_not_compiled_is_never_taken_for_another(literal, tmp_path):
    """Here the text that carries the code has one more, with a name that others have."""
    entry = ENTRY.replace('__name__ = "moves"', "from more import walk as more\n__name__ = 'moves'")
    more = SEARCH.replace("n + 10", "n + 20")
    text = bundle("native", entry + "\nprint(more(1))\n", literal, more=more)
    output, said = run(written(tmp_path / "more.py", text), given="one line\n")
    assert output.splitlines()[-1] == "21"
    assert "kernel more.walk has no machine code: it runs as plain Python\n" in said


def test_an_error_in_a_carried_module_names_its_file_and_line(tmp_path):
    walls = WALLS.replace("return n\n", "return n + nothing\n")
    line = walls[: walls.index("+ nothing")].count("\n") + 1
    with pytest.raises(BundleError) as caught:
        machine_code_literal(bundle("numba", walls=walls), cache=tmp_path)
    said = "kernel walk, in look: NameError: name 'nothing' is not defined"
    assert str(caught.value) == f"walls.py:{line}: {said}"


@pytest.mark.parametrize(
    "entry, search, place, said",
    [
        (
            ENTRY + "\n\ndef prepare():\n    search.SALT = 4  # HERE\n",
            "SALT = 3\n" + SEARCH.replace("n + 10", "n + SALT"),
            None,
            "SALT, which kernel walk reads and keeps, is changed here",
        ),
        (
            ENTRY.replace("return n\n", "return n + search.SALT\n"),
            "import os\nSALT = os.getpid()\n" + SEARCH,
            "search.py:2",
            "search.SALT, which kernel walk, in step, reads and keeps, is not the same",
        ),
        (
            ENTRY.replace("return n\n", "return n + SALT\n").replace(
                "import search\n", "import search\nfrom search import SALT\n"
            ),
            "import os\nSALT = os.getpid()\n" + SEARCH,
            "search.py:2",
            "SALT, which kernel walk, in step, reads and keeps, is not the same",
        ),
    ],
)
def test_what_is_not_the_same_later_is_said_of_carried_modules(
    tmp_path, entry, search, place, said
):
    text = bundle("numba", entry, search=search)
    with pytest.raises(BundleError) as caught:
        machine_code_literal(text, cache=tmp_path)
    lines = text.splitlines()
    place = place or f"bundle:{next(i for i, line in enumerate(lines, 1) if '# HERE' in line)}"
    assert str(caught.value).startswith(f"{place}: {said}")
