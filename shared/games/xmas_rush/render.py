"""Draws X-mas Rush: see `shared/core/render.py`, and `contest.py` for what a snapshot holds."""


def render(turn):
    raise NotImplementedError
