"""Defaults of commands: the table [defaults] of a workspace's `onefile.toml` gives the values of
some options that a command line leaves out.

    [defaults]
    clock = "cpu"
    jobs = 4
"""

import tomllib
from pathlib import Path
from typing import Any

from bundler.help import Command as PlainCommand
from bundler.modules.workspace import MARKER
from referee.errors import UsageError
from referee.sources.workspace import home

# The options that may have a default there, with their types.
KNOWN: dict[str, type] = {
    "clock": str,
    "limits": str,
    "jobs": int,
    "db": str,
    "official": str,
    "site": str,
}
# The commands that read and write the file of `db`; others keep files of their own.
OF_RESULTS = ("arena", "table", "report")
# Given on a command line, these options put defaults out of force: nodes need no time, and a
# cluster has its own number of games at once.
INSTEAD = {"--nodes": ("clock", "limits"), "--cluster": ("jobs",), "--referee": ("official",)}
INSTEAD |= {"--scorer": ("official",), "--in-process": ("site",)}


def defaults(folder: Path) -> dict[str, Any]:
    """Returns the table [defaults] of a workspace, with full paths, {} without a file. Raises
    UsageError.
    """
    file = folder / MARKER
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8")).get("defaults", {})
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{file}: {error}: mend it") from error
    for name, value in table.items():
        if name not in KNOWN:
            raise UsageError(f"{file}: [defaults] has no {name!r}: there are {', '.join(KNOWN)}")
        if type(value) is not KNOWN[name]:
            raise UsageError(
                f"{file}: [defaults] {name} = {value!r}: expected {KNOWN[name].__name__}"
            )
    for name in ("db", "official"):
        # A class path is a list of paths.
        if name in table:
            paths = table[name].split(":")
            table[name] = ":".join(str(folder / path) for path in paths)
    return dict(table)


class Command(PlainCommand):
    """A command with the workspace's defaults."""

    def make_context(self, info_name: Any, args: list[str], *others: Any, **named: Any) -> Any:
        """Returns the context of a command line, with the defaults that fit it."""
        given = {word.partition("=")[0] for word in args}
        left_out = {name for word in given & INSTEAD.keys() for name in INSTEAD[word]}
        if info_name not in OF_RESULTS:
            left_out.add("db")
        known = {parameter.name for parameter in self.params} - left_out
        values = {name: value for name, value in defaults(home()).items() if name in known}
        return super().make_context(info_name, args, *others, default_map=values, **named)
