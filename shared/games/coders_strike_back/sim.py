"""One turn of Coders Strike Back, exact to the last bit (sections refer to RULES.md).

Arithmetic is IEEE double in the order of the rules. Short cuts before a root or a division are
bounds with a margin far above rounding: they only skip what the full formulas would reject.
"""

import math

from ...core.jit import inline
from ...games.coders_strike_back.state import (
    ANGLE,
    BOOSTED,
    COLLISIONS,
    GATES,
    HEADINGS,
    N_GATES,
    N_HEADINGS,
    N_PODS,
    NEXT,
    SHIELD,
    TIMEOUT,
    TIMEOUT_OF_PASS,
    TURN,
    VX,
    VY,
    WON,
    X,
    Y,
)

# Commands of a pod besides a thrust of 0..MAX_THRUST.
BOOST, RAISE_SHIELD = -1, -2
MAX_THRUST = 200
BOOST_THRUST = 650
MAX_ROTATION = 18.0 * (math.pi / 180.0)
TWO_PI = 2.0 * math.pi
MAX_TURNS = 500
# Angles 18 degrees apart fall a golden section of the memo apart.
HEADING_SPREAD = N_HEADINGS * 0.618 / MAX_ROTATION

SHIELD_TURNS = 4
SHIELD_INVERSE_MASS = 0.1
FRICTION = 0.85
CONTACT = 800.0
CONTACT_SQUARED = CONTACT * CONTACT
GATE_RADIUS_SQUARED = 600.0 * 600.0
HALF_MIN_IMPULSE = 120.0
PUSH_APART = 0.00001


@inline
def thrust_of(state, pod, command):
    """Returns a command's thrust, and updates shield and boost (section 2)."""
    thrust = command
    if command == RAISE_SHIELD:
        state[SHIELD + pod] = float(SHIELD_TURNS)
        thrust = 0
    elif command == BOOST:
        thrust = MAX_THRUST
        if state[BOOSTED + pod] == 0.0:
            state[BOOSTED + pod] = 1.0
            thrust = BOOST_THRUST
    if state[SHIELD + pod] > 0.0:
        thrust = 0
    return thrust


@inline
def heading(setup, angle):
    """Returns the index of an angle's cosine in `setup`. The sine is next."""
    memo = HEADINGS + 3 * (int(angle * HEADING_SPREAD) & (N_HEADINGS - 1))
    if setup[memo] != angle:
        setup[memo] = angle
        setup[memo + 1] = math.cos(angle)
        setup[memo + 2] = math.sin(angle)
    return memo + 1


@inline
def accelerate(setup, state, pod, thrust):
    if thrust > 0:
        cosine = heading(setup, state[ANGLE + pod])
        state[VX + pod] += setup[cosine] * thrust
        state[VY + pod] += setup[cosine + 1] * thrust


@inline
def remainder(x, modulus):
    """C's fmod, which numba lacks; modulus > 0."""
    return x % modulus if x >= 0.0 else -(-x % modulus)


@inline
def aim(setup, state, pod, target_x, target_y, command):
    """Turn a pod towards a point, within the limit, and accelerate it (section 2)."""
    thrust = thrust_of(state, pod, command)
    dx = target_x - state[X + pod]
    dy = target_y - state[Y + pod]
    if dx == 0.0 and dy == 0.0:
        return
    angle = math.atan2(dy, dx)
    if state[TURN] > 0.0:
        turn = remainder(angle - state[ANGLE + pod], TWO_PI)
        turn = remainder(2.0 * turn, TWO_PI) - turn
        if turn < -MAX_ROTATION:
            angle = state[ANGLE + pod] - MAX_ROTATION
        elif turn > MAX_ROTATION:
            angle = state[ANGLE + pod] + MAX_ROTATION
    state[ANGLE + pod] = angle
    accelerate(setup, state, pod, thrust)


@inline
def steer(setup, state, pod, rotation, command):
    """Turn a pod by `rotation` radians, which the caller limits, and accelerate it."""
    state[ANGLE + pod] += rotation
    accelerate(setup, state, pod, thrust_of(state, pod, command))


