"""The reference of the command line, read from the program itself."""

import inspect
import json
from enum import Enum
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import typer

from bundler.__main__ import app as bundler_app
from referee.__main__ import command_line

PROGRAM = "onefile"
OWN_PANEL = "Options"
ARGUMENTS = "Arguments"


class UndocumentedError(Exception):
    """A command or one of its parameters has no help text; the text names it."""


def application() -> Any:
    """Returns the whole command line, as click's group of commands."""
    return typer.main.get_command(command_line([], bundler_app.registered_commands))


def commands_page(group: Any) -> str:
    """Returns a section in Markdown for each command of a group. Raises UndocumentedError."""
    names = [name for name, command in group.commands.items() if not command.hidden]
    return "\n".join(command_section(name, group.commands[name]) for name in names)


def command_section(name: str, command: Any) -> str:
    """Returns the section of a command: its usage, its help, a table for each panel of options."""
    text = help_text(name, command.help)
    if command.epilog:
        text += "\n\n" + inspect.cleandoc(command.epilog)
    panels: dict[str, list[str]] = {}
    for parameter in command.params:
        is_undocumented = getattr(parameter, "hidden", False) and not parameter.help
        if is_undocumented or parameter.name in ("help", "help_all"):
            continue
        panels.setdefault(panel_of(parameter), []).append(row(name, parameter))
    parts = [f"## {name}", f"```text\n{PROGRAM} {name} {usage(command)}\n```", text]
    for panel in sorted(panels, key=lambda panel: (panel != ARGUMENTS, panel != OWN_PANEL)):
        lines = "\n".join(panels[panel])
        kind = "argument" if panel == ARGUMENTS else "option"
        parts.append(f"**{panel}**\n\n| {kind} | meaning |\n|---|---|\n{lines}")
    return "\n\n".join(parts) + "\n"


def help_text(name: str, text: str | None) -> str:
    """Returns the help of a command or of an option. Raises UndocumentedError without one."""
    if not (text or "").strip():
        raise UndocumentedError(f"{PROGRAM} {name}: no help text: give it one where it is declared")
    return inspect.cleandoc(text or "").replace("\b", "").replace("\f", "")


def is_argument(parameter: Any) -> bool:
    """Returns whether a parameter is given by its position, not by a name."""
    return bool(parameter.param_type_name == "argument")


def usage(command: Any) -> str:
    """Returns the words behind a command's name, as in "[OPTIONS] LOG"."""
    words = ["[OPTIONS]"]
    for parameter in command.params:
        if is_argument(parameter):
            word = metavar(parameter) + ("..." if parameter.nargs == -1 else "")
            word = word.replace("......", "...")
            words.append(word if parameter.required else f"[{word}]")
    return " ".join(words)


def panel_of(parameter: Any) -> str:
    """Returns the heading under which `--help` lists a parameter."""
    if is_argument(parameter):
        return ARGUMENTS
    return getattr(parameter, "rich_help_panel", None) or OWN_PANEL


def metavar(parameter: Any) -> str:
    """Returns the word that stands for a parameter's value, "" for a flag."""
    if getattr(parameter, "is_flag", False):
        return ""
    if parameter.metavar:
        return str(parameter.metavar).strip("[]{}")
    if is_argument(parameter):
        return str(parameter.name).upper()
    return value_kind(parameter)


def value_kind(parameter: Any) -> str:
    """Returns the kind of a value by its annotation: its choices, N, X, FILE or TEXT."""
    annotation = parameter.type_descriptor.annotation
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return "|".join(str(choice.value) for choice in annotation)
    if get_origin(annotation) is Literal:
        return "|".join(map(str, get_args(annotation)))
    return {int: "N", float: "X", Path: "FILE"}.get(annotation, "TEXT")


def row(command: str, parameter: Any) -> str:
    """Returns a parameter's line of a table: its names and value, its help and default."""
    argument = is_argument(parameter)
    names = [metavar(parameter)] if argument else [*parameter.opts, *parameter.secondary_opts]
    text = help_text(f"{command} {names[0]}", parameter.help)
    value = "" if argument else metavar(parameter)
    shown = ", ".join(f"`{name}`" for name in names) + (f" `{value}`" if value else "")
    default = default_of(parameter)
    cells = [shown, " ".join(text.split()) + (f" Default: {default}" if default else "")]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def default_of(parameter: Any) -> str:
    """Returns a parameter's default in words; "" without one."""
    if parameter.required:
        return ""
    told = getattr(parameter, "show_default", None)
    if isinstance(told, str):
        return told.strip("()")
    default = parameter.default
    # click and typer have values of their own for "not given".
    if default is None or callable(default) or default in (False, "", [], ()) or told is False:
        return ""
    default = getattr(default, "value", default)
    if not isinstance(default, int | float | str):
        return ""
    return f"`{default if isinstance(default, str) else json.dumps(default)}`"
