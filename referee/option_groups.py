"""Option groups: dataclasses whose fields are options, shared by several commands.

Rare options are hidden: only `--help-all` shows them.
"""

import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from typing import Annotated, Any, get_args, get_type_hints

import typer


def _show_all(ctx: typer.Context, is_asked: bool) -> None:
    """Print the help with the rare options, and end."""
    if is_asked:
        for parameter in ctx.command.params:
            parameter.hidden = False  # type: ignore[attr-defined]
        typer.echo(ctx.get_help(), nl=False)
        raise typer.Exit


HelpAll = Annotated[
    bool,
    typer.Option(
        "--help-all",
        is_eager=True,
        callback=_show_all,
        help="Show this message with the rare options.",
    ),
]


def expand_option_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Returns a command as typer expects it: with the fields of its option groups as parameters.

    A parameter whose type is a dataclass is replaced by the fields of the dataclass, in their
    order; the command itself receives the dataclass. A command with a hidden option gets
    `--help-all`.
    """
    groups: dict[str, type] = {}
    parameters: list[inspect.Parameter] = []

    def add(name: str, default: Any, annotation: Any) -> None:
        default = inspect.Parameter.empty if default is MISSING else default
        kind = inspect.Parameter.KEYWORD_ONLY
        parameters.append(inspect.Parameter(name, kind, default=default, annotation=annotation))

    hints = get_type_hints(command, include_extras=True)
    for parameter in inspect.signature(command).parameters.values():
        group = hints[parameter.name]
        if not is_dataclass(group):
            add(parameter.name, parameter.default, group)
            continue
        assert isinstance(group, type)
        groups[parameter.name] = group
        own_hints = get_type_hints(group, include_extras=True)
        for field in fields(group):
            add(field.name, field.default, own_hints[field.name])

    has_rare = any(
        getattr(word, "hidden", False)
        for parameter in parameters
        for word in get_args(parameter.annotation)
    )
    if has_rare:
        add("help_all", False, HelpAll)

    @wraps(command)
    def run(**values: Any) -> None:
        values.pop("help_all", None)
        for name, group in groups.items():
            values[name] = group(**{field.name: values.pop(field.name) for field in fields(group)})
        command(**values)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run
