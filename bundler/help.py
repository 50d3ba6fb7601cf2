"""The look of `--help`: commands whose arguments and flags show no Python types."""

from typing import Any

from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption


class _Plain:
    def get_params(self, ctx: Any) -> list[Any]:
        """Returns the parameters with the automatic ones, as typer asks for them."""
        parameters: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for parameter in parameters:
            if isinstance(parameter, TyperArgument) or (
                isinstance(parameter, TyperOption) and parameter.is_flag
            ):
                # A public method of the pinned version of typer; "" leaves the column empty.
                parameter.display_type_rich = lambda ctx: ""  # type: ignore[method-assign]
        return parameters


class Command(_Plain, TyperCommand):
    """A command whose help says `BOT` and `--json`, not `BOT <list[str]>` and `--json <bool>`."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Returns the words of the usage line, without braces, which would suggest a choice."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]


class Group(_Plain, TyperGroup):
    """A group of commands whose help leaves out brackets and types, too."""
