"""For any output of a bot, the result is lines, text and numbers.

More examples than by default: FUZZ_EXAMPLES=10000 python -m pytest tests/referee/test_fuzz.py
"""

import os
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.process.bot_process import CHUNK, SHORT, read_pipe
from referee.process.output_buffer import (
    MAX_VALUES,
    ErrorBuffer,
    OutputBuffer,
    StderrContent,
    cut_stderr,
)

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
