"""Dataclasses from dictionaries by evaluated type hints."""

from dataclasses import dataclass, field
from enum import Enum
from typing import Generic, Optional, TypeVar, Union

import dacite
from dacite import Config, DaciteError, from_dict

T = TypeVar("T")


class Kind(Enum):
    POD = 1


@dataclass
class Node:
    value: int
    children: list["Node"] = field(default_factory=list)
    parent: Optional["Node"] = None


@dataclass
class State(Generic[T]):
    kind: Kind
    where: Union[Node, str]
    grid: dict[str, tuple[int, ...]]


data = {"kind": 1, "where": {"value": 1, "children": [{"value": 2}]}, "grid": {"a": (1, 2)}}
print(from_dict(State, data, Config(cast=[Enum])), from_dict(Node, {"value": 3}))
for wrong in (
    {"value": "x"},
    {},
    {"value": 1, "children": [{"value": None}]},
    {"value": 1, "z": 2},
):
    try:
        print(from_dict(Node, wrong, Config(strict=True)))
    except DaciteError as error:
        print(type(error), error)
hooked = Config(type_hooks={int: lambda text: int(text, 0)}, forward_references={"Node": Node})
print(from_dict(Node, {"value": "0x1f"}, hooked), dacite.__name__)
from_dict(State, {**data, "where": 3}, Config(cast=[Enum]))
