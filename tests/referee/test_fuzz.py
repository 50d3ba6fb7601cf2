"""For any output of a bot or foreign referee and any file, the result is lines, a log, a match, or
a named error.

More examples than by default: FUZZ_EXAMPLES=10000 python -m pytest tests/referee/test_fuzz.py
"""

import json
import os
import random

from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.errors import UsageError
from referee.log.file import read_log
from referee.log.records import LogError, PlayerTurn
from referee.play.foreign_referee import ForeignMatch, ForeignRefereeError
from referee.process.bot_process import CHUNK, SHORT, read_pipe
from referee.process.output_buffer import (
    MAX_STDERR_HELD,
    MAX_VALUES,
    ErrorBuffer,
    OutputBuffer,
    StderrContent,
    cut_stderr,
)
from referee.replay.resimulate import first_difference
from shared.core.protocol import IllegalAction
from tests.referee.test_log import aged, records
from tests.referee.toy import CONTEST

fuzz = settings(max_examples=int(os.environ.get("FUZZ_EXAMPLES", "100")), deadline=None)

CHUNKS = st.lists(st.binary() | st.sampled_from([b"\n", b"\r\n", b"\r", b"\xc3", b"nodes=7\n"]))


@fuzz
@given(CHUNKS, st.lists(st.integers(0, 5), max_size=5))
def test_output_is_cut_into_lines(chunks, wanted):
    """For any chunks: every line is returned once, in order, without its end; the text of a verdict
    is one short line.
    """
    buffer, lines = OutputBuffer(), []
    data = b"".join(chunks)
    for chunk in chunks:
        buffer.add(chunk)
    for n_lines in wanted:
        buffer.expected = n_lines
        whole = buffer.is_complete()
        assert whole == (buffer.held.count(b"\n") >= n_lines)
        size, held = buffer.answer_size(), len(buffer.held)
        written = buffer.written()
        assert "\n" not in written and len(written) < 3000
        taken = buffer.take()
        assert len(taken) <= n_lines and (len(taken) == n_lines) == whole
        assert buffer.n_lines == buffer.held.count(b"\n")
        if whole:
            assert held - len(buffer.held) == size
        lines += taken
    expected = [
        line.removesuffix(b"\r").decode(errors="backslashreplace") for line in data.split(b"\n")
    ]
    assert lines == expected[: len(lines)]
    assert all(line.encode() is not None and "\n" not in line for line in lines)


@fuzz
@given(CHUNKS)
def test_stderr_is_text_and_a_number(chunks):
    """Stderr is split into text of limited length and the node count."""
    buffer = ErrorBuffer()
    for chunk in chunks:
        buffer.add(chunk)
    assert "\n" not in buffer.last_line()
    said = buffer.take()
    assert said.nodes is None or said.nodes >= 0
    assert len(said.values) <= MAX_VALUES
    assert len(cut_stderr(said.text)) <= 4200 and buffer.take() == StderrContent("", None, {})


def test_the_content_of_a_pipe_is_read_at_once():
    """Answers as long as one read, longer, and as long as a pipe's capacity."""
    output, its_end = os.pipe()
    os.set_blocking(output, False)
    assert read_pipe(output) is None
    for n_bytes in (1, SHORT - 1, SHORT, SHORT + 1, CHUNK):
        data = random.Random(n_bytes).randbytes(n_bytes)
        os.write(its_end, data)
        assert read_pipe(output) == data and read_pipe(output) is None
    os.close(its_end)
    assert read_pipe(output) == b""
    os.close(output)


def test_a_flood_of_stderr_is_not_held():
    """Output beyond the cap is discarded on arrival."""
    buffer = ErrorBuffer()
    for _ in range(3):
        buffer.add(b"x" * MAX_STDERR_HELD)
    assert len(buffer.take().text) == MAX_STDERR_HELD


