"""Draws Coders Strike Back: see `shared/core/drawing/shapes.py`, and `contest.py` for the fields of
a snapshot.
"""

import math
import re
from functools import cache
from typing import NamedTuple

from ...core.drawing.shapes import (
    Arc,
    Circle,
    Event,
    Fact,
    Frame,
    Group,
    Line,
    Polygon,
    Rect,
    Sign,
    Text,
    Trail,
    Turn,
    player_colour,
)
from ...games.coders_strike_back.maps import HEIGHT, WIDTH
from ...games.coders_strike_back.sim import BOOST_THRUST, FRICTION, SHIELD_TURNS

CHECKPOINT_RADIUS, POD_RADIUS = 600, 400
HEAVY = SHIELD_TURNS - 1  # turns without thrust right after the shield was raised
TRAIL_TURNS = 15
MIN_SPEED = 80  # slower pods get no arrow
MAX_MESSAGE = 24  # characters
MARGIN = 700  # pods may leave the map; this much around it is shown
BOUNDS = (-MARGIN, -MARGIN, WIDTH + MARGIN, HEIGHT + MARGIN)

NOSE = ((180, -356), (700, 0), (180, 356))
COMMAND = re.compile(r"\s*\S+\s+\S+\s+(\S+)\s*(.*)")


class Pod(NamedTuple):
    """A pod of a snapshot; `next` counts checkpoints over all laps, from 1."""

    x: int
    y: int
    vx: int
    vy: int
    angle: float
    next: int
    shield: int
    boosted: int
    won: int

    @property
    def passed(self):
        """Number of checkpoints passed in all laps."""
        return self.next - 1 + self.won

    @property
    def speed(self):
        return math.hypot(self.vx, self.vy)


def render(turn: Turn) -> Frame:
    """Draw the race."""
    after = [Pod(*columns) for columns in turn.after["pods"]]
    before = [Pod(*columns) for columns in (turn.before or turn.after)["pods"]]
    checkpoints, collisions = turn.setup["checkpoints"], turn.after["collisions"]
    shapes = [ground(tuple(map(tuple, checkpoints))), *targets(checkpoints, before, after)]
    for pod in range(len(after)):
        colour = player_colour(owner(pod))
        shapes.append(
            Trail(pod_key(pod), TRAIL_TURNS, stroke=colour, stroke_width=70, opacity=0.65)
        )
    for pod in range(len(after)):
        shapes.append(draw_pod(turn, pod, before[pod], after[pod]))
    for time, _, _, x, y in collisions:
        shapes.append(Group((FLASH,), at=(x, y), since=time))
    return Frame(
        bounds=BOUNDS,
        shapes=tuple(shapes),
        events=tuple(find_events(before, after, collisions, len(checkpoints))),
        facts=tuple(
            (
                *(pod_fact(pod, after[pod], turn.setup) for pod in (2 * player, 2 * player + 1)),
                Fact("Timeout", f"{turns_left} turns left to pass a checkpoint"),
            )
            for player, turns_left in enumerate(turn.after["timeouts"])
        ),
        legend=LEGEND,
    )


def owner(pod):
    return pod // 2


def pod_key(pod):
    return f"pod {pod}"


def pod_name(pod):
    return f"player {owner(pod)} pod {pod % 2}"


def polar(length, angle):
    return (length * math.cos(angle), length * math.sin(angle))


# The map

FLASH = Polygon(
    tuple(polar(length, i * math.pi / 8) for i, length in enumerate((450, 130, 340, 130) * 4)),
    fill="alert",
    stroke="board",
    stroke_width=40,
)


@cache
def ground(checkpoints):
    """Draw the static parts: the map's grid, the course, the checkpoints."""
    grid = dict(stroke="line", opacity=0.5)
    shapes = [Rect(WIDTH, HEIGHT, at=(WIDTH / 2, HEIGHT / 2), fill="board", stroke="line")]
    shapes += [Line(((x, 0), (x, HEIGHT)), **grid) for x in range(1000, WIDTH, 1000)]
    shapes += [Line(((0, y), (WIDTH, y)), **grid) for y in range(1000, HEIGHT, 1000)]
    shapes += [
        course_arrow(checkpoint, checkpoints[(i + 1) % len(checkpoints)])
        for i, checkpoint in enumerate(checkpoints)
    ]
    for i, at in enumerate(checkpoints):
        ring = dict(at=at, stroke="muted", stroke_width=30)
        shapes.append(Circle(CHECKPOINT_RADIUS, fill="board", **ring))
        if i == 0:
            shapes.append(Circle(CHECKPOINT_RADIUS - 90, **ring))
        shapes.append(Text(str(i), 620, at=at, fill="muted", bold=True))
    return Group(tuple(shapes))


