"""A bot's stdout and stderr, byte by byte."""

import pytest

from referee.process.output_buffer import (
    EMPTY_STDERR,
    MAX_STDERR_CHARACTERS,
    MAX_STDERR_HELD,
    MAX_STDERR_READ,
    MAX_VALUES,
    MOST_EXPECTED,
    ErrorBuffer,
    OutputBuffer,
    cut_stderr,
    expected_line,
    parse_stderr,
)


def buffer(expected, *chunks):
    made = OutputBuffer()
    made.expected = expected
    for chunk in chunks:
        made.add(chunk)
    return made


@pytest.mark.parametrize(
    ("expected", "held", "is_complete", "size", "answer", "rest"),
    [
        (0, b"", True, 0, [], b""),
        (0, b"a\n", True, 0, [], b"a\n"),
        (1, b"a", False, 1, [], b"a"),
        (1, b"a\n", True, 2, ["a"], b""),
        (1, b"a\nb", True, 2, ["a"], b"b"),
        (2, b"a\r\nb\r\n", True, 6, ["a", "b"], b""),
        (2, b"a\nb\nc\n", True, 4, ["a", "b"], b"c\n"),
        (3, b"a\nb\nc", False, 5, ["a", "b"], b"c"),
        (1, b"\xff\r\r\n", True, 4, ["\\xff\r"], b""),
        ("go", b"a\nb\n", False, 4, ["a", "b"], b""),
        ("go", b"a\n GO \nb\n", True, 7, ["a", " GO "], b"b\n"),
        ("go", b"go", False, 2, [], b"go"),
        ("go", b"go\ngo\n", True, 3, ["go"], b"go\n"),
    ],
)
def test_an_answer(expected, held, is_complete, size, answer, rest):
    """It has so many lines, or all up to a named one; the rest stays for the next turn."""
    made = buffer(expected, held)
    assert (made.is_complete(), made.answer_size()) == (is_complete, size)
    assert made.take() == answer
    assert bytes(made.held) == rest and made.n_lines == rest.count(b"\n")


def test_an_answer_in_small_pieces():
    made = buffer(2, b"a", b"b\n", b"", b"c", b"\n")
    assert made.is_complete() and made.take() == ["ab", "c"]


@pytest.mark.parametrize(
    ("expected", "lines", "n_missing"),
    [(3, ["a"], 2), (1, ["a"], 0), ("go", [], 1), ("go", ["a"], 1), ("go", ["a", " Go"], 0)],
)
def test_missing_lines(expected, lines, n_missing):
    assert buffer(expected).n_missing(lines) == n_missing


@pytest.mark.parametrize(
    ("expected", "held", "text"),
    [
        (2, b"a\nb", "1 of 2 lines, "),
        (1, b"a\nb\n", "1 of 1 lines, "),
        ("go", b"a\nb\n", "2 lines without 'go', "),
        ("go", b"a\ngo\nb\n", "2 lines with 'go', "),
    ],
)
def test_an_answer_in_a_verdict(expected, held, text):
    assert buffer(expected, held).written().startswith(text)


def test_stderr_is_held_and_read_up_to_its_caps():
    """Text over the first is dropped; nothing is read past the second until the next turn."""
    errors = ErrorBuffer()
    assert errors.take() is EMPTY_STDERR
    errors.add(b"x" * (MAX_STDERR_HELD - 1))
    errors.add(b"yz")
    assert len(errors.held) == MAX_STDERR_HELD and errors.held.endswith(b"xy")
    errors.add(b"x" * (MAX_STDERR_READ - MAX_STDERR_HELD - 2))
    assert len(errors.held) == MAX_STDERR_HELD and not errors.is_full()
    errors.add(b"x")
    assert errors.is_full()
    assert len(errors.take().text) == MAX_STDERR_HELD
    errors.add(b"x" * (MAX_STDERR_READ - 1))
    assert not errors.is_full()


@pytest.mark.parametrize(
    ("held", "line"), [(b"", ""), (b"\n \n", ""), (b" a\n b \n\n", " b"), (b"\xff", "\\xff")]
)
def test_the_last_line_of_stderr(held, line):
    errors = ErrorBuffer()
    errors.add(held)
    assert errors.last_line() == line


@pytest.mark.parametrize(
    ("text", "rest", "nodes", "values"),
    [
        ("a\n", "a\n", None, {}),
        ("a\nnodes=5\nb\nnodes=7\n", "a\nb\n", 7, {}),
        ("nodes=x\n", "nodes=x\n", None, {}),
        ("[5] a = 1\n[5] a = -2.5\n", "[5] a = 1\n[5] a = -2.5\n", None, {"a": -2.5}),
        ("#value a 1e2\n", "#value a 1e2\n", None, {"a": 100.0}),
        ("#value a 1 2\n", "#value a 1 2\n", None, {}),
    ],
)
def test_numbers_on_stderr(text, rest, nodes, values):
    """Of each name, and of the nodes, the last number counts; the nodes leave the text."""
    assert parse_stderr(text) == (rest, nodes, values)


def test_as_many_values_as_are_kept():
    """Further names are left out, and a kept name still changes."""
    text = "".join(f"#value v{number} {number}\n" for number in range(MAX_VALUES + 1))
    values = parse_stderr(text + "#value v0 9\n").values
    assert len(values) == MAX_VALUES and f"v{MAX_VALUES}" not in values and values["v0"] == 9


def test_the_expectation_of_a_search():
    """Its last line counts; without a value its depth and iterations remain."""
    first, last = "#expect 0.5 3 100|A|B\n", "#expect nan 4 200|C\n"
    numbers = {"expected": 0.5, "depth": 3, "iterations": 100}
    assert parse_stderr(first).values == numbers
    assert parse_stderr(first + "[1] depth = 9\n").values == numbers | {"depth": 9}
    assert parse_stderr("#expect 0.5 3|A\n").values == {}
    assert parse_stderr(first + last).values == {"depth": 4, "iterations": 200}
    assert expected_line(first) == ["A", "B"] and expected_line(first + last) == ["C"]
    assert expected_line("A\n") == expected_line("#expect\n") == []
    long = "#expect 0.5 3 100" + "|A" * (MOST_EXPECTED + 1)
    assert expected_line(long) == ["A"] * MOST_EXPECTED


def test_stderr_is_cut_as_on_the_site():
    whole = "x" * MAX_STDERR_CHARACTERS
    assert cut_stderr(whole) == whole
    assert cut_stderr(whole + "yz") == whole + "\n[2 characters more]"
