"""Source map of a bundle: marks that name the source of each piece, and the way back to sources.

# bots/contest/bot.py:1                          the bot's own head, in the first line
__name__ = "shared.core.clock"                   a flattened module, in the file of its name
__name__ = "shared.core.rng"  # line 9           a flattened module, from another line than 1
__name__ = "helper"  # bots/contest/helper.py:1  a flattened module, in a file of another name
# line 40                                        a further line of the module above
carry("tools", "tools.py", r\'\'\'                 a carried module, up to the end of the text
# made by the bundler                            lines without a source

Each mark gives the source of the line below it; the numbers of further lines continue from there.
Only literals that the bundler wrote (LITERAL_START) take more lines than their source. In a
stripped bundle the number is a lower bound, because comments and empty lines are left out above it.
"""

import ast
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote, unquote

from bundler.modules.source import lines_within_strings, tokens_of

BUNDLER_MARK = "# made by the bundler"
LITERAL_START, LITERAL_END = ('MACHINE_CODE = r"""', 'PACKED_WEIGHTS = r"""'), '"""'

_PIECE = re.compile(r'^__name__ = "([\w.]+)"(?:  # (?:line (\d+)|(\S+):(\d+)))?$')
_HEAD = re.compile(r"^# (\S+\.py):(\d+)$")
_FURTHER = re.compile(r"^# line (\d+)$")
_CARRIED = re.compile(r"""^carry\("([\w.]+)", (None|"(?:[^"\\]|\\.)*"), \w*(?:'{3}|"{3})\\?$""")
_ODD = re.compile(r"[\s%=]")  # in a path: written as in a URL


def piece_mark(name: str, path: str, line: int) -> str:
    """Returns the line that opens the piece of a module: it gives Python the module's name."""
    if path == name.replace(".", "/") + ".py":
        return f'__name__ = "{name}"' + (f"  # line {line}" if line > 1 else "")
    return f'__name__ = "{name}"  {head_mark(path, line)}'


def head_mark(path: str, line: int) -> str:
    """Returns the comment that opens the piece of the bot's own head."""
    return f"# {_ODD.sub(lambda odd: quote(odd[0]), path)}:{line}"


def line_mark(line: int) -> str:
    """Returns the comment that names a further line of a piece's source."""
    return f"# line {line}"


def read_mark(text: str, path: str | None = None) -> tuple[str | None, int] | None:
    """Returns (path, line) of the source line below a mark, None for any other line of a bundle.

    The path is None for the bundler's own lines. path: the path of the piece around the line.
    """
    if text == BUNDLER_MARK:
        return None, 0
    if match := _CARRIED.match(text):
        return ast.literal_eval(match[2]), 1
    if match := _PIECE.match(text):
        name, line, other, other_line = match.groups()
        path = unquote(other) if other else name.replace(".", "/") + ".py"
        return path, int(other_line or line or 1)
    if match := _HEAD.match(text):
        return unquote(match[1]), int(match[2])
    match = _FURTHER.match(text)
    return (path, int(match[1])) if match and path is not None else None


def looks_like_mark(comment: str) -> bool:
    return read_mark(comment, "") is not None


_FILE_LINE = re.compile(r'File "([^"]*)", line (\d+)')
_LINE = re.compile(r"\bline (\d+)")
SITE_FILE = "Answer.py"  # the pasted file on the site


@dataclass(frozen=True)
class Piece:
    """Lines first..last of a bundle and their source lines. path: the source's path, None for lines
    of the bundler's own. carried: the name of a carried module, else None.
    """

    first: int
    last: int
    path: str | None
    lines: list[int]
    carried: str | None


class SourceMap:
    """The pieces of a bundle; `carried`: the paths of the carried modules."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        try:
            self.inside = lines_within_strings(tokens_of(text))
        except (SyntaxError, tokenize.TokenError):  # the text is no bundle, or a part of one
            self.inside = set()
        # Without any empty line it was stripped, of comments as well.
        outside = (n for n, line in enumerate(self.lines[:-1], 1) if n not in self.inside)
        self.is_stripped = all(self.lines[number - 1].strip() for number in outside)
        self.pieces = list(self._find_pieces())
        self.carried = {piece.path for piece in self.pieces if piece.carried and piece.path}

    def _find_pieces(self) -> Iterator[Piece]:
        first, path, line = 1, None, 0
        lines: list[int] = []
        carried, literal = None, False
        for number, text in enumerate(self.lines, 1):
            mark = None if number in self.inside else read_mark(text, path)
            if carried and number + 1 not in self.inside:
                mark = None, 0  # the end of the carried text
            if mark:
                if lines:
                    yield Piece(first, number - 1, path, lines, carried)
                first, (path, line), lines = number, mark, [mark[1]]
                opening = _CARRIED.match(text)
                carried = opening and opening[1]
                continue
            lines.append(line)
            literal = text.startswith(LITERAL_START) or (literal and text != LITERAL_END)
            line += not literal
        yield Piece(first, len(self.lines), path, lines, carried)

    def locate(self, number: int) -> tuple[str, int] | None:
        """Returns (path, line) of a line of the bundle, None for the bundler's own lines."""
        for piece in self.pieces:
            if piece.first <= number <= piece.last and piece.path:
                return piece.path, piece.lines[number - piece.first]
        return None

    def shown(self, number: int, form: str = "{0}:{1}") -> str | None:
        """Returns the source place of a line as people should read it, None where `locate` finds
        none. The place ends in " or below" if its line is a lower bound.
        """
        place = self.locate(number)
        is_known = not self.is_stripped or (place and place[0] in self.carried)
        return place and form.format(*place) + ("" if is_known else " or below")

    def translate(self, text: str, name: str) -> str:
        """Returns a traceback with source places instead of those in the bundle called `name`."""
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
