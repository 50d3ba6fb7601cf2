"""Where the text of a statement starts and ends in its source, comments included, and the comments
that name it.
"""

import re
from collections import Counter
from urllib.parse import quote, unquote

from bundler.source import Edit

IMPORTS_MARK = "# imports of all modules"
HELPERS_MARK = "# made by the bundler"

IN_FOLDER = ".../"  # in front of a file's name whose folder was told before

_MARK = re.compile(r"\s*# (\S+\.py):(\d+)$")
_ODD = re.compile(r"[\s%]")  # in a path: written as in a URL


def mark_of(path, line):
    """The comment that says from where on the text below it comes."""
    return f"# {_ODD.sub(lambda odd: quote(odd[0]), path)}:{line}"


def read_mark(text):
    """(path, line) of such a comment, None for any other line; the path is None for what the
    bundler wrote itself.
    """
    if text.strip() in (IMPORTS_MARK, HELPERS_MARK):
        return None, 0
    found = _MARK.match(text)
    return found and (unquote(found[1]), int(found[2]))


def told_apart(source, start, end):
    """The edits of a text by which no comment of its own looks like a mark."""
    return [
        Edit(comment.start, comment.start, "#")
        for comment in source.comments
        if start <= comment.start < end and read_mark(source.text[comment.start : comment.end])
    ]


class Marks:
    """The comments that open the pieces: file and line. A file's folder is told once, where no
    other file has its name.
    """

    def __init__(self, modules):
        self.files = Counter(_file_name(module) for module in modules)
        self.told = set()

    def mark(self, module, start):
        """The comment that opens the piece of a module that starts at a place."""
        name = _file_name(module)
        short = module in self.told and self.files[name] == 1
        self.told.add(module)
        shown = f"{IN_FOLDER}{name}" if short and module.shown != name else module.shown
        return mark_of(shown, module.source.line_of(start)) + "\n"


def _file_name(module):
    return module.shown.rpartition("/")[2]


def extent(unit):
    """(start, end) of a unit with the comments that belong to it."""
    return _lead(unit), _tail(unit)


def _lead(unit):
    """Where the text of a unit starts: at the comments above it."""
    after = 0
    if unit.index:
        before = unit.module.units[unit.index - 1]
        if before.end <= unit.start:
            after = before.end
    start = unit.start
    for comment in reversed(unit.module.source.comments):
        if after <= comment.start < unit.start:
            if not comment.alone or comment.column > unit.column:
                break
            start = comment.start
    return start


def _tail(unit):
    """Where the text of a unit ends: after a comment on its last line, and indented ones below."""
    source = unit.module.source
    following = unit.module.units[unit.index + 1 : unit.index + 2]
    limit = following[0].start if following else len(source.text)
    end = unit.end
    last_line = source.line_of(unit.end)
    for comment in source.comments:
        if unit.end <= comment.start < limit:
            below = comment.alone and comment.column > unit.column
            if following and comment.line != last_line and not below:
                break
            end = comment.end
    return end
