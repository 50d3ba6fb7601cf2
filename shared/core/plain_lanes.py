"""Lanes (`lanes.py`) in plain Python: lists."""

from typing import Callable, NamedTuple


class Lanes(NamedTuple):
    """The operations, as `lanes.py` has them."""

    take: Callable
    plus: Callable
    minus: Callable
    clip: Callable
    dot: Callable
    put: Callable


def plain_lanes_of(n: int) -> Lanes:
    """The operations on n numbers at once."""

    def take(buffer, at):
        return buffer[at : at + n]

    def plus(sums, buffer, at):
        return [one + other for one, other in zip(sums, buffer[at : at + n])]

    def minus(sums, buffer, at):
        return [one - other for one, other in zip(sums, buffer[at : at + n])]

    def clip(sums, least, most):
        return [min(max(one, least), most) for one in sums]

    def dot(sums, buffer, at):
        return sum([one * other for one, other in zip(sums, buffer[at : at + n])])

    def put(buffer, at, sums):
        buffer[at : at + n] = sums

    return Lanes(take, plus, minus, clip, dot, put)
