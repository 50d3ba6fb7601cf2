"""A process of its own that imports a bundle once more, in other circumstances: `python -m
bundler.native.another_import BUNDLE OUT KNOBS`.

Its kernels are recorded and not compiled. OUT: JSON with `digests` (kernel: {label: digest} of what
it keeps) or with `error`, and with `turned`. KNOBS: "1" if variables of the environment that are
not set and whose default is a number are to be other numbers; `turned` says whether there was one.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

from bundler.native.recording import NJIT, KernelError, is_foreign, run

PROJECT = str(Path(__file__).resolve().parents[2])


class AnotherImport:
    """The process, which runs while this one compiles, and its result."""

    def __init__(self, path):
        self.path = Path(path)
        self.out = self.path.with_name("another_import.json")
        # Of another length than the folder of this import: a value may be made of it
        self.folder = self.path.with_name("elsewhere")
        if len(str(self.folder)) == len(os.getcwd()):
            self.folder = self.path.with_name("somewhere else")

    def __enter__(self):
        self.folder.mkdir()
        self._start("1")
        return self

    def __exit__(self, *error):
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()

    def digests(self):
        """{kernel: {label: digest}}. Raises KernelError where the bundle cannot be imported."""
        result = self._result()
        if "error" in result and result["turned"]:
            self._start("0")
            result = self._result()
        if "error" in result:
            place, construct, *_ = result["error"]
            advice = "let it depend on no folder and no variable of the environment"
            raise KernelError(place, f"elsewhere, {construct}", advice)
        return result["digests"]

    def _start(self, knobs):
        environment = {name: os.environ[name] for name in os.environ if name.startswith("NUMBA_")}
        environment |= {"PATH": os.defpath, "PYTHONPATH": PROJECT, "PYTHONHASHSEED": "4711"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", __name__, self.path, self.out, knobs],
            cwd=self.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    def _result(self):
        said = self.process.communicate()[1]
        if self.process.returncode:
            raise RuntimeError(f"importing the bundle once more failed: {said}")
        return json.loads(self.out.read_text())


class Knobs(type(os.environ)):
    """Variables of the environment, some of them set to other numbers than the bundle expects."""

    turned = False

    def get(self, name, default=None):
        caller = sys._getframe(1)
        if caller.f_code is os.getenv.__code__:
            caller = caller.f_back
        if name in self or is_foreign(caller.f_code.co_filename):
            return super().get(name, default)
        other = turned(default)
        Knobs.turned |= other is not default
        return other


def turned(default):
    """Another number than the one that a default is or says; the default itself if it is none."""
    if isinstance(default, str):
        for number in (int, float):
            try:
                return str(number(default) + 1)
            except ValueError:
                pass
    return default + 1 if type(default) in (int, float) else default


def import_as_on_the_site(path):
    """Let nothing be imported but what is installed and what lies beside the bundle."""
    own = ("", os.getcwd(), PROJECT)
    sys.path[:] = [str(Path(path).parent), *(folder for folder in sys.path if folder not in own)]


def uncompiled(kernel, signature, options):
    """The dispatcher of a Kernel, which is compiled if it is called."""
    return NJIT(**options)(kernel.function)


def main(path, out, knobs):
    """Import the bundle at `path`; everything goes into the file `out`."""
    import_as_on_the_site(path)
    del os.environ["PYTHONPATH"]
    if knobs == "1":
        os.environ.__class__ = Knobs
    try:
        kernels = run(path, uncompiled).kernels
        result = {"digests": {name: kernel.frozen.digests() for name, kernel in kernels.items()}}
    except KernelError as error:
        result = {"error": error.args}
    Path(out).write_text(json.dumps(result | {"turned": Knobs.turned}))


if __name__ == "__main__":
    main(*sys.argv[1:])
