"""Bundles that are open for tuning: a value from outside and the same value compiled in give the
same bits, as machine code and as plain Python.
"""

import json
import os
import subprocess
import sys

import pytest

from bundler.bundle import make_bundle
from bundler.errors import BundleError
from bundler.native.machine_code import insert_machine_code
from bundler.sites import STRICT
from bundler.versions import check_version
from tests.conftest import PROJECT
from tests.support.pythons import python_of

# Every way for a number to enter a kernel: by a closure and a closure's closure, a global, a field
# of a global tuple, derived in a factory and at the top, as a branch, a bound and an index.
BOT = """
from typing import NamedTuple

from shared.core.jit import Floats, float_buffer, inline, kernel, njit
from shared.core.tunable import tunable


class Options(NamedTuple):
    rate: float
    n_turns: int
    noise: float = 0.0


OPTIONS = Options(tunable("rate", 0.37, 0.0, 4.0), tunable("n_turns", 3, 0, 9), 0.5)
NOISE = tunable("noise", 0.0, 0.0, 1.0)
SCALE = 4.0 * tunable("scale", 1.0, -3.0, 3.0) ** 2
IS_LARGE = SCALE > 10.0
PLACE = tunable("place", 1, 0, 3)
POWER = tunable("power", 2, 0, 3)
LATE = 2.0 if tunable("late", 0, 0, 9) == 8 else 1.0


@njit
def bent(x):
    if POWER == 2:
        x += 0.5
    return x / (1.0 + SCALE) if not IS_LARGE else x - SCALE


def make_walk(options):
    rate, n_turns, _ = options
    least = max(n_turns, 1)

    @inline
    def step(x):
        return bent(x) * rate + (NOISE if NOISE > 0.0 else 0.25)

    def walk(numbers: Floats, x: float) -> float:
        for turn in range(least):
            x = step(x) + numbers[PLACE] * OPTIONS.n_turns + OPTIONS.noise
            numbers[turn & 3] += x
        return x

    return walk


walk = kernel(make_walk(OPTIONS))


@kernel
def untouched(numbers: Floats) -> float:
    return numbers[0] + LATE


def main():
    numbers = float_buffer([0.1, 0.2, 0.3, 0.4])
    print(walk(numbers, 1.1).hex(), [float(one).hex() for one in numbers], untouched(numbers).hex())


if __name__ == "__main__":
    main()
"""
VALUES = [
    {},
    {"rate": 1.0, "scale": 0.0},
    {"rate": 3.21, "n_turns": 2, "noise": 0.75, "scale": -2.5, "place": 3},
    {"n_turns": 9, "noise": 1.0, "scale": 1.58, "place": 0, "power": 3},
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("open")
    (folder / "bot.py").write_text(BOT)
    (folder / "shared").symlink_to(PROJECT / "shared")
    return folder


def native(source, parameters):
    """Returns the text of a native bundle with given values, or open for tuning."""
    made, kernels = (
        make_bundle(source, root=source.parent, mode=mode, parameters=parameters)
        for mode in ("native", "numba")
    )
    return insert_machine_code(made.text, kernels.text, cache=source.parent)


@pytest.fixture(scope="module")
def opened(folder):
    bundle = folder / "opened.py"
    bundle.write_text(native(folder / "bot.py", None))
    return bundle


def run(bundle, values, mode=None, python=sys.executable):
    """(stdout, the last line of stderr) of a bundle."""
    environment = {name: text for name, text in os.environ.items() if name != "CG_JIT"}
    environment |= {"CG_PARAMETERS": json.dumps(values)} if values else {}
    environment |= {"CG_JIT": mode} if mode else {}
    done = subprocess.run(
        [python, bundle], env=environment, capture_output=True, text=True, timeout=60
    )
    return done.stdout, (done.stderr.splitlines() or [""])[-1]


@pytest.mark.slow("one value is compared in another test")
def test_machine_code_and_plain_python_agree_on_every_value(opened):
    outputs = []
    for values in VALUES:
        output, said = run(opened, values)
        assert said == "kernels run as machine code for x86-64-v2"
        assert (output, "") == run(opened, values, "0")
        assert (output, said) == run(opened, values, python=python_of("oldest"))
        outputs.append(output)
    assert len(set(outputs)) == len(VALUES)


@pytest.mark.parametrize("file", ["chosen_code", "loader", "tunable_code"])
def test_texts_that_travel_with_machine_code_are_no_newer_than_the_oldest_python(file):
    text = (PROJECT / "bundler" / "native" / f"{file}.py").read_text()
    check_version({f"{file}.py": text}, STRICT.python)


OTHER_KERNELS = "makes other kernels with these tunable numbers: write them into a bundle by --set"


@pytest.mark.slow("compiles a bundle that is open for tuning")
@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"rate": 9.0}, "CG_PARAMETERS: rate is a number from 0.0 to 4.0, got 9.0"),
        ({"late": 8}, f"<module> {OTHER_KERNELS}"),
        ({"n_turns": 0}, f"make_walk {OTHER_KERNELS}"),
    ],
)
def test_numbers_that_are_invalid_or_make_other_kernels_end_the_bot(opened, other, said):
    assert run(opened, other) == ("", said)


EARLY = "@njit\ndef square(n):\n    return n * POWER\n\n\nTABLE = square(3)\n\n\n@njit\ndef bent"


@pytest.mark.exhaustive("starts processes that import numba")
def test_a_tunable_number_read_by_a_kernel_at_import_is_refused(folder):
    bot = folder / "early.py"
    bot.write_text(BOT.replace("@njit\ndef bent", EARLY))
    with pytest.raises(BundleError, match="has no value yet"):
        native(bot, None)


@pytest.mark.exhaustive("compiles a bot twice")
def test_an_open_bundle_plays_as_one_with_the_values_written_in(tmp_path):
    bot, given = "bots/coders_strike_back/smitsimax.py", ["gate=1400.0", "random_visits=3"]
    log, written = tmp_path / "log", tmp_path / "written.py"
    outputs = []

    def onefile(module, *words):
        command = [sys.executable, "-m", module, *words]
        subprocess.run(command, cwd=PROJECT, check=True, capture_output=True)

    onefile("bundler", bot, "-o", written, "--no-check", "--set", given[0], "--set", given[1])
    for player in (written, " ".join([bot, *given])):
        options = "--nodes 200 --limits off --turns 40 --seed 3 --log".split()
        onefile("referee", "match", "coders_strike_back", player, bot, *options, log)
        turns = [json.loads(line) for line in log.read_text().splitlines()[1:-1]]
        outputs.append([turn["players"]["0"]["output"] for turn in turns])
    assert outputs[0] == outputs[1] != []
