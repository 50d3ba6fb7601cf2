"""Native bundles run their machine code on the Pythons that are promised: the oldest one with the
oldest numpy, the site's, the newest, and those between.
"""

import json
from pathlib import Path

import pytest

from referee.log.file import read_log
from referee.sources.bots import find_bot
from tests.conftest import BOTS, COMPILED_BOTS, GOLDEN_BOTS, HOME
from tests.golden import record
from tests.native.conftest import run
from tests.native.test_modes import (
    NO_EXECUTABLE,
    NO_EXECUTABLE_MEMFD,
    NO_LZMA,
    NO_MEMFD,
    OTHER_LIBRARY,
    OTHER_MACHINE,
    OTHER_NUMPY,
    OTHER_PROCESSOR,
    OTHER_PYTHON,
    START,
    first_turns,
)
from tests.support.pythons import PYTHONS, python_of

# Of COMPILED_BOTS the one whose bundle compiles fastest
FAST_BOT = COMPILED_BOTS[-1] if COMPILED_BOTS else None
MACHINE_CODE, PLAIN = "kernels run as machine code for x86-64-v", "kernels run as plain Python"
AT_BOTH_ENDS = ("oldest", "site", "newest")
LITTLE_MEMORY = "import resource\nresource.setrlimit(resource.RLIMIT_AS, (768 << 20, 768 << 20))\n"

at_both_ends = pytest.mark.parametrize(
    "name",
    [
        "oldest",
        pytest.param("site", marks=pytest.mark.exhaustive("a Python between the ends")),
        pytest.param("newest", marks=pytest.mark.slow("the oldest Python shows the same")),
    ],
)
slow = pytest.mark.slow("turns of a bot on the oldest Python show the same")
further = pytest.mark.exhaustive("plays more bots on more Pythons")


def is_native(bundle):
    return START in Path(bundle).read_text(encoding="utf-8")


def games():
    """(Golden, name of a Python): a game on the oldest and on the newest in the slow tests."""
    for golden in record.recorded_games():
        is_compiled = HOME / golden.source(0) in COMPILED_BOTS
        for name in AT_BOTH_ENDS:
            marks = slow if is_compiled and name != "site" else further
            yield pytest.param(golden, name, id=f"{golden.contest}-{name}", marks=marks)


def bots():
    """(bot, name of a Python): the first of COMPILED_BOTS on the oldest in the fast tests; in the
    slow ones, a bot of each contest, on the Pythons by turns.
    """
    for bot in BOTS:
        for n, name in enumerate(AT_BOTH_ENDS):
            is_sample = bot in GOLDEN_BOTS and GOLDEN_BOTS.index(bot) % len(AT_BOTH_ENDS) == n
            marks = slow if is_sample else further
            marks = () if bot == FAST_BOT and name == "oldest" else marks
            yield pytest.param(bot, name, id=f"{bot.parent.name}-{bot.stem}-{name}", marks=marks)


@pytest.mark.parametrize(("golden", "name"), list(games()))
def test_a_golden_game_is_the_same_on_this_python(golden, name, tmp_path):
    python, log = python_of(name), tmp_path / "game.jsonl"
    sources = [golden.source(player) for player in range(len(golden.bots))]
    bundles = [find_bot(source).command[-1] for source in sources]
    record.play(golden, log, [f"{python} {bundle}" for bundle in bundles])
    assert record.game_of(golden, log) == json.loads(golden.path.read_text())
    played = read_log(log)
    for player, bundle in enumerate(bundles):
        said = "".join(part.stderr for _, part in played.of_player(player))
        assert (MACHINE_CODE in said) == is_native(bundle), said
        assert PLAIN not in said


@pytest.mark.parametrize(("bot", "name"), list(bots()))
def test_every_bot_runs_as_machine_code_on_this_python(bot, name, monkeypatch):
    monkeypatch.setenv("CG_NODES", "50")
    python, bundle = python_of(name), Path(find_bot(str(bot)).command[-1])
    given = first_turns(bot.parent.name, 2 if bot.parent.name == "wayfinder" else 4)
    output, said = run(bundle, given=given, python=python)
    assert said.startswith(MACHINE_CODE) == is_native(bundle)
    assert PLAIN not in said
    assert output == run(bundle, given=given)[0] and len(output.splitlines()) >= 4


@pytest.mark.slow("the oldest Python shows the same", keep=1)
@pytest.mark.exhaustive("Pythons between the ends", keep=len(AT_BOTH_ENDS))
@pytest.mark.parametrize("name", list(PYTHONS))
def test_all_kinds_of_kernels_run_as_machine_code_on_this_python(zoo, plain, name):
    output, said = run(zoo, python=python_of(name))
    assert said == f"{MACHINE_CODE}2\n"
    assert output == plain


@at_both_ends
@pytest.mark.parametrize(
    "before",
    [NO_MEMFD, NO_EXECUTABLE_MEMFD, LITTLE_MEMORY],
    ids=["no-memfd", "no-executable-memfd", "768-MB"],
)
def test_machine_code_runs_on_this_python_without(zoo, plain, name, before):
    assert run(zoo, before=before, python=python_of(name)) == (plain, f"{MACHINE_CODE}2\n")


@pytest.mark.falls_back
@at_both_ends
@pytest.mark.parametrize(
    ("before", "reason"),
    [
        (NO_EXECUTABLE, "executable memory refused"),
        (OTHER_PROCESSOR, "the processor lacks sse4_2"),
        (OTHER_NUMPY, "made for the arrays of numpy 1 and 2, this is 3.0.0"),
        (OTHER_MACHINE, "made for linux on x86_64, this is linux on aarch64"),
        (OTHER_PYTHON, "made for CPython, this is pypy"),
        (OTHER_LIBRARY, "no function here"),
        (NO_LZMA, "lzma"),
    ],
    ids="memory processor numpy machine python library lzma".split(),
)
def test_plain_python_runs_on_this_python_where_machine_code_cannot(
    zoo, plain, name, before, reason
):
    output, said = run(zoo, before=before, python=python_of(name))
    assert (
        said.startswith(f"{PLAIN}, 100 to 1,000 times slower: ")
        and reason in said
        and len(said.splitlines()) == 1
    )
    assert output == plain
