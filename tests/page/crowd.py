"""A contest of up to eight players that can be drawn, and nothing else."""

from shared.core.clock import Limits
from shared.core.contest import Contest
from shared.core.drawing.shapes import Circle, Event, Fact, Frame, Text, Trail, player_colour


def render(turn):
    """Each player is a disc in a row of its own."""
    shapes, facts = [], []
    for player, place in enumerate(turn.after["places"]):
        at, colour = (place + 0.5, player + 0.5), player_colour(player)
        shapes += [
            Trail(f"disc {player}", 5, stroke=colour, stroke_width=0.1),
            Circle(0.4, at=at, fill=colour, key=f"disc {player}"),
            Text(str(player), 0.5, at=at, fill="on-player", bold=True, key=f"number {player}"),
        ]
        facts.append((Fact("Place", str(place), (place, 64)),))
    events = (Event("step", "everybody steps"),) if turn.before else ()
    return Frame((0, 0, 66, 8), tuple(shapes), events, tuple(facts))


def refuse(*_):
    raise NotImplementedError("this contest is only drawn")


CONTEST = Contest(
    name="crowd",
    title="A crowd",
    players=(2, 8),
    limits=Limits(first_ms=1000, turn_ms=75),
    new_match=refuse,
    verify=refuse,
    render=render,
)
