"""The look of `--help`: commands whose arguments and flags show no Python types."""

from typing import Any

from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption


def _without_types(parameters: list[Any]) -> list[Any]:
    for one in parameters:
        is_flag = isinstance(one, TyperOption) and one.is_flag
        if is_flag or isinstance(one, TyperArgument):
            # A public method of the pinned version of typer; "" leaves the column empty.
            one.display_type_rich = lambda ctx: ""
    return parameters


class Command(TyperCommand):
    """A command whose help says `BOT` and `--json`, not `BOT <list[str]>` and `--json <bool>`."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Returns the parameters with the automatic ones, as typer asks for them."""
        return _without_types(super().get_params(ctx))


class Group(TyperGroup):
    """The same for the table of commands."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Returns the parameters with the automatic ones, as typer asks for them."""
        return _without_types(super().get_params(ctx))