def course_arrow(start, end):
    """Draw the leg from a checkpoint to the next, with an arrow's head in its middle."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    style = dict(at=start, angle=math.atan2(dy, dx), stroke="line", stroke_width=40)
    middle = length / 2 + 90
    return Group(
        (
            Line(((CHECKPOINT_RADIUS, 0), (length - CHECKPOINT_RADIUS, 0)), **style),
            Line(((middle - 180, -170), (middle, 0), (middle - 180, 170)), **style),
        )
    )


def targets(checkpoints, before, after):
    """Draw an arc around each checkpoint for every pod heading for it. Arcs show the targets before
    the turn until its end.
    """
    n_checkpoints = len(checkpoints)
    for i, at in enumerate(checkpoints):
        old, new = (
            [pod for pod, p in enumerate(pods) if not p.won and p.next % n_checkpoints == i]
            for pods in (before, after)
        )
        if old == new:
            yield from target_arcs(at, new)
        else:
            yield from target_arcs(at, old, until=1.0)
            yield from target_arcs(at, new, since=1.0)


def target_arcs(at, pods, **when):
    share = 2 * math.pi / max(len(pods), 1)
    gap = 0.08 if len(pods) > 1 else 0.0
    for i, pod in enumerate(pods):
        start = i * share - math.pi / 2
        yield Arc(
            CHECKPOINT_RADIUS + 110,
            start + gap,
            start + share - gap,
            at=at,
            stroke=player_colour(owner(pod)),
            stroke_width=110,
            **when,
        )


# The pods


def draw_pod(turn, pod, before, after):
    """Draw a pod: its disc, heading, flame, number, shield, velocity and message."""
    colour = player_colour(owner(pod))
    thrust, message = read_command(turn.output[owner(pod)], pod % 2)
    shapes = []
    if turn.before is not None:
        if after.boosted > before.boosted:
            thrust = BOOST_THRUST
        heading = [] if before.shield or not thrust else draw_flame(thrust)
        heading.append(Polygon(NOSE, fill=colour, stroke="board", stroke_width=30))
        shapes.append(Group(tuple(heading), angle=after.angle, key=f"heading {pod}"))
    shapes.append(Circle(POD_RADIUS, fill=colour, stroke="board", stroke_width=30))
    shapes.append(Text(str(pod % 2), 480, fill="on-player", bold=True))
    shapes += draw_shield(after.shield)
    if after.speed >= MIN_SPEED:
        tip = POD_RADIUS + round(after.speed)
        direction = math.atan2(after.vy, after.vx)
        shapes.append(
            Line(
                ((POD_RADIUS, 0), (tip, 0)),
                head=110,
                angle=direction,
                stroke="ink",
                stroke_width=35,
                key=f"velocity {pod}",
            )
        )
    if message:
        shown = message if len(message) <= MAX_MESSAGE else message[: MAX_MESSAGE - 1] + "…"
        side = -900 if after.y > 1300 else 900
        shapes.append(Text(shown, 360, at=(0, side), fill="ink", stroke="board", stroke_width=120))
    at, seen = on_board(after.x, after.y)
    bend = last_collision(turn.after["collisions"], pod)
    return Group(
        tuple(shapes),
        at=at,
        via=(way_point(after, bend),) if bend else (),
        opacity=1.0 if seen else 0.5,
        key=pod_key(pod),
        tip=f"{pod_name(pod)} at {after.x} {after.y}, velocity {after.vx} {after.vy}",
    )


def read_command(lines, i):
    """Returns (thrust, message) of a line `X Y thrust message`, or (0, '')."""
    found = COMMAND.fullmatch(lines[i]) if i < len(lines) else None
    if not found:
        return 0, ""
    thrust = int(found[1]) if found[1].isdecimal() else 0
    return thrust, found[2]


def draw_flame(thrust):
    """Draw the engine's flame. A boost adds a bright core."""
    length = POD_RADIUS + 150 + 1.6 * min(thrust, BOOST_THRUST)
    flame = [Polygon(flame_points(length, 270), fill="accent")]
    if thrust == BOOST_THRUST:
        flame.append(Polygon(flame_points(0.72 * length, 130), fill="board"))
    return flame


