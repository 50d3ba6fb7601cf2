"""Checks at run time: the decorator reads a function's source, rewrites and compiles it again."""

from __future__ import annotations

from typing import Literal, NamedTuple, Protocol, TypedDict

import typeguard
from typeguard import TypeCheckError, check_type, typechecked


class Sized(Protocol):
    size: int


class Options(TypedDict, total=False):
    depth: int


class Move(NamedTuple):
    x: int


@typechecked
def best(moves: list[Move], options: Options, mode: Literal["a", "b"] = "a") -> Move:
    chosen: Move = moves[0]
    for move in moves:
        chosen = max(chosen, move)
    return chosen if mode == "a" else chosen.x


@typechecked
class Tree:
    def __init__(self, nodes: dict[str, int]) -> None:
        self.nodes = nodes

    def grow(self, name: str, *, by: int = 1) -> "Tree":
        self.nodes[name] = by
        return self


print(best([Move(1), Move(2)], {"depth": 3}), Tree({}).grow("x").nodes, check_type([1], list[int]))
calls = [lambda: best([1], {}), lambda: best([Move(1)], {"depth": "x"}), lambda: Tree({1: 1})]
calls += [
    lambda: best([Move(1)], {}, "b"),
    lambda: Tree({}).grow("x", by="y"),
    lambda: best([Move(1)], {}, "c"),
]
calls += [lambda: check_type(object(), Sized), lambda: check_type({"a": "b"}, dict[str, int])]
for call in calls:
    try:
        call()
    except TypeCheckError as error:
        print(str(error).split(" at 0x")[0])
print(best.__wrapped__ if hasattr(best, "__wrapped__") else best.__name__, typeguard.TypeCheckError)
check_type("x", int | None)
