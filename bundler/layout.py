"""How a bundle says what each of its pieces comes from.

# bots/contest/bot.py:1                          the bot's own head, in the first line
__name__ = "shared.core.clock"                   a flattened module's, whose name tells its file
__name__ = "shared.core.rng"  # line 9           the same, from another line than the first
__name__ = "helper"  # bots/contest/helper.py:1  where the name does not tell the file
# clock.py:40                                    the same module, further on
carry("tools", "tools.py", r\'\'\'                 a carried module's, up to the end of the text
# made by the bundler                            nobody's

Each tells the source of the lines below it. Only literals that the bundler wrote (LITERAL_START)
take more lines than their source.
"""

import ast
import re
from urllib.parse import quote, unquote

BUNDLER_MARK = "# made by the bundler"
LITERAL_START, LITERAL_END = ('MACHINE_CODE = r"""', 'PACKED_WEIGHTS = r"""'), '"""'

_PIECE = re.compile(r'^__name__ = "([\w.]+)"(?:  # (?:line (\d+)|(\S+):(\d+)))?$')
_FURTHER = re.compile(r"^# (\S+\.py):(\d+)$")
_CARRIED = re.compile(r"""^carry\("([\w.]+)", (None|"(?:[^"\\]|\\.)*"), \w*(?:'{3}|"{3})\\?$""")
_ODD = re.compile(r"[\s%=]")  # in a path: written as in a URL


def piece_mark(name: str, path: str, line: int) -> str:
    """The line that opens the piece of a module: it gives Python the module's name."""
    if path == path_of(name):
        return f'__name__ = "{name}"' + (f"  # line {line}" if line > 1 else "")
    return f'__name__ = "{name}"  # {_quoted(path)}:{line}'


def opening_mark(path: str, line: int) -> str:
    """The first line of a bundle whose head comes from a file."""
    return f"# {_quoted(path)}:{line}"


def further_mark(path: str, line: int) -> str:
    """The comment that says at which line of its file a piece goes on."""
    return f"# {_quoted(path.rpartition('/')[2])}:{line}"


def path_of(name: str) -> str:
    return name.replace(".", "/") + ".py"


def _quoted(path):
    return _ODD.sub(lambda odd: quote(odd[0]), path)


def read_mark(text: str, path: str | None = None, number: int = 0) -> tuple[str | None, int] | None:
    """(path, line) of the source line that stands below a mark; None for any other line.

    The path is None for what the bundler wrote itself. path: of the piece that the line is in.
    number: of the line.
    """
    if text == BUNDLER_MARK:
        return None, 0
    found = _PIECE.match(text)
    if found:
        name, line, other, other_line = found.groups()
        return (unquote(other), int(other_line)) if other else (path_of(name), int(line or 1))
    found = _CARRIED.match(text)
    if found:
        return ast.literal_eval(found[2]), 1
    found = _FURTHER.match(text)
    if found and number == 1:
        return unquote(found[1]), int(found[2])
    if found and path is not None and unquote(found[1]) == path.rpartition("/")[2]:
        return path, int(found[2])
    return None


def carried_name(text: str) -> str | None:
    """The name of the carried module that a line opens, None for any other line."""
    found = _CARRIED.match(text)
    return found and found[1]


def looks_like_mark(comment: str) -> bool:
    return comment == BUNDLER_MARK or bool(_FURTHER.match(comment))
