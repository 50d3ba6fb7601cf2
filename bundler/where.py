"""From lines of a bundle back to lines of the sources, by the comments `# file:line` that open each
piece.

Within a piece lines are counted on from its comment. Where the sources are at hand the words of the
piece are aligned with theirs first, because an import that was taken out or a line that was broken
anew shifts what follows.
"""

import io
import re
import tokenize
from dataclasses import dataclass
from difflib import SequenceMatcher

from bundler.layout import opening_of, read_mark
from bundler.source import lines_within_strings

_WORD = re.compile(r"\w+|[^\w\s]")
_FILE_LINE = re.compile(r'File "([^"]*)", line (\d+)')
_LINE = re.compile(r"\bline (\d+)")
SITE_FILE = "Answer.py"  # what the site calls the pasted file


@dataclass(frozen=True)
class Piece:
    """Lines `first`..`last` of the bundle, which come from `path`, line `line` on; `path` None for
    the bundler's own.
    """

    first: int
    last: int
    path: str | None
    line: int


class SourceMap:
    """The pieces of a bundle."""

    def __init__(self, text):
        self.lines = text.split("\n")
        self.root = None
        self.pieces = list(self._find_pieces())

    def _find_pieces(self):
        first, path, line = 1, None, 0
        inside = self._lines_within_strings()
        for number, text in enumerate(self.lines, 1):
            mark = read_mark(text, path) if number not in inside else None
            if number == 1:
                mark = opening_of(text) or mark
            if mark:
                yield Piece(first, number - 1, path, line)
                first, (path, line) = number + 1, mark
        yield Piece(first, len(self.lines), path, line)

    def _lines_within_strings(self):
        tokens = tokenize.generate_tokens(io.StringIO("\n".join(self.lines)).readline)
        try:
            return lines_within_strings(tokens)
        except (SyntaxError, tokenize.TokenError):  # no bundle at all, or a part of one
            return set()

    def find_sources(self, folders):
        """Look for the sources: the first of some folders that has one of them is the project's."""
        for folder in folders:
            if any(piece.path and (folder / piece.path).is_file() for piece in self.pieces):
                self.root = folder
                return

    def locate(self, number):
        """(path, line) of a line of the bundle, or None for what the bundler wrote.

        Raises IndexError beyond the end.
        """
        if not 1 <= number <= len(self.lines):
            raise IndexError(number)
        for place, piece in enumerate(self.pieces):
            # The comment itself stands for the line that it names.
            if piece.path is not None and piece.first - 1 == number:
                return piece.path, piece.line
            if piece.first <= number <= piece.last:
                if piece.path is None:
                    return None
                return piece.path, self._line_in(piece, place, number)
        return None

    def _line_in(self, piece, place, number):
        counted = piece.line + number - piece.first
        source = self.root and self.root / piece.path
        if not source or not source.is_file():
            return counted
        ends = [p.line for p in self.pieces if p.path == piece.path and p.line > piece.line]
        with tokenize.open(source) as file:
            lines = file.read().split("\n")[
                piece.line - 1 : min(ends, default=None) and min(ends) - 1
            ]
        here = _words(self.lines[piece.first - 1 : piece.last])
        there = _words(lines)
        matcher = SequenceMatcher(None, [w for w, _ in here], [w for w, _ in there], False)
        found = {-1: -1}
        for block in matcher.get_matching_blocks():
            for step in range(block.size):
                found.setdefault(here[block.a + step][1], there[block.b + step][1])
        index = number - piece.first
        if index in found:
            return piece.line + found[index]
        # A line of no known word, as in the place of an import: between those around it
        before = max(line for line in found if line < index)
        guess = found[before] + index - before
        after = min((found[line] for line in found if line > index), default=guess + 1)
        return piece.line + max(found[before], min(guess, after - 1), 0)

    def translate(self, text, name):
        """A traceback with the places in the file called `name` (or as the site calls it) turned
        into source places.
        """
        lines = []
        for line in text.split("\n"):
            place = _FILE_LINE.search(line)
            if place:
                if place[1].rpartition("/")[2] in (name, SITE_FILE):
                    where = self._shown(int(place[2]), '"{0}", line {1}')
                    line = line.replace(place[0], f"File {where}" if where else place[0])
            else:
                line = _LINE.sub(lambda m: self._shown(int(m[1]), "{0}:{1}") or m[0], line)
            lines.append(line)
        return "\n".join(lines)

    def _shown(self, number, form):
        found = self.locate(number) if 1 <= number <= len(self.lines) else None
        return found and form.format(*found)


def _words(lines):
    """(word, index of its line) for all words of some lines."""
    return [(word, index) for index, line in enumerate(lines) for word in _WORD.findall(line)]
