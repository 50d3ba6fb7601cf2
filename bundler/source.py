"""The text of one module: places as offsets, comments, and edits that leave everything else as it
was written.
"""

import ast
import io
import tokenize
from dataclasses import dataclass

from bundler.errors import BundleError

INDENT = "    "


@dataclass(frozen=True)
class Edit:
    """Replace `text[start:end]` by `text`; an edit inside a wider one is dropped."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Comment:
    """A comment: where it starts and ends, its line, its column, and whether it has the line for
    itself.
    """

    start: int
    end: int
    line: int
    column: int
    alone: bool


def lines_within_strings(tokens):
    """The numbers of the lines that start inside a string: their indentation is data."""
    lines = set()
    starts = []  # of the f-strings around, which are one token up to Python 3.11
    for token in tokens:
        kind = tokenize.tok_name[token.type]
        if kind == "STRING":
            lines.update(range(token.start[0] + 1, token.end[0] + 1))
        elif kind == "FSTRING_START":
            starts.append(token.start[0])
        elif kind == "FSTRING_END":
            lines.update(range(starts.pop() + 1, token.end[0] + 1))
    return lines


class Source:
    """A Python file: `text`, its syntax `tree`, its `comments`, and `shown`, the path as people
    should see it.

    Raises BundleError for a file that is not Python.
    """

    def __init__(self, path, shown):
        self.path = path
        self.shown = shown
        # Before it is read: a change in between is then seen as one.
        self.modified_ns = path.stat().st_mtime_ns
        try:
            with tokenize.open(path) as file:
                self.text = file.read()
            self.tree = ast.parse(self.text)
            compile(self.text, shown, "exec", dont_inherit=True)  # a name used before its `global`
        except (SyntaxError, UnicodeDecodeError) as error:
            line = getattr(error, "lineno", None) or 1
            reason = getattr(error, "msg", None) or str(error)
            raise BundleError(shown, line, "not valid Python", reason) from error
        self.lines = self.text.split("\n")
        self.line_starts = [0]
        for line in self.lines:
            self.line_starts.append(self.line_starts[-1] + len(line) + 1)
        tokens = list(tokenize.generate_tokens(io.StringIO(self.text).readline))
        self.comments = [self._comment(t) for t in tokens if t.type == tokenize.COMMENT]
        self.string_lines = lines_within_strings(tokens)

    def _comment(self, token):
        line, column = token.start
        start = self.line_starts[line - 1] + column
        alone = not token.line[:column].strip()
        return Comment(start, start + len(token.string), line, column, alone)

    def offset(self, line, column):
        """The offset of a place as `ast` counts it: lines from 1, columns in UTF-8 bytes."""
        text = self.lines[line - 1]
        if not text.isascii():
            column = len(text.encode()[:column].decode())
        return self.line_starts[line - 1] + column

    def start(self, node):
        """Where a node starts, decorators included."""
        first = min([node, *getattr(node, "decorator_list", [])], key=lambda part: part.lineno)
        start = self.offset(first.lineno, first.col_offset)
        return start if first is node else self.text.rindex("@", 0, start)

    def end(self, node):
        """Where a node ends."""
        return self.offset(node.end_lineno, node.end_col_offset)

    def line_of(self, offset):
        """The line, from 1, that an offset is in."""
        low, high = 0, len(self.lines)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.line_starts[middle] <= offset else (low, middle)
        return low + 1

    def opens_line(self, offset):
        """Whether nothing but white space stands before an offset in its line."""
        return not self.text[self.line_starts[self.line_of(offset) - 1] : offset].strip()

    def error(self, place, construct, advice):
        """A BundleError at a node or a line."""
        return BundleError(self.shown, getattr(place, "lineno", place), construct, advice)

    def edited(self, start, end, edits, column=0, indent=0):
        """The text from `start` to `end` with the edits made, moved from `column` to `indent`
        columns.

        Lines that start inside a string stay where they are.
        """
        pieces = []
        here = start
        for edit in sorted(edits, key=lambda edit: (edit.start, edit.end > edit.start, -edit.end)):
            if edit.start >= here and edit.end <= end:
                new = edit.text.replace("\n", "\n" + " " * (indent - column))
                pieces += [self._moved(here, edit.start, column, indent), new]
                here = edit.end
        pieces.append(self._moved(here, end, column, indent))
        return " " * indent + "".join(pieces)

    def _moved(self, start, end, column, indent):
        text = self.text[start:end]
        if column == indent or "\n" not in text:
            return text
        first, *rest = text.split("\n")
        moved = [first]
        for number, line in enumerate(rest, self.line_of(start) + 1):
            if number not in self.string_lines and self.lines[number - 1].strip():
                # A continuation line may start left of its statement: it moves as far as it can.
                margin = min(column, len(line) - len(line.lstrip()))
                line = " " * indent + line[margin:]
            moved.append(line)
        return "\n".join(moved)