@fuzz
@given(st.lists(st.text(max_size=30), min_size=2, max_size=2))
def test_an_answer_is_an_action_or_illegal(lines):
    """Any two lines; the toy's number may have any size."""
    try:
        assert isinstance(CONTEST.new_match(seed=1).parse(0, lines), int)
    except IllegalAction as error:
        assert str(error)


COMMANDS = st.one_of(
    st.builds("###Input {}".format, st.integers(0, 9)),
    st.builds("###Error {} {}".format, st.integers(0, 9), st.text(max_size=5)),
    st.builds("###Output {} {}".format, st.integers(0, 9), st.integers(-1, 99)),
    st.builds(
        "###End {}".format, st.sampled_from(["0 1", "1 0", "01", "10", "0", "", "00", "0 2"])
    ),
    st.text(st.characters(exclude_characters="\n"), max_size=20),
    st.integers(-99, 99).map(str),
)


class Script:
    """A foreign referee that writes these lines, ignores its input, and then ends."""

    def __init__(self, lines):
        self.lines = iter(lines)

    def ask(self, questions, meanwhile):
        line = next(self.lines, None)
        fault = "exited with status 0" if line is None else None
        return [
            PlayerTurn(
                input=[],
                lines_expected=1,
                output=[line],
                stderr="",
                nodes=None,
                wall_ms=0.0,
                cpu_ms=0.0,
                fault=fault,
            )
        ]


@fuzz
@given(st.lists(COMMANDS, max_size=12))
@example(["0\x1f"])  # blank for a regular expression, not for int()
def test_a_foreign_talk_ends_with_an_outcome_or_an_error(lines):
    """The match follows the protocol, or reports its error."""
    try:
        match = ForeignMatch(None, Script(lines), seed=None, n_players=2)
        while match.outcome() is None:
            [player] = match.players_to_move()
            assert all(isinstance(line, str) for line in match.turn_input(player))
            match.play({player: ["x"] * match.lines_expected(player)})
        assert sorted(match.outcome().ranks) in ([0, 0], [0, 1])
    except ForeignRefereeError as error:
        assert "\n" not in str(error)


HEADER, TURN, _, OUTCOME = records()
LIMITS, [PLAYER] = HEADER["limits"][0], TURN["players"].values()
KEYS = sorted({*HEADER, *LIMITS, *TURN, *PLAYER, *OUTCOME["outcome"], "outcome", "0", "1"})
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(KEYS), inner),
    max_leaves=8,
)
RECORDS = st.sampled_from([TURN, OUTCOME, {"turn": 0, "players": {}, "state": {}}])


@st.composite
def damaged(draw, record):
    """A record with one value, at any depth, replaced or removed."""
    copy = json.loads(json.dumps(draw(record)))
    inside = copy
    while isinstance(inside, dict) and inside:
        key = draw(st.sampled_from(sorted(inside)))
        if isinstance(inside[key], dict) and inside[key] and draw(st.booleans()):
            inside = inside[key]
            continue
        if draw(st.booleans()):
            inside[key] = draw(JSON)
        else:
            del inside[key]
        break
    return copy


def as_line(value):
    return json.dumps(value).encode()


OLDER = aged(records(), 1)[0]
LINES = st.one_of(
    st.binary(), JSON.map(as_line), RECORDS.map(as_line), damaged(RECORDS).map(as_line)
)


@fuzz
@given(
    st.just(HEADER) | damaged(st.just(HEADER)) | damaged(st.just(OLDER)),
    st.lists(LINES, max_size=4),
)
def test_any_file_is_a_log_or_a_log_error(tmp_path_factory, header, lines):
    """A log that is read can also be checked by the rules, or the reason why it cannot is
    reported.
    """
    path = tmp_path_factory.getbasetemp() / "fuzzed-log"
    path.write_bytes(b"\n".join([as_line(header), *lines, b""]))
    try:
        log = read_log(path)
    except LogError as error:
        assert str(error).startswith(str(path)) and "\n" not in str(error)
        return
    try:
        found = first_difference(log, CONTEST)
    except UsageError:
        return
    assert found is None or "\n" not in found
