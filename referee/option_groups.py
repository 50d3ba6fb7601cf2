"""Option groups: dataclasses whose fields are options, shared by several commands."""

import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from typing import Any, get_type_hints


def expand_option_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Returns a command as typer takes it: with the fields of its option groups as parameters.

    A parameter whose type is a dataclass stands for the fields of that, in their order. The command
    itself gets the dataclass.
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

    @wraps(command)
    def run(**values: Any) -> None:
        for name, group in groups.items():
            values[name] = group(**{field.name: values.pop(field.name) for field in fields(group)})
        command(**values)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run
