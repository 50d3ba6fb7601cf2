"""The first board of a contest without a simulator: `render.py` from the grammar of its input."""

import runpy
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from referee.log.records import Bot
from referee.page.page import page_data
from referee.play.trust import contest_of_log
from referee.scaffold.board_writer import write_board
from referee.scaffold.new_contest import write_first_bot
from referee.scaffold.stub_grammar import parse_stub
from referee.sources.contests import foreign_contest
from shared.core.drawing.shapes import Turn
from tests.page.logs import race

GRAMMARS = Path(__file__).parent
# A map of texts, entities of either owner in lists and in fields, with kinds and numbers.
MAP = (GRAMMARS / "map.txt").read_text()
MAP_START = ["4 3", "#..#", "....", "#..#"]
MAP_TURN = ["7", "2", "5 0 KNIGHT 1 1", "6 -1 WALL 3 0", "2 2"]
# Cells are records in lists of lists; the bot's own position comes as x and y.
CELLS = (GRAMMARS / "cells.txt").read_text()
CELLS_TURN = ["1 0", "0 -1", "4 1", "2 0", "9 -1"]
# Places far apart are no cells; lists tell the owner by their names, and speeds are no places.
PLANE = (GRAMMARS / "plane.txt").read_text()
PLANE_TURN = ["1", "3 1000 2000 1 1", "1", "3 9000.5 100 -1 0"]
WORDS = "gameloop\nread count:int\nloop count read move:word(4)\nread note:string(9)\nwrite a\n"


@pytest.fixture
def board(tmp_path):
    """board(grammar) writes a render.py; returns its names."""

    def load(grammar):
        path = tmp_path / "render.py"
        path.write_text(write_board(parse_stub(grammar), "Game"))
        return SimpleNamespace(**runpy.run_path(str(path)))

    return load


def drawn(board, inputs, player=0):
    """The frames of a player's turns, None for lines that were not read."""
    scenes = board.reconstruct(player, inputs)
    silence = ((), ())
    return [one and board.render(Turn(one[0], None, one[1], silence)) for one in scenes]


def discs(frame):
    return [(one.at, one.fill, one.tip) for one in frame.shapes if type(one).__name__ == "Circle"]


def test_a_map_and_things_on_it(board):
    frames = drawn(board(MAP), [MAP_START + MAP_TURN, MAP_TURN])
    assert [frame.bounds for frame in frames] == [(0, 0, 4, 3)] * 2
    [walls] = [one for one in frames[1].shapes if type(one).__name__ == "Raster"]
    assert walls.rows == ("w..w", "....", "w..w")
    tip = "unit_id 5, owner 0, unit_type KNIGHT, x 1, y 1"
    opponent = ((2.5, 2.5), "player-1", "opp_x 2, opp_y 2")
    assert discs(frames[0]) == [((1.5, 1.5), "player-0", tip), opponent]
    texts = [one.text for one in frames[0].shapes if type(one).__name__ == "Text"]
    assert texts == ["KN"]
    squares = [one.at for one in frames[0].shapes if type(one).__name__ == "Rect"]
    assert squares[1:] == [(3.5, 0.5)]  # behind the ground, the wall among the units


def test_cells_with_values_and_an_answer_before_the_first_turn(board):
    frames = drawn(board(CELLS), [["2 2"], CELLS_TURN], player=1)
    assert [frame.bounds for frame in frames] == [(0, 0, 2, 2)] * 2
    fills = {at: fill for at, fill, _ in discs(frames[1])}
    assert fills == {
        (1.5, 0.5): "player-1",  # both the cell's owner and the reader
        (0.5, 1.5): "player-0",
        (1.5, 1.5): "accent",
    }


def test_places_on_a_plane(board):
    [frame] = drawn(board(PLANE), [PLANE_TURN])
    left, top, right, bottom = frame.bounds
    assert left < 1000 and right > 9000.5 and top < 100 and bottom > 2000
    assert [(at, fill) for at, fill, _ in discs(frame)] == [
        ((1000, 2000), "player-0"),
        ((9000.5, 100), "player-1"),
    ]


def test_lines_of_another_game_end_the_board(board):
    own = board(MAP)
    frames = drawn(own, [MAP_START + MAP_TURN, ["7", "two"], MAP_TURN])
    assert frames[0] and frames[1:] == [None, None]
    assert drawn(own, [["?"]]) == [None]


def test_an_input_without_places_has_no_board():
    assert write_board(parse_stub(WORDS), "Game") is None


def test_the_page_of_an_official_match_shows_it(tmp_path, monkeypatch):
    """By the contest's name, or by the folder of the bots that `onefile new` wrote."""
    (tmp_path / "stub.txt").write_text(MAP)
    bot, render, _ = write_first_bot("mapped_game", tmp_path / "stub.txt", tmp_path)
    monkeypatch.setattr("referee.sources.contests.roots", lambda: [tmp_path])
    import shared.games

    monkeypatch.setattr(shared.games, "__path__", [str(tmp_path / render.parent.parent)])
    log = official_log(str(bot))
    contest = contest_of_log(log, False)
    data = page_data(log, contest)
    assert data["board"] and data["frames"][0] is not None
    assert foreign_contest("mapped_game").reconstruct is not None
    assert foreign_contest("mapped_games").reconstruct is None
    stranger = contest_of_log(official_log("elsewhere/bot.py"), False)
    assert not page_data(official_log("elsewhere/bot.py"), stranger)["board"]


def official_log(bot):
    """A log of two turns, led by an official referee."""
    log = race(n_turns=2, outcome=False)
    header = log.header
    header.contest, header.title, header.setup, header.state = "Contest2030", "Contest", {}, {}
    header.conditions = replace(header.conditions, referee="official: /build")
    header.bots = [Bot(name, bot, [], "") for name in "ab"]
    for turn in log.turns:
        turn.state = {}
        for part in turn.players.values():
            part.input = MAP_TURN
            part.initial_input = None if part.initial_input is None else MAP_START
    return log
