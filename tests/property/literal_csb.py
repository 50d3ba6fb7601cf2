"""The movement of Coders Strike Back exactly as in RULES.md, sections 3 to 5: no bound, no early
exit, no memo.

Slow and plain on purpose: `sim.py` must agree to the last bit.
"""

import math

from shared.games.coders_strike_back.state import (
    GATES,
    N_GATES,
    NEXT,
    SHIELD,
    TIMEOUT,
    TURN,
    VX,
    VY,
    WON,
    X,
    Y,
)


def contact(state, i, j):
    px, py = state[X + j] - state[X + i], state[Y + j] - state[Y + i]
    vx, vy = state[VX + j] - state[VX + i], state[VY + j] - state[VY + i]
    squared, dot, speed = px * px + py * py, px * vx + py * vy, vx * vx + vy * vy
    if squared <= 640000:
        return 0.0
    root = dot * dot - speed * (squared - 640000)
    if dot > 0 or root < 0 or speed == 0:
        return math.inf
    return (-dot - math.sqrt(root)) / speed


def exchange(state, i, j):
    dx, dy = state[X + j] - state[X + i], state[Y + j] - state[Y + i]
    distance = math.sqrt(dx * dx + dy * dy)
    nx, ny = dx / distance, dy / distance
    mi, mj = (0.1 if state[SHIELD + pod] == 4 else 1.0 for pod in (i, j))
    closing = nx * (state[VX + i] - state[VX + j]) + ny * (state[VY + i] - state[VY + j])
    half = closing / (mi + mj)
    force = half + max(half, 120.0)
    state[VX + i] += nx * -force * mi
    state[VY + i] += ny * -force * mi
    state[VX + j] -= nx * -force * mj
    state[VY + j] -= ny * -force * mj
    if distance <= 800:
        push = -(distance - 800) / 2 + 0.00001
        state[X + i] += nx * -push
        state[Y + i] += ny * -push
        state[X + j] += nx * push
        state[Y + j] += ny * push


def check_gate(setup, state, pod, start):
    gate = int(state[NEXT + pod])
    cx, cy = setup[GATES + 2 * gate], setup[GATES + 2 * gate + 1]
    (x1, y1), (x2, y2) = start, (state[X + pod], state[Y + pod])
    dx, dy = x2 - x1, y2 - y1
    along = ((cx - x1) * dx + (cy - y1) * dy) / (dx * dx + dy * dy) if dx or dy else 0.0
    if along > 1:
        x, y = x2, y2
    elif along > 0:
        x, y = x1 + along * dx, y1 + along * dy
    else:
        x, y = x1, y1
    if (x - cx) * (x - cx) + (y - cy) * (y - cy) < 360000:
        state[WON + pod] = float(gate + 1 >= setup[N_GATES]) or state[WON + pod]
        state[NEXT + pod] = min(gate + 1, setup[N_GATES] - 1)
        state[TIMEOUT + pod // 2] = 101


def move(setup, state):
    left = 1.0
    starts = [(state[X + pod], state[Y + pod]) for pod in range(4)]
    while left > 0:
        first, pair = left, None
        for i, j in ((3, 2), (3, 1), (3, 0), (2, 1), (2, 0), (1, 0)):
            when = contact(state, i, j)
            if when <= first:
                first, pair = when, (i, j)
        for pod in range(4):
            state[X + pod] += state[VX + pod] * first
            state[Y + pod] += state[VY + pod] * first
        left -= first
        if pair:
            exchange(state, *pair)
        if left > 0:
            for pod in range(4):
                check_gate(setup, state, pod, starts[pod])
            starts = [(state[X + pod], state[Y + pod]) for pod in range(4)]
    for pod in range(4):
        state[VX + pod] = float(math.trunc(state[VX + pod] * 0.85))
        state[VY + pod] = float(math.trunc(state[VY + pod] * 0.85))
        state[X + pod] = float(math.floor(state[X + pod] + 0.5))
        state[Y + pod] = float(math.floor(state[Y + pod] + 0.5))
        if state[SHIELD + pod] > 0:
            state[SHIELD + pod] -= 1
        check_gate(setup, state, pod, starts[pod])
    state[TIMEOUT] -= 1
    state[TIMEOUT + 1] -= 1
    state[TURN] += 1
