"""Option groups: typer sees their fields as options, the command receives the dataclasses."""

import inspect
from dataclasses import dataclass
from typing import Annotated

import typer

from referee.option_groups import expand_option_groups


@dataclass(frozen=True)
class Colours:
    red: Annotated[int, typer.Option(help="How red.")] = 1
    names: Annotated[list[str] | None, typer.Option()] = None


@dataclass(frozen=True)
class MoreColours(Colours):
    blue: Annotated[bool, typer.Option("--blue")] = False


def test_a_group_stands_for_its_fields_in_their_order():
    given = {}

    def paint(wall: str, *, colours: MoreColours, coats: int = 2) -> None:
        """Paint a wall."""
        given.update(wall=wall, colours=colours, coats=coats)

    command = expand_option_groups(paint)
    assert list(inspect.signature(command).parameters) == ["wall", "red", "names", "blue", "coats"]
    assert command.__doc__ == "Paint a wall."
    app = typer.Typer()
    app.command()(command)
    app(["north", "--red", "3", "--names", "a", "--names", "b", "--blue"], standalone_mode=False)
    assert given == {"wall": "north", "colours": MoreColours(3, ["a", "b"], True), "coats": 2}
