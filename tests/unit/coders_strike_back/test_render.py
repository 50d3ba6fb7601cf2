"""Drawings of Coders Strike Back: the paths of shapes, and the part of a turn in which each is
visible.
"""

from shared.core.drawing.shapes import Arc, Circle, Group, Turn
from shared.games.coders_strike_back.contest import CONTEST
from shared.games.coders_strike_back.render import render

SETUP = {"laps": 3, "checkpoints": [[2000, 4500], [8000, 2000], [14000, 7000]], "max_turns": 500}
FAR = [15000, 8000, 0, 0, 0.0, 1, 0, 0, 0]


def snapshot(pod, collisions=()):
    """Returns a snapshot with a given pod 0 and the others far away."""
    return {"pods": [pod, FAR, FAR, FAR], "timeouts": [100, 100], "collisions": list(collisions)}


def pod(x=5000, y=5000, vx=0, vy=0, angle=0.0, next=1, shield=0, boosted=0, won=0):
    return [x, y, vx, vy, angle, next, shield, boosted, won]


def draw(before, after, lines=()):
    return render(Turn(SETUP, before, after, (tuple(lines), ())))


def find(frame, key):
    (shape,) = [shape for shape in frame.shapes if shape.key == key]
    return shape


def drawn_pod(frame):
    return find(frame, "pod 0")


def test_a_pod_that_bounced_goes_past_the_place_of_its_last_bounce():
    """After the bounce the pod flew half a turn at 100 units a turn, of which friction left 85."""
    hits = [[0.2, 0, 2, 0, 0], [0.5, 0, 3, 0, 0], [0.9, 1, 2, 0, 0]]
    frame = draw(snapshot(pod()), snapshot(pod(x=5000, vx=85), hits))
    assert drawn_pod(frame).via == ((0.5, 4950, 5000),)


def test_a_collision_shows_from_its_moment_on_at_its_place():
    frame = draw(snapshot(pod()), snapshot(pod(), [[0.25, 0, 2, 5400, 5100]]))
    (flash,) = [shape for shape in frame.shapes if isinstance(shape, Group) and shape.since]
    assert (flash.since, flash.at) == (0.25, (5400, 5100))
    assert [event.text for event in frame.events] == ["player 0 pod 0 and player 1 pod 0 collide"]


def test_a_raised_shield_shows_the_turns_without_thrust_to_come_and_a_ring_at_first():
    """By the rules' own count: three arcs and the ring of a heavy pod, then one arc less each
    turn.
    """
    match = CONTEST.new_match(1)
    drawn = []
    for command in ("SHIELD", "0", "0", "0"):
        before = match.snapshot()
        lines = [f"8000 4500 {command}", "8000 4500 0"]
        match.play({player: match.parse(player, lines) for player in (0, 1)})
        frame = render(Turn(match.setup(), before, match.snapshot(), (tuple(lines), tuple(lines))))
        shapes = drawn_pod(frame).shapes
        rings = [s for s in shapes if isinstance(s, Circle) and s.stroke == "ink"]
        drawn.append((sum(isinstance(s, Arc) for s in shapes), len(rings)))
    assert drawn == [(3, 1), (2, 0), (1, 0), (0, 0)]
