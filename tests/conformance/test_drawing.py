"""What every contest's `render` owes the page, whatever the bots wrote."""

import importlib
import math
import random
import re

import pytest

from referee.pictures import Pictures
from shared.core.render import MAX_PLAYERS, ROLES, Group, Trail, Turn, player_colour
from tests.conftest import PROJECT

NAMES = sorted(path.parent.name for path in PROJECT.glob("shared/games/*/contest.py"))
COLOURS = {"", *ROLES, *map(player_colour, range(MAX_PLAYERS))}
FIXED_COLOUR = re.compile(r"#[0-9a-f]{6}")
STRANGE_LINES = ("", " ", "0", "-1 1e9 nan \ufffd", "<script>", "a b c d e f g", "9" * 400)
MAX_TURNS = 60


@pytest.fixture(params=NAMES, scope="module")
def drawn(request):
    """A contest's game of random play, drawn: (number of players, frames)."""
    contest = importlib.import_module(f"shared.games.{request.param}.contest").CONTEST
    rng = random.Random(1)
    match = contest.new_match(seed=1)
    silence = ((),) * match.n_players
    frames = [contest.render(Turn(match.setup(), None, match.snapshot(), silence))]
    for number in range(MAX_TURNS):
        if match.outcome():
            break
        before, output = match.snapshot(), list(silence)
        actions = {}
        for player in match.players_to_move():
            lines = match.random_lines(player, rng)
            actions[player] = match.parse(player, lines)
            # A log holds any text: every other turn is drawn with lines that are no action at all.
            output[player] = tuple(lines if number % 2 else rng.choices(STRANGE_LINES, k=3))
        match.play(actions)
        frames.append(contest.render(Turn(match.setup(), before, match.snapshot(), tuple(output))))
    return match.n_players, frames


def all_shapes(shapes):
    for shape in shapes:
        yield shape
        if isinstance(shape, Group):
            yield from all_shapes(shape.shapes)


def test_its_colours_are_known_to_the_page(drawn):
    _, frames = drawn
    for frame in frames:
        for shape in all_shapes(frame.shapes):
            for colour in (shape.fill, shape.stroke):
                assert colour in COLOURS or FIXED_COLOUR.fullmatch(colour), shape


def test_a_key_is_one_thing_and_what_has_a_trail_is_there(drawn):
    _, frames = drawn
    for frame in frames:
        keys = [shape.key for shape in all_shapes(frame.shapes) if shape.key]
        assert len(keys) == len(set(keys))
        followed = {shape.of for shape in frame.shapes if isinstance(shape, Trail)}
        assert followed <= {shape.key for shape in frame.shapes}


def test_times_within_a_turn_are_parts_of_it_in_order(drawn):
    _, frames = drawn
    for frame in frames:
        for shape in all_shapes(frame.shapes):
            times = [time for time, *_ in shape.via]
            assert times == sorted(times) and all(0 <= time <= 1 for time in times), shape
            assert 0 <= shape.since <= (1 if shape.until is None else shape.until) <= 1, shape


def test_it_can_be_stored_in_a_page(drawn):
    _, frames = drawn
    pictures = Pictures()
    for frame in frames:
        left, top, right, bottom = frame.bounds
        assert left < right and top < bottom and math.isfinite(right - left + bottom - top)
        pictures.add(frame)
    assert len(pictures.rows) >= len(frames)


def test_events_and_facts_are_of_players_there_are(drawn):
    n_players, frames = drawn
    assert frames[0].events == ()
    for frame in frames:
        assert all(event.player is None or event.player < n_players for event in frame.events)
        assert len(frame.facts) in (0, n_players)
