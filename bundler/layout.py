"""How a bundle says what each of its pieces comes from.

__name__ = "shared.core.clock"                   a flattened module's, whose name tells its file
__name__ = "shared.core.rng"  # line 9           the same, from another line than the first
__name__ = "helper"  # bots/contest/helper.py:1  where the name does not tell the file
# clock.py:40                                    the same module, further on
carry("tools", "tools.py", r\'\'\'                 a carried module's, from the next line on
# made by the bundler                            nobody's
"""

import re
from urllib.parse import quote, unquote

BUNDLER_MARK = "# made by the bundler"

_PIECE = re.compile(r'^__name__ = "([\w.]+)"(?:  # (?:line (\d+)|(\S+):(\d+)))?$')
_FURTHER = re.compile(r"^# (\S+\.py):(\d+)$")
_CARRIED = re.compile(r"""^carry\("[\w.]+", "([^"]+)", \w*(?:'{3}|"{3})\\?$""")
_ODD = re.compile(r"[\s%]")  # in a path: written as in a URL


def piece_mark(name, path, line):
    """The line that opens the piece of a module: it gives Python the module's name."""
    if path == path_of(name):
        return f'__name__ = "{name}"' + (f"  # line {line}" if line > 1 else "")
    return f'__name__ = "{name}"  # {_quoted(path)}:{line}'


def opening_mark(path, line):
    """The first line of a bundle whose head comes from a file."""
    return f"# {_quoted(path)}:{line}"


def further_mark(path, line):
    """The comment that says at which line of its file a piece goes on."""
    return f"# {_quoted(path.rpartition('/')[2])}:{line}"


def path_of(name):
    return name.replace(".", "/") + ".py"


def _quoted(path):
    return _ODD.sub(lambda odd: quote(odd[0]), path)


def read_mark(text, path=None):
    """(path, line) of the source line that stands below a mark; None for any other line.

    The path is None for what the bundler wrote itself. path: of the piece that the line is in.
    """
    if text == BUNDLER_MARK:
        return None, 0
    found = _PIECE.match(text)
    if found:
        name, line, other, other_line = found.groups()
        return (unquote(other), int(other_line)) if other else (path_of(name), int(line or 1))
    found = _CARRIED.match(text)
    if found:
        return unquote(found[1]), 1
    found = _FURTHER.match(text)
    if found and path is not None and unquote(found[1]) == path.rpartition("/")[2]:
        return path, int(found[2])
    return None


def opening_of(text):
    """(path, line) that the first line of a bundle tells; None where it is no such."""
    found = _FURTHER.match(text)
    return found and (unquote(found[1]), int(found[2]))


def looks_like_mark(comment):
    return comment == BUNDLER_MARK or bool(_FURTHER.match(comment))
