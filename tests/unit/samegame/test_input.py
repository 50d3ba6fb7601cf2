"""SameGame's input and output lines, and the referee's errors on bad lines."""

import pytest

from shared.core.jit import int_buffer
from shared.core.protocol import IllegalAction, ProtocolError
from shared.games.samegame.contest import CONTEST, Match
from shared.games.samegame.protocol import parse_action, read_turn, turn_lines
from shared.games.samegame.state import board_of, new_state, write_board


def read(lines):
    rest, state = iter(lines), new_state()
    return read_turn(lambda: next(rest, ""), state), state


@pytest.mark.parametrize("seed", [0, 4, 17, 45, 99])
def test_a_bot_reads_the_board_that_the_referee_writes(seed):
    match = CONTEST.new_match(seed)
    lines = match.turn_input(0)
    assert len(lines) == 15
    assert read(lines)[0] and turn_lines(read(lines)[1]) == lines
    assert board_of(read(lines)[1]) == match.snapshot()["rows"]


ROW = " ".join("0" * 15)
GAP = [[-1] * 15] * 13 + [[0] * 15, [-1] * 15]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([ROW] * 14, "the input ended where a row of the board should follow"),
        ([ROW + " 0"] + [ROW] * 14, "expected the top row of the board"),
        ([ROW] * 14 + [ROW.replace("0", "x", 1)], "expected a row of the board"),
        ([ROW] * 14 + [ROW.replace("0", "5", 1)], "colours are 0 to 4, -1 is empty; got 5"),
        ([" ".join(map(str, row)) for row in GAP], "a cell of column 0 hangs in the air"),
    ],
)
def test_a_board_that_cannot_be_is_named(lines, said):
    with pytest.raises(ProtocolError, match=said):
        read(lines)


@pytest.mark.parametrize("line", ["", "3", "3,4", "a b", "3 4x", "-1 0", "15 0", "0 15", "9" * 40])
def test_lines_that_are_no_cell(line):
    with pytest.raises(IllegalAction):
        parse_action(line)


def test_an_action_without_a_region_is_refused_with_the_reason():
    rows = [[-1] * 15 for _ in range(15)]
    rows[14][:3] = [1, 1, 2]
    match = Match(0, case=rows)
    for line, why in (("2 0", "no other cell"), ("9 9", "the cell is empty")):
        with pytest.raises(IllegalAction, match=why):
            match.parse(0, [line])
    match.play({0: match.parse(0, ["1 0 bye"])})
    assert match.outcome().scores == (0.0,)
    assert match.outcome().reason == "0 points in 1 turns, with 1 cells left"


def test_a_board_is_chosen_by_its_name():
    case = CONTEST.options["case"]
    assert Match(3, case=case("Standard Testset 1")).turn_input(0) == Match(5).turn_input(0)
    with pytest.raises(ValueError, match="no board is named 'Testset'; the site's boards are Hor"):
        case("Testset")


def test_cells_keep_their_numbers():
    """Falling cells keep their numbers, by which the page moves them."""
    rows = [[-1] * 15 for _ in range(15)]
    for y, row in enumerate(["201", "221", "112"]):
        rows[12 + y][:3] = map(int, row)
    match = Match(0, case=rows)
    match.play({0: match.parse(0, ["0 1"])})
    colours = {15 * x + y: rows[14 - y][x] for x in range(3) for y in range(3)}
    after = match.snapshot()
    for x, column in enumerate(after["cells"]):
        for y, cell in enumerate(column):
            assert after["rows"][14 - y][x] == colours[cell]
    assert after["cells"][:3] == [[0], [15, 17], [30, 31, 32]]
    state = new_state()
    write_board(after["rows"], state)
    assert list(state[:15]) == list(int_buffer(match.state)[:15])
