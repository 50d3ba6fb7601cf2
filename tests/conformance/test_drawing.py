"""Requirements of the page on every contest's `render`, for any output of bots; and on its
`reconstruct`, for any text of a game played elsewhere.
"""

import importlib
import math
import random
import re
from dataclasses import replace

import pytest

from referee.log.records import LoggedOutcome
from referee.page.frames import FrameTable
from referee.page.page import page_data
from shared.core.drawing.shapes import MAX_PLAYERS, ROLES, Group, Trail, Turn, player_colour
from tests.conftest import PROJECT
from tests.fuzz.subjects import sample_log

NAMES = sorted(path.parent.name for path in PROJECT.glob("shared/games/*/contest.py"))
COLOURS = {"", *ROLES, *map(player_colour, range(MAX_PLAYERS))}
FIXED_COLOUR = re.compile(r"#[0-9a-f]{6}")
STRANGE_LINES = ("", " ", "0", "-1 1e9 nan \ufffd", "<script>", "a b c d e f g", "9" * 400)
MAX_TURNS = 60
# The parts of a snapshot that are in the input, or follow from it.
TOLD_WHOLE = {
    "coders_strike_back": ("timeouts",),
    "infexion": ("board", "turn", "powers"),
    "xmas_rush": ("quests", "scores", "stale", "turn"),
}


@pytest.fixture(params=NAMES, scope="module")
def drawn(request):
    """A random game of a contest, drawn: (number of players, frames)."""
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
            # A log may contain any text: every second turn is drawn with lines that are not
            # actions.
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


def test_its_legend_names_signs_in_known_colours_that_fit_their_place(drawn):
    _, frames = drawn
    assert all(frame.legend == frames[0].legend for frame in frames)
    for sign in frames[0].legend:
        assert sign.text and sign.size > 0
        for shape in all_shapes(sign.shapes):
            assert {shape.fill, shape.stroke} <= COLOURS and not shape.key and not shape.layer
            assert getattr(shape, "radius", 0) <= sign.size / 2


def test_a_key_names_one_shape_and_a_trail_names_a_shape(drawn):
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
    table = FrameTable()
    for frame in frames:
        left, top, right, bottom = frame.bounds
        assert left < right and top < bottom and math.isfinite(right - left + bottom - top)
        table.add(frame)
    assert len(table.rows) >= len(frames)


def test_events_and_facts_are_of_players_there_are(drawn):
    n_players, frames = drawn
    assert frames[0].events == ()
    for frame in frames:
        assert all(event.player is None or event.player < n_players for event in frame.events)
        assert len(frame.facts) in (0, n_players)


@pytest.fixture(params=NAMES, scope="module")
def played(request):
    """(a contest, the log of a game of it by random players)."""
    contest = importlib.import_module(f"shared.games.{request.param}.contest").CONTEST
    if contest.reconstruct is None:
        pytest.skip(f"{contest.name} does not tell a board from its input")
    return contest, sample_log(contest, MAX_TURNS, 1)


def stands(log, player):
    """Returns (setup, the snapshot before each turn of a player)."""
    states = [log.header.state, *(turn.state for turn in log.turns)]
    return [states[number] for number, _ in log.of_player(player)]


def test_a_board_is_told_for_every_turn(played):
    """The tips and labels of shapes equal those of the original game."""
    contest, log = played
    silence = ((),) * log.header.n_players
    for player in range(log.header.n_players):
        inputs = [part.sent for _, part in log.of_player(player)]
        told = contest.reconstruct(player, inputs)
        assert len(told) == len(inputs) and None not in told
        for (setup, snapshot), state in zip(told, stands(log, player)):
            frame = contest.render(Turn(setup, None, snapshot, silence))
            own = contest.render(Turn(log.header.setup, None, state, silence))
            assert frame.bounds == own.bounds
            tips = [sorted(shape.tip for shape in one.shapes if shape.tip) for one in (frame, own)]
            assert tips[0] == tips[1]
            for part in TOLD_WHOLE.get(contest.name, ()):
                assert snapshot[part] == state[part]


def test_damaged_input_ends_the_reconstruction(played):
    """Malformed lines end the reconstruction, without other effects."""
    contest, log = played
    rng = random.Random(1)
    inputs = [part.sent for _, part in log.of_player(0)]
    for _ in range(60):
        damaged = [list(lines) for lines in inputs[:8]]
        for _ in range(rng.choice((1, 3))):
            lines = rng.choice(damaged)
            place = rng.randrange(len(lines)) if lines else 0
            words = ("", "x", "-1", "9" * 500, "9999999", "0 0 0 0", "nan", "1e9", "-3 -3", "²")
            match rng.randrange(3):
                case 0:
                    lines[place : place + 1] = [rng.choice(words)]
                case 1:
                    del lines[place:]
                case 2:
                    changed = lines[place].split() if lines else []
                    if changed:
                        changed[rng.randrange(len(changed))] = rng.choice(words)
                        lines[place] = " ".join(changed)
        told = contest.reconstruct(0, damaged)
        assert len(told) == len(damaged)
        first = told.index(None) if None in told else len(told)
        assert not any(told[first:])
    assert contest.reconstruct(0, []) == [] and contest.reconstruct(0, [[], []]) == [None, None]


def test_the_page_of_an_imported_game_shows_boards(played):
    """The page has one board for each turn read, with the players' output of the turn before."""
    contest, log = played
    log.header.conditions = replace(log.header.conditions, seed=None)
    log.header.setup, log.header.state = {}, {}
    for turn in log.turns:
        turn.state = {}
    log.outcome = LoggedOutcome(ranks=[0, 1], scores=[0.0, 0.0], reason="the site says so")
    data = page_data(log, contest)
    assert data["board"] and len(data["frames"]) == len(log.turns) + 1
    assert None not in data["frames"][:-1]
