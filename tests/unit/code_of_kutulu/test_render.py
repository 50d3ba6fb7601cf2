"""Code of Kutulu drawn: the frames for the page, and a game as text."""

import json
from random import Random

from shared.core.drawing.shapes import Turn
from shared.games.code_of_kutulu.contest import Match
from shared.games.code_of_kutulu.render import CELL, centre, render


def frames(seed=3):
    """Yields every turn of a random game with its frame, as read back from a log."""
    game, rng = Match(seed), Random(seed)
    setup = json.loads(json.dumps(game.setup()))
    before, after = None, json.loads(json.dumps(game.snapshot()))
    output = ((),) * 4
    while True:
        turn = Turn(setup, before, after, output)
        yield turn, render(turn)
        if game.outcome() is not None:
            return
        lines = {player: game.random_lines(player, rng) for player in game.players_to_move()}
        output = tuple(tuple(lines.get(player, ())) for player in range(4))
        game.play({player: game.parse(player, lines[player]) for player in lines})
        before, after = after, json.loads(json.dumps(game.snapshot()))


def test_everybody_is_followed_and_stands_in_its_cell():
    for turn, frame in frames():
        shapes = {shape.key: shape for shape in frame.shapes if shape.key}
        for player in range(4):
            assert (f"player {player}" in shapes) == (player in turn.after["living"])
        for player in turn.after["living"]:
            middle = centre(*turn.after["explorers"][player][:2])
            at = shapes[f"player {player}"].at
            assert max(abs(a - b) for a, b in zip(at, middle)) < CELL / 2
        for _, number, x, y, *_ in turn.after["minions"]:
            assert shapes[f"minion {number}"].at == centre(x, y)


def test_an_event_is_reported_once():
    counts = {}
    for turn, frame in frames():
        for event in frame.events:
            counts[event.kind] = counts.get(event.kind, 0) + 1
    assert counts["mad"] == 4 and 0 < counts["plan"] <= 8 and 0 < counts["light"] <= 12
    assert counts.get("yell", 0) <= 12
