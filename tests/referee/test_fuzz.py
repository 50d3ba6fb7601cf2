"""For any output of a bot or foreign referee and any file, the result is lines, a log, a match, or
a named error.

More examples than by default: FUZZ_EXAMPLES=10000 python -m pytest tests/referee/test_fuzz.py
"""

import json
import os
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.errors import UsageError
from referee.log.file import read_log
from referee.log.records import LogError
from referee.process.bot_process import CHUNK, SHORT, read_pipe
from referee.process.output_buffer import (
    MAX_VALUES,
    ErrorBuffer,
    OutputBuffer,
    StderrContent,
    cut_stderr,
)
from referee.replay.resimulate import first_difference
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
