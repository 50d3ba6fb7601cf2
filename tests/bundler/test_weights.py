"""Weights files of a bot are embedded in its bundle."""

import subprocess
import sys
import time

import numpy as np
import pytest

from bundler.bundle import make_bundle
from bundler.errors import BundleError
from bundler.report import utf16_units
from shared.core import packed
from tests.conftest import PROJECT

BOT = """\
from shared.core.packed import weights

NETWORK = weights("net.npz")


def main():
    print({name: (str(array.dtype), array.tolist()) for name, array in NETWORK.items()})


if __name__ == "__main__":
    main()
"""


@pytest.fixture
def bot(tmp_path):
    (tmp_path / "shared").symlink_to(PROJECT / "shared")
    file = tmp_path / "bot.py"
    file.write_text(BOT)
    return file


def run(file, folder):
    command = [sys.executable, str(file)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


@pytest.mark.parametrize(("mode", "strip"), [("python", False), ("native", True)])
def test_a_bundle_has_the_numbers_of_the_file(bot, tmp_path, mode, strip):
    """Arrays keep their types in a folder without the file; the file's header is left out."""
    arrays = {"rows": np.array([[-128, 127], [0, 5]], np.int8), "bias": np.array([-999], np.int16)}
    np.savez_compressed(tmp_path / "net.npz", header=np.array("{}"), **arrays)
    alone = tmp_path / "alone"
    alone.mkdir()
    bundle = alone / "bundle.py"
    bundle.write_text(make_bundle(bot, root=tmp_path, mode=mode, strip=strip).text)
    expected = {name: (str(a.dtype), a.ravel().tolist()) for name, a in arrays.items()}
    assert run(bundle, alone).stdout == run(bot, alone).stdout == f"{expected}\n"


def test_150_000_weights_fit_and_are_there_in_no_time(bot, tmp_path, monkeypatch):
    """Random ones: trained ones pack better. The time is printed, and has to be far below a
    noticeable delay.
    """
    numbers = np.random.default_rng(1).integers(-127, 128, 150_000).astype(np.int8)
    np.savez(tmp_path / "net.npz", rows=numbers)
    text = make_bundle(bot, root=tmp_path, mode="python", strip=True).text
    assert utf16_units(text) < 85_000
    literal = text.partition('PACKED_WEIGHTS = r"""')[2].partition('"""')[0]
    monkeypatch.setattr(packed, "PACKED_WEIGHTS", literal)
    began = time.process_time()
    found = packed.weights("net.npz")["rows"]
    print(f"{1000 * (time.process_time() - began):.1f} ms")
    assert (found == numbers).all()


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            'weights("none.npz")',
            "bot.py:3: weights of none.npz: No such file or directory: train them",
        ),
        ('weights("cut.npz")', "bot.py:3: weights of cut.npz: .+: train them first"),
        ('weights("rows.npy")', "bot.py:3: weights of rows.npy: no .npz file: train them first"),
        (
            "weights(str(1))",
            "bot.py:3: weights of a computed name: write the file's name as a text",
        ),
        ('weights("odd.npz")', "bot.py:3: words of odd.npz is <U1: write one of int8, "),
    ],
)
def test_files_that_cannot_be_packed_are_refused(bot, tmp_path, call, text):
    np.savez(tmp_path / "odd.npz", words=np.array(["a"]))
    np.save(tmp_path / "rows.npy", np.zeros(3))
    # The archive's directory, at its end, lists more files than it contains.
    (tmp_path / "cut.npz").write_bytes((tmp_path / "odd.npz").read_bytes()[-150:])
    bot.write_text(BOT.replace('weights("net.npz")', call))
    with pytest.raises(BundleError, match=text):
        make_bundle(bot, root=tmp_path)
