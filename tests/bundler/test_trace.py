"""`--trace`: the bundle echoes its game to stderr and plays as before."""

import random
import subprocess
import sys

import pytest

from bundler.bundle import make_bundle
from referee.replay.import_game import read_trace
from tests.bundler.differential import write_project
from tests.bundler.test_command_line import bundler as command

SITE_STDERR = 4096  # bytes a turn
# A game of three turns: the first line gives the number of lines, the answer is that number and the
# first line.
GAME = "3\n10 20\n-5 6\nword\n2\nä\n7 8\n1\nend\n"
ANSWERS = "3\n10 20\n2\nä\n1\nend\n"
READERS = {
    "readline": "read = sys.stdin.readline",
    "iteration": "read = iter(sys.stdin).__next__",
    "input": "read = input",
    "buffer": "read = lambda: sys.stdin.buffer.readline().decode()",
}
BOT = """
import sys
{read}
for turn in range(3):
    n = int(read())
    lines = [read().rstrip() for _ in range(n)]
    print(n)
    print(lines[0])
    sys.stdout.flush()
"""


def traced(code, folder):
    """The file of a bot's traced bundle."""
    entry = write_project("--- bot.py\n" + code, folder)
    bundle = folder / "bundle.py"
    bundle.write_text(make_bundle(entry, trace=True).text, encoding="utf-8")
    return bundle


@pytest.mark.parametrize("reader", READERS)
def test_every_way_to_read_is_traced(tmp_path, reader):
    """The answers stay the same, and the trace contains all input and output."""
    bundle = traced(BOT.format(read=READERS[reader]), tmp_path)
    run = [sys.executable, "-I", bundle]
    done = subprocess.run(run, input=GAME, capture_output=True, text=True, encoding="utf-8")
    assert done.stdout == ANSWERS, done.stderr
    trace = read_trace(done.stderr, bundle)
    assert b"".join(turn.read for turn in trace.turns).decode() == GAME
    assert b"".join(turn.written for turn in trace.turns).decode() == ANSWERS


def play(bundle, inputs):
    """Returns the stderr of a bot that reads each input after it has answered the last one with a
    line.
    """
    command = [sys.executable, "-I", bundle]
    with (
        open(bundle.with_suffix(".err"), "w+") as stderr,
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, text=True
        ) as bot,
    ):
        for text in inputs:
            bot.stdin.write(text)
            bot.stdin.flush()
            assert bot.stdout.readline() == f"{len(text)}\n"
        bot.stdin.close()
        bot.wait()
        stderr.seek(0)
        return stderr.read()


COUNTER = """
import sys
while line := sys.stdin.readline():
    print(len(line), flush=True)
"""


def test_a_long_turn_is_spread_over_turns(tmp_path):
    """No turn's stderr exceeds the site's allowance, and nothing is lost once there was room."""
    rng = random.Random(1)
    long = "".join(rng.choices("0123456789abcdefghijklmnop", k=12_000)) + "\n"
    inputs = [long, *(f"{n}\n" for n in range(8))]
    said = play(traced(COUNTER, tmp_path), inputs)
    sizes = [0] * len(inputs)
    for line in said.splitlines(keepends=True):
        sizes[int(line[1 : line.index(":")])] += len(line)
    assert min(sizes) > 0 and sizes[1] > 3000 and max(sizes) < SITE_STDERR
    trace = read_trace(said, tmp_path)
    assert [turn.read.decode() for turn in trace.turns] == inputs
    assert [turn.written.decode() for turn in trace.turns] == [f"{len(text)}\n" for text in inputs]


def test_a_game_too_large_is_cut_at_its_end(tmp_path):
    """The turns written before the game's end are complete, and the number of turns is known."""
    rng = random.Random(2)
    inputs = ["".join(rng.choices("0123456789abcdef", k=9000)) + "\n" for _ in range(6)]
    trace = read_trace(play(traced(COUNTER, tmp_path), inputs), tmp_path)
    assert 0 < len(trace.turns) < trace.n_begun == len(inputs)
    assert [turn.read.decode() for turn in trace.turns] == inputs[: len(trace.turns)]


@pytest.mark.parametrize(
    "bot",
    [
        '"""Doc."""\nfrom __future__ import annotations\nprint(__doc__)\n',
        'trace_stdio = "mine"\nprint(trace_stdio)\n',
        "import lib\nprint(globals()['__name__'])\n",
    ],
    ids=["head", "same name", "carried"],
)
def test_tracing_changes_nothing_visible_to_the_bot(tmp_path, bot):
    """Its docstring, its names and its modules are unchanged."""
    entry = write_project(f"--- bot.py\n{bot}--- lib.py: print('lib', sorted(vars()))", tmp_path)
    outputs = []
    for trace in (False, True):
        command = [sys.executable, "-I", "-c", make_bundle(entry, trace=trace).text]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1] != ""


def test_the_option(tmp_path):
    """`--trace` writes such a bundle."""
    write_project("--- bot.py\nprint(input())", tmp_path)
    done = command("bot.py", "-o", "-", "--trace", "--no-check", cwd=tmp_path)
    assert done.returncode == 0 and "def trace_stdio" in done.stdout
