"""One source, three ways to run: the same bits from compiled code and from plain Python."""

import pytest

from shared.core import jit
from tests.conftest import HOME, PROJECT, run_plain
from tests.parity.digests import CheckedBuffer
from tests.parity.trace import SUBJECTS, lines_of

# Compiles every search of games in turns.
SLOW = "turns"
# Golden games compare searches of these kinds, and with them the contests' kernels.
BY_GOLDEN = ("alphabeta", "monte_carlo", "smitsimax", "solo", "wayfinder")
RECORDED = PROJECT / "tests" / "parity" / "recorded.txt"
slow = pytest.mark.slow("compiles many searches")
further = pytest.mark.exhaustive("golden games compare such machine code with plain Python")


def subjects():
    """All subjects; those that compile for long are slow."""
    for subject in SUBJECTS:
        marks = [further] if subject in BY_GOLDEN and HOME == PROJECT else []
        marks = marks or ([slow] if subject == SLOW else [])
        yield pytest.param(subject, marks=marks)


@pytest.mark.parametrize("subject", list(subjects()))
def test_compiled_and_plain_give_the_same_bits_and_stay_within_their_buffers(subject):
    """Plain Python refuses any index beyond a buffer; compiled code, which checks none, takes the
    same path.
    """
    assert jit.COMPILED
    assert lines_of(subject) == run_plain("tests.parity.trace", subject).splitlines()


@pytest.mark.exhaustive("golden games repeat the bots' turns in each run of the tests")
@pytest.mark.parametrize("subject", SUBJECTS)
def test_the_numbers_are_the_recorded_ones(subject):
    """A change of a rule or a search that moves a number is meant: `python -m tests.parity.trace >
    tests/parity/recorded.txt` as plain Python records the new ones. A contest of a workspace need
    not be recorded.
    """
    recorded = dict(line.split(": ") for line in RECORDED.read_text().splitlines())
    traced = dict(
        line.split(": ") for line in run_plain("tests.parity.trace", subject).splitlines()
    )
    assert traced == {name: recorded.get(name, value) for name, value in traced.items()}


def test_every_contest_is_traced():
    """In a workspace; of the project's own a golden game is repeated in all modes."""
    contests = {path.parent.name for path in HOME.glob("shared/games/*/contest.py")}
    if HOME == PROJECT:
        contests -= {path.parent.name for path in HOME.glob("bots/*/golden.json")}
    missing = contests - set(SUBJECTS)
    assert not missing, f"write tests/parity/subjects/CONTEST.py with a trace() for {missing}"


@pytest.mark.parametrize("index", [-1, 3])
def test_a_checked_buffer_refuses_what_is_beyond_it(index):
    buffer = CheckedBuffer([1, 2, 3])
    assert [buffer[0], buffer[2]] == [1, 3]
    with pytest.raises(IndexError, match=f"index {index} of a buffer of 3"):
        buffer[index]
    with pytest.raises(IndexError, match=f"index {index} of a buffer of 3"):
        buffer[index] = 0
    with pytest.raises(IndexError):
        buffer[1:4] = buffer[0:3]