@inline
def contact_time(state, i, j, limit):
    """Returns turns until pods i and j touch (section 3). Times after `limit` may be 10."""
    px = state[X + j] - state[X + i]
    py = state[Y + j] - state[Y + i]
    squared = px * px + py * py
    if squared <= CONTACT_SQUARED:
        return 0.0
    vx = state[VX + j] - state[VX + i]
    vy = state[VY + j] - state[VY + i]
    dot = px * vx + py * vy
    # The squared distance at time t is at least squared + 2 dot t.
    if squared * 0.999999 + 2.0 * dot * limit > CONTACT_SQUARED + 1.0 or dot > 0.0:
        return 10.0
    speed_squared = vx * vx + vy * vy
    discriminant = dot * dot - speed_squared * (squared - CONTACT_SQUARED)
    if discriminant < 0.0 or speed_squared == 0.0:
        return 10.0
    return (-dot - math.sqrt(discriminant)) / speed_squared


@inline
def inverse_mass(state, pod):
    return SHIELD_INVERSE_MASS if state[SHIELD + pod] == SHIELD_TURNS else 1.0


@inline
def bounce(state, i, j):
    """Exchange the impulse of a collision and push overlapping pods apart (section 3)."""
    nx = state[X + j] - state[X + i]
    ny = state[Y + j] - state[Y + i]
    distance = math.sqrt(nx * nx + ny * ny)
    if distance == 0.0:
        nx = 1.0  # any direction separates the pods
    else:
        nx /= distance
        ny /= distance
    mass_i = inverse_mass(state, i)
    mass_j = inverse_mass(state, j)
    speed = nx * (state[VX + i] - state[VX + j]) + ny * (state[VY + i] - state[VY + j])
    impulse = speed / (mass_i + mass_j)
    if impulse < HALF_MIN_IMPULSE:
        impulse += HALF_MIN_IMPULSE
    else:
        impulse += impulse
    impulse_x = nx * -impulse
    impulse_y = ny * -impulse
    state[VX + i] += impulse_x * mass_i
    state[VY + i] += impulse_y * mass_i
    state[VX + j] -= impulse_x * mass_j
    state[VY + j] -= impulse_y * mass_j
    if distance <= CONTACT:
        gap = -(distance - CONTACT) / 2.0 + PUSH_APART
        state[X + i] -= nx * gap
        state[Y + i] -= ny * gap
        state[X + j] += nx * gap
        state[Y + j] += ny * gap


@inline
def closest_gap(state, i, j):
    """Returns a lower bound of the squared distance of pods i, j in a collision-free turn."""
    px = state[X + j] - state[X + i]
    py = state[Y + j] - state[Y + i]
    dot = px * (state[VX + j] - state[VX + i]) + py * (state[VY + j] - state[VY + i])
    squared = (px * px + py * py) * 0.999999
    return min(squared, squared + 2.0 * dot)


@inline
def all_apart(state):
    """Returns True if no two pods can touch."""
    gap = min(closest_gap(state, 0, 1), closest_gap(state, 2, 3))
    gap = min(gap, min(closest_gap(state, 0, 2), closest_gap(state, 1, 3)))
    gap = min(gap, min(closest_gap(state, 0, 3), closest_gap(state, 1, 2)))
    return gap > CONTACT_SQUARED + 1.0


@inline
def pass_gate(setup, state, pod, from_x, from_y):
    """Count a gate passed on the way from (from_x, from_y) (section 4)."""
    gate = int(state[NEXT + pod])
    gate_x = setup[GATES + 2 * gate]
    gate_y = setup[GATES + 2 * gate + 1]
    to_x = state[X + pod]
    to_y = state[Y + pod]
    dx = to_x - from_x
    dy = to_y - from_y
    near_x = to_x - gate_x
    near_y = to_y - gate_y
    length_squared = dx * dx + dy * dy
    # (600 + length) squared is at most twice the sum of the squares.
    if near_x * near_x + near_y * near_y > 2.001 * (GATE_RADIUS_SQUARED + length_squared):
        return
    along = 0.0
    if length_squared != 0.0:
        along = ((gate_x - from_x) * dx + (gate_y - from_y) * dy) / length_squared
    if along <= 1.0:
        near_x = from_x - gate_x
        near_y = from_y - gate_y
        if along > 0.0:
            near_x = from_x + along * dx - gate_x
            near_y = from_y + along * dy - gate_y
    if near_x * near_x + near_y * near_y < GATE_RADIUS_SQUARED:
        if gate + 1 >= setup[N_GATES]:
            state[WON + pod] = 1.0
        else:
            state[NEXT + pod] = gate + 1.0
        state[TIMEOUT + (pod >> 1)] = float(TIMEOUT_OF_PASS)