def flame_points(length, half_width):
    root, belly = -0.7 * POD_RADIUS, -0.7 * length
    return (
        (root, -half_width),
        (belly, -0.5 * half_width),
        (-length, 0),
        (belly, 0.5 * half_width),
        (root, half_width),
    )


def draw_shield(turns):
    """Draw an arc for each coming turn without thrust; inside, a ring while the pod is heavy."""
    share = 2 * math.pi / HEAVY
    style = dict(stroke="ink", stroke_width=80)
    arcs = [
        Arc(
            POD_RADIUS + 130,
            i * share - math.pi / 2 + 0.12,
            (i + 1) * share - math.pi / 2 - 0.12,
            **style,
        )
        for i in range(turns)
    ]
    return arcs + ([Circle(POD_RADIUS + 20, **style)] if is_heavy(turns) else [])


def is_heavy(shield):
    """Returns True if the shield was raised in this turn."""
    return shield == HEAVY


def on_board(x, y):
    """Returns (place, is inside) of a pod on the picture. A pod outside the picture is drawn at
    the edge.
    """
    left, top, right, bottom = BOUNDS
    shown_x = min(max(x, left + POD_RADIUS), right - POD_RADIUS)
    shown_y = min(max(y, top + POD_RADIUS), bottom - POD_RADIUS)
    return (shown_x, shown_y), (shown_x, shown_y) == (x, y)


def last_collision(collisions, pod):
    """Returns the time of a pod's last bounce in the turn, or 0."""
    return max((time for time, a, b, _, _ in collisions if pod in (a, b)), default=0)


def way_point(pod, time):
    """Returns (time, x, y) of a pod's last bounce, computed from its place and velocity."""
    rest = (1 - time) / FRICTION
    (x, y), _ = on_board(pod.x - pod.vx * rest, pod.y - pod.vy * rest)
    return time, round(x), round(y)


POD = Circle(POD_RADIUS, fill="muted", stroke="board", stroke_width=30)
LEGEND = (
    Sign(
        "next checkpoint of a pod",
        (Circle(CHECKPOINT_RADIUS, stroke="muted", stroke_width=60), *target_arcs((0, 0), [0, 2])),
        1700,
    ),
    Sign("engine", (*draw_flame(100), Polygon(NOSE, fill="muted"), POD), 1500),
    Sign("boost", (*draw_flame(BOOST_THRUST), Polygon(NOSE, fill="muted"), POD), 2700),
    Sign(
        "velocity",
        (POD, Line(((0, 0), (900, 0)), head=200, stroke="ink", stroke_width=60)),
        1900,
    ),
    Sign("shield: heavy, no thrust", (POD, *draw_shield(HEAVY)), 1300),
    Sign("shield raised lately: no thrust", (POD, *draw_shield(HEAVY - 1)), 1300),
    Sign("collision", (FLASH,), 1000),
)


# Events and standings


def find_events(before, after, collisions, n_checkpoints):
    for pod, (was, now) in enumerate(zip(before, after)):
        name, player = pod_name(pod), owner(pod)
        if now.passed > was.passed:
            did = "finishes" if now.won else f"passes checkpoint {was.next % n_checkpoints}"
            yield Event("checkpoint", f"{name} {did}", player)
        if now.boosted > was.boosted:
            yield Event("boost", f"{name} boosts", player)
        if is_heavy(now.shield):
            yield Event("shield", f"{name} raises its shield", player)
    for _, a, b, _, _ in collisions:
        player = owner(a) if owner(a) == owner(b) else None
        yield Event("collision", f"{pod_name(a)} and {pod_name(b)} collide", player)


def pod_fact(pod, now, setup):
    laps, n_checkpoints = setup["laps"], len(setup["checkpoints"])
    parts = [f"lap {min(now.passed // n_checkpoints + 1, laps)}/{laps}"]
    parts.append("finished" if now.won else f"next {now.next % n_checkpoints}")
    if now.boosted == 0:  # 0 means unused; other values mean used or unknown
        parts.append("boost left")
    if now.shield:
        parts.append(f"shield {now.shield}")
    return Fact(f"Pod {pod % 2}", " · ".join(parts), (now.passed, laps * n_checkpoints))
