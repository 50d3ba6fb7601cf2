"""Layers of the board, visible while their boxes are ticked; and tips of lines."""

from pathlib import Path

import pytest

from tests.page.logs import crowd

PLACE = """([x, y]) => {
    const box = board.getBoundingClientRect();
    return [box.left + box.width * x / 100, box.top + box.height * y / 100];
}"""


@pytest.fixture
def tab(open_page):
    log = crowd(2)
    log.header.contest = str(Path(__file__).with_name("layered.py"))
    return open_page(log, "#turn=1")


def is_green(tab):
    """Returns True if the disc of the layer shows."""
    return tab.evaluate(
        "(([r, g, b]) => g > 200 && r < 100 && b < 100)(board.getContext('2d').getImageData("
        "board.width * 0.3, board.height * 0.7, 1, 1).data)"
    )


def test_a_layer_shows_while_its_box_is_ticked(tab):
    assert tab.text("#layers") == "green discs" and not is_green(tab)
    tab.click("#layers input")
    assert is_green(tab)
    tab.press("ArrowRight")
    assert is_green(tab)
    tab.click("#layers input")
    assert not is_green(tab)


def test_a_line_is_hit_where_it_is_painted_and_not_within_its_bend(tab):
    for place, tip in (
        ((50, 10), "around the corner"),
        ((70, 30), ""),
        ((90, 60), "around the corner"),
    ):
        tab.point_at(*tab.evaluate(f"({PLACE})({list(place)})"))
        assert tab.text("#tip") == tip
