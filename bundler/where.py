"""From lines of a bundle back to lines of the sources, by the marks that `layout.py` describes.

Below a mark lines are counted on. In a stripped bundle that gives the least that a line can be,
because comments and empty lines were left out above it.
"""

import re
import tokenize
from dataclasses import dataclass

from bundler.layout import LITERAL_END, LITERAL_START, carried_name, read_mark
from bundler.source import lines_within_strings, tokens_of

_FILE_LINE = re.compile(r'File "([^"]*)", line (\d+)')
_LINE = re.compile(r"\bline (\d+)")
SITE_FILE = "Answer.py"  # what the site calls the pasted file


@dataclass(frozen=True)
class Piece:
    """Lines `first`..`last` of the bundle, the mark among them; `path` None for the bundler's own.

    lines: of the source, one for each, as counted. carried: the name of a module that is carried.
    """

    first: int
    last: int
    path: str | None
    lines: list[int]
    carried: str | None


class SourceMap:
    """The pieces of a bundle; `carried`: the paths of the carried modules."""

    def __init__(self, text: str):
        self.lines = text.split("\n")
        try:
            self.inside = lines_within_strings(tokens_of(text))
        except (SyntaxError, tokenize.TokenError):  # no bundle at all, or a part of one
            self.inside = set()
        # Without any empty line it was stripped, of comments as well.
        outside = (n for n, line in enumerate(self.lines[:-1], 1) if n not in self.inside)
        self.is_stripped = all(self.lines[number - 1].strip() for number in outside)
        self.pieces = list(self._find_pieces())
        self.carried = {piece.path for piece in self.pieces if piece.carried and piece.path}

    def _find_pieces(self):
        first, path, line = 1, None, 0
        lines: list[int] = []
        carried, literal = None, False
        for number, text in enumerate(self.lines, 1):
            mark = None if number in self.inside else read_mark(text, path, number)
            if carried and number + 1 not in self.inside:
                mark = None, 0  # the end of the carried text
            if mark:
                if lines:
                    yield Piece(first, number - 1, path, lines, carried)
                first, (path, line), lines = number, mark, [mark[1]]
                carried = carried_name(text)
                continue
            lines.append(line)
            literal = text.startswith(LITERAL_START) or literal and text != LITERAL_END
            line += not literal
        yield Piece(first, len(self.lines), path, lines, carried)

    def locate(self, number: int) -> tuple[str, int] | None:
        """(path, line) of a line of the bundle; None for what the bundler wrote, and for no line."""
        for piece in self.pieces:
            if piece.first <= number <= piece.last and piece.path:
                return piece.path, piece.lines[number - piece.first]
        return None

    def shown(self, number: int, form: str = "{0}:{1}") -> str | None:
        """The place of a line as people should read it; None where `locate` finds none."""
        found = self.locate(number)
        is_known = not self.is_stripped or found and found[0] in self.carried
        return found and form.format(*found) + ("" if is_known else " or below")

    def translate(self, text: str, name: str) -> str:
        """A traceback with the places in the file called `name` (or as the site calls it) turned
        into source places.

        Those in carried modules are source places already.
        """
        lines = []
        for line in text.split("\n"):
            place = _FILE_LINE.search(line)
            if place:
                file = place[1]
                if file not in self.carried and file.rpartition("/")[2] in (name, SITE_FILE):
                    where = self.shown(int(place[2]), 'File "{0}", line {1}')
                    line = line.replace(place[0], where or place[0])
            elif not any(path in line for path in self.carried):
                line = _LINE.sub(lambda m: self.shown(int(m[1])) or m[0], line)
            lines.append(line)
        return "\n".join(lines)
