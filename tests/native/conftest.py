"""The zoo of kernels as one native bundle, made once."""

import os
import subprocess
import sys

import pytest

from bundler.bundle import make_bundle
from bundler.native.machine_code import insert_machine_code
from tests.conftest import PROJECT


def run(bundle, mode=None, before="", given="", python=sys.executable):
    """Run a bundle in a process of its own: (stdout, stderr).

    Raises CalledProcessError if it fails.

    mode: the value of CG_JIT, None for the bundle's own; before: statements to execute first;
    python: the interpreter.
    """
    environment = {name: value for name, value in os.environ.items() if name != "CG_JIT"}
    if mode is not None:
        environment["CG_JIT"] = mode
    start = f"import runpy\n{before}\nrunpy.run_path({str(bundle)!r}, run_name='__main__')"
    result = subprocess.run(
        [python, "-c", start],
        cwd=bundle.parent,
        env=environment,
        input=given,
        capture_output=True,
        text=True,
        check=True,
    )
    return result.stdout, result.stderr


def native_bundle(entry, root, packing=None, **options):
    """The text of a native bundle; the options are those of `embed`."""
    text = make_bundle(entry, root=root, mode="native", packing=packing).text
    return insert_machine_code(text, make_bundle(entry, root=root, mode="numba").text, **options)


ZOO = PROJECT / "tests" / "native" / "zoo.py"


@pytest.fixture(scope="session")
def zoo(tmp_path_factory):
    """The path of the bundle; machine code is kept in its folder."""
    folder = tmp_path_factory.mktemp("native")
    bundle = folder / "zoo.py"
    bundle.write_text(native_bundle(ZOO, PROJECT, encode="base85", cache=folder))
    return bundle


@pytest.fixture(scope="session")
def plain(zoo):
    """The zoo's output as plain Python."""
    return run(zoo, "0")[0]
