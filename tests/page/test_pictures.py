"""Frames as rows: nothing is stored twice, and every row needs only rows before it."""

from referee.page.frames import FrameTable, rounded
from shared.core.drawing.shapes import Circle, Group, Line


def rows_of(*items):
    """The rows of items with names for values, and the index of each item."""
    table = FrameTable()
    indices = [table.add(item) for item in items]
    named = []
    for schema, *values in table.rows:
        kind, *names = table.schemas[schema]
        named.append({"kind": kind, **dict(zip(names, values, strict=True))})
    return named, indices


def test_a_row_contains_no_default_values():
    rows, _ = rows_of(Circle(5, at=(1, 2), fill="ink"))
    assert rows == [{"kind": "circle", "radius": 5, "at": [1, 2], "fill": "ink"}]


def test_equal_shapes_are_one_row():
    _, indices = rows_of(Circle(5), Circle(5), Circle(6))
    assert indices == [0, 0, 1]


def test_a_group_names_the_rows_of_its_shapes_which_come_first():
    rows, indices = rows_of(Group((Circle(1), Group((Circle(1), Circle(2))))))
    assert indices == [3]
    assert [row.get("shapes") for row in rows] == [None, None, [0, 1], [0, 2]]


def test_fractions_are_rounded_to_three_digits_and_whole_ones_are_integers():
    assert [rounded(number) for number in (0.12345, 2.0, -1e-9, 7)] == [0.123, 2, 0, 7]
    rows, _ = rows_of(Line(((0.0, 1.00049),)))
    assert rows[0]["points"] == [[0, 1]]
    assert isinstance(rows[0]["points"][0][0], int)
