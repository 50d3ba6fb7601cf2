"""The compile subprocesses: one compiles the kernels of a bundle, another one imports the bundle in
a different environment, to find captures that depend on the environment.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bundler.errors import BundleError
from bundler.source_map import SourceMap

PROJECT = Path(__file__).resolve().parents[2]
ALWAYS = {
    "NUMBA_CPU_FEATURES": "",
    "NUMBA_OPT": "0",  # LLVM optimises once, when the module is complete
    "PYTHONPATH": str(PROJECT),
}
IMPORT_S = 600.0  # many times what the largest bot takes on a busy machine

Answer = dict[str, Any]  # see compile.py
Wait = Callable[[str], Answer]  # by the path of the bot
Place = tuple[str, int]  # (file, line)
Refusal = Callable[[Place, str, str], BundleError]  # by the place, the construct and the advice

CHANGING = (
    "let it depend on no clock, seed, environment or order of a set, or pass it as an argument"
)


@contextlib.contextmanager
def import_process(
    bundle: Path, folder: Path, environment: Mapping[str, str], task: str, cache: Path = Path()
) -> Iterator[Wait]:
    """Start a compile subprocess in a folder. Yields the function that waits for its answer. At the
    context's end kills the process and all that it has started. task, cache: see compile.py.
    """
    out = Path(tempfile.mkdtemp(dir=bundle.parent), "out.json")
    with subprocess.Popen(
        [sys.executable, "-m", "bundler.native.compile", bundle, out, cache, task],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield partial(answer, process, out)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def answer(process: subprocess.Popen[str], out: Path, path: str) -> Answer:
    """Returns the answer that a process has written into the file `out`. path: the bot's path in an
    error. Raises BundleError.
    """
    try:
        said = process.communicate(timeout=IMPORT_S)[1]
    except subprocess.TimeoutExpired as error:
        advice = 'let it play only under `if __name__ == "__main__":`'
        construct = f"importing the bot has not come to its end in {IMPORT_S:.0f} s"
        raise BundleError(path, 1, construct, advice) from error
    if not out.exists():
        lines = said.strip().splitlines() or [f"exit status {process.returncode}"]
        advice = "run the bot that is flattened with --mode numba by itself"
        raise BundleError(path, 1, f"compiling failed: {lines[-1]}", advice)
    answered: Answer = json.loads(out.read_text())
    return answered


def compile_kernels(source: str, cpus: Sequence[str], path: str, cache: Path) -> Answer:
    """Returns the answer of compile.py for the text of a bundle. path: the bot's path in an error.
    cache: a folder. Raises BundleError, also for a capture that is different in another import.
    """
    with bundle_file(source, path) as (bundle, error):
        elsewhere = bundle.parent / "elsewhere"  # of another length
        elsewhere.mkdir()
        other = {**ALWAYS, "PATH": os.defpath, "PYTHONHASHSEED": "4711"}
        with (
            import_process(bundle, bundle.parent, here(cpus[0]), " ".join(cpus), cache) as first,
            import_process(bundle, elsewhere, other, "perturbed") as second,
        ):
            compiled = first(path)
            if "error" in compiled:
                raise error(*compiled["error"])
            again = second(path)
        if "error" in again:
            with import_process(bundle, elsewhere, other, "import") as second:
                again = second(path)
        if "error" in again:
            place, construct, _ = again["error"]
            advice = "let it depend on no folder and no variable of the environment"
            raise error(place, f"elsewhere, {construct}", advice)
        for label, (digest, place, phrase) in compiled["captures"].items():
            if again["captures"].get(label, [None])[0] != digest:
                raise error(place, f"{phrase} is not the same in another import", CHANGING)
    return compiled


def check_kernels(source: str, path: str) -> str:
    """Check the kernels of a bundle that numba compiles on the site. Returns a warning if the
    bundle cannot be imported here, else "". Raises BundleError for a kernel whose results would
    differ from Python's.
    """
    if not find_spec("numba") or "import numba" not in source:
        return ""
    with (
        bundle_file(source, path) as (bundle, error),
        import_process(bundle, bundle.parent, here(), "check") as check,
    ):
        answered = check(path)
        if "error" in answered and not answered["is_import"]:
            raise error(*answered["error"])
    return f"kernels NOT CHECKED: {error(*answered['error'])}" if "error" in answered else ""


def here(cpu: str = "") -> dict[str, str]:
    """Returns the environment variables of a compile subprocess, without options of numba and
    Python that change machine code. cpu: the processor's name.
    """
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "PYTHONOPT"))}
    return {**kept, **ALWAYS, "NUMBA_CPU_NAME": cpu, "CG_JIT": "1", "PYTHONHASHSEED": "0"}


@contextlib.contextmanager
def bundle_file(source: str, path: str) -> Iterator[tuple[Path, Refusal]]:
    """Yields (path of a file with a bundle's text, function that makes the error of an answer a
    BundleError). The file lies in a temporary folder of its own.
    """
    with tempfile.TemporaryDirectory() as name:
        bundle = Path(name, "bot.py")
        bundle.write_text(source, encoding="utf-8")

        def source_place(file: str, line: int) -> Place:
            place = SourceMap(source).locate(line) or (path, line)
            return place if file == str(bundle) else (file, line)  # the latter of embedded modules

        def error(place: Place, construct: str, advice: str) -> BundleError:
            texts = (text.replace(f"{name}{os.sep}", "") for text in (construct, advice))
            return BundleError(*source_place(*place), *texts)

        yield bundle, error
