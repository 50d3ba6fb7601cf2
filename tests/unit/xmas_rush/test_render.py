"""X-mas Rush drawn: the frames for the page, and the board as text."""

import json
from random import Random

from shared.core.drawing.shapes import Polygon, Turn
from shared.games.xmas_rush.contest import Match
from shared.games.xmas_rush.render import render
from shared.games.xmas_rush.state import SIZE


def frames(seed=3):
    """Yields every turn of a random game with its frame, as read back from a log."""
    game, rng = Match(seed), Random(seed)
    setup = json.loads(json.dumps(game.setup()))
    before = None
    after = json.loads(json.dumps(game.snapshot()))
    output = ((), ())
    while True:
        turn = Turn(setup, before, after, output)
        yield turn, render(turn)
        if game.outcome() is not None:
            return
        output = tuple(tuple(game.random_lines(player, rng)) for player in range(2))
        game.play({player: game.parse(player, list(output[player])) for player in range(2)})
        before, after = after, json.loads(json.dumps(game.snapshot()))


def keyed(frame):
    return {shape.key: shape for shape in frame.shapes if shape.key}


def test_every_tile_item_and_player_is_followed_through_the_game():
    for turn, frame in frames():
        keys = [shape.key for shape in frame.shapes if shape.key]
        n_items = 24 - sum(turn.after["scores"])
        assert len(keys) == len(set(keys)) == SIZE * SIZE + 2 + n_items + 2


def test_a_push_moves_its_line_by_one_cell_and_shows_an_arrow():
    turns = iter(frames())
    _, start = next(turns)
    _turn, after = next(turns)
    moved = [key for key in keyed(start) if keyed(start)[key].at != keyed(after)[key].at]
    tiles = [key for key in moved if key.startswith("tile")]
    assert 14 <= len(tiles) <= 16
    assert sum(isinstance(shape, Polygon) for shape in after.shapes) == 2


def test_completed_quests_and_clashes_are_events():
    n_quests = 0
    for turn, frame in frames():
        n_quests += sum(event.kind == "quest" for event in frame.events)
        clash = turn.before is not None and turn.after["stale"] > turn.before["stale"]
        assert clash == any(event.kind == "clash" for event in frame.events)
        last = turn.after["scores"]
    assert n_quests == sum(last) > 0