@inline
def end_turn(setup, state, pod, from_x, from_y):
    """Apply friction, rounding, shield and the last gate test (section 5)."""
    state[VX + pod] = float(int(state[VX + pod] * FRICTION))
    state[VY + pod] = float(int(state[VY + pod] * FRICTION))
    state[X + pod] = float(math.floor(state[X + pod] + 0.5))
    state[Y + pod] = float(math.floor(state[Y + pod] + 0.5))
    state[SHIELD + pod] = max(state[SHIELD + pod] - 1.0, 0.0)
    pass_gate(setup, state, pod, from_x, from_y)


@inline
def collide_pods(setup, state):
    """Move all pods through a turn, collision by collision (section 3)."""
    n_collisions = 0
    left = 1.0
    from_x0, from_x1, from_x2, from_x3 = state[X], state[X + 1], state[X + 2], state[X + 3]
    from_y0, from_y1, from_y2, from_y3 = state[Y], state[Y + 1], state[Y + 2], state[Y + 3]
    while left > 0.0:
        first = left
        hit_i = 0
        hit_j = 0
        # This order, the later pair winning a tie, is part of the rules.
        for i in range(N_PODS - 1, 0, -1):
            for j in range(i - 1, -1, -1):
                when = contact_time(state, i, j, first)
                if when <= first:
                    first = when
                    hit_i = i
                    hit_j = j
        for pod in range(N_PODS):
            state[X + pod] += state[VX + pod] * first
            state[Y + pod] += state[VY + pod] * first
        left -= first
        if hit_i != hit_j:
            entry = COLLISIONS + 1 + 5 * n_collisions
            if entry + 5 <= len(setup):
                setup[entry] = 1.0 - left
                setup[entry + 1] = float(hit_j)
                setup[entry + 2] = float(hit_i)
                setup[entry + 3] = (state[X + hit_i] + state[X + hit_j]) / 2.0
                setup[entry + 4] = (state[Y + hit_i] + state[Y + hit_j]) / 2.0
            n_collisions += 1
            bounce(state, hit_i, hit_j)
        if left > 0.0:
            pass_gate(setup, state, 0, from_x0, from_y0)
            pass_gate(setup, state, 1, from_x1, from_y1)
            pass_gate(setup, state, 2, from_x2, from_y2)
            pass_gate(setup, state, 3, from_x3, from_y3)
            from_x0, from_x1, from_x2, from_x3 = state[X], state[X + 1], state[X + 2], state[X + 3]
            from_y0, from_y1, from_y2, from_y3 = state[Y], state[Y + 1], state[Y + 2], state[Y + 3]
    setup[COLLISIONS] = float(n_collisions)
    end_turn(setup, state, 0, from_x0, from_y0)
    end_turn(setup, state, 1, from_x1, from_y1)
    end_turn(setup, state, 2, from_x2, from_y2)
    end_turn(setup, state, 3, from_x3, from_y3)


@inline
def move_pods(setup, state):
    """Move all pods and count the turn (sections 3 to 5)."""
    if all_apart(state):
        setup[COLLISIONS] = 0.0
        for pod in range(N_PODS):
            from_x = state[X + pod]
            from_y = state[Y + pod]
            state[X + pod] += state[VX + pod]
            state[Y + pod] += state[VY + pod]
            end_turn(setup, state, pod, from_x, from_y)
    else:
        collide_pods(setup, state)
    state[TIMEOUT] -= 1.0
    state[TIMEOUT + 1] -= 1.0
    state[TURN] += 1.0


@inline
def apply(setup, state, moves):
    """Play a turn. moves float64[12]: target x, y and command of each pod."""
    for pod in range(N_PODS):
        aim(setup, state, pod, moves[3 * pod], moves[3 * pod + 1], int(moves[3 * pod + 2]))
    move_pods(setup, state)


@inline
def race_points(setup, state, pod):
    """Returns a pod's score after MAX_TURNS: gates, then nearness to the next gate."""
    gate = int(state[NEXT + pod])
    dx = setup[GATES + 2 * gate] - state[X + pod]
    dy = setup[GATES + 2 * gate + 1] - state[Y + pod]
    return gate * 1000000.0 - math.sqrt(dx * dx + dy * dy)


@inline
def winner(setup, state):
    """Returns the winner, or -1 while the race goes on (section 7)."""
    if state[TIMEOUT] <= 0.0:
        return 1
    if state[TIMEOUT + 1] <= 0.0:
        return 0
    for pod in range(N_PODS):
        if state[WON + pod] == 1.0:
            return pod >> 1
    if state[TURN] < MAX_TURNS:
        return -1
    best = 0
    for pod in range(1, N_PODS):
        if race_points(setup, state, pod) > race_points(setup, state, best):
            best = pod
    return best >> 1


@inline
def is_over(setup, state):
    return winner(setup, state) >= 0
