"""Formatting by black, whose import and work take longer than all else: what it made is kept."""

import hashlib
import re
from importlib.metadata import version
from itertools import takewhile

from bundler.cache import CACHE, kept

LINE_LENGTH = 100
OLDEST_PYTHON = "PY38"  # whose syntax is enough for what black writes anew
# Where a piece of a bundle starts
_PIECE = re.compile(r"^(?=# \S+\.py:\d+$)", re.MULTILINE)


def formatted(text, cache=CACHE / "formatted"):
    """The text as black formats it. cache: the folder in which results are kept."""
    key = f"{version('black')} {LINE_LENGTH} {OLDEST_PYTHON}\n{text}"
    digest = hashlib.sha256(key.encode()).hexdigest()
    return kept(cache / f"{digest[:32]}.py", lambda: _black(text).encode()).decode()


class Reformatter:
    """Formats one version of a bundle after the other: only what changed, with some pieces around
    it, goes through black again.
    """

    def __init__(self):
        self.pieces = []
        self.formatted = []

    def __call__(self, text):
        """The text as `formatted` would give it."""
        pieces = _pieces(text)
        self.formatted = self._patched(pieces) or _pieces(formatted(text))
        self.pieces = pieces
        return "".join(self.formatted)

    def _patched(self, pieces):
        """The formatted pieces; None where the last ones are no help."""
        if not self.pieces or len(self.pieces) != len(self.formatted):
            return None
        start = _n_common(self.pieces, pieces)
        most = min(len(self.pieces), len(pieces)) - start
        end = min(most, _n_common(self.pieces[::-1], pieces[::-1]))
        before = self.formatted[:start]
        after = self.formatted[len(self.formatted) - end :]
        # Two above, as black takes a text that comes first for the docstring of the whole.
        above, below = before[-2:], after[:1]
        window = pieces[start - len(above) : len(pieces) - end + len(below)]
        import black

        try:
            found = _pieces(_black("".join(window)))
        except black.InvalidInput:  # what looks like the start of a piece is in a string
            return None
        around = [*found[: len(above)], *found[len(found) - len(below) :]]
        if len(found) != len(window) or not all(map(_looks_as, around, [*above, *below])):
            return None
        # How many empty lines end a piece is decided by the next one, which here is another.
        changed = found[max(len(above) - 1, 0) : len(found) - len(below)]
        return [*before[:-1], *changed, *after]


def _pieces(text):
    return [piece for piece in _PIECE.split(text) if piece]


def _n_common(some, others):
    """How many of the first texts of two lists are the same."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(some, others)))


def _looks_as(piece, other):
    return piece.rstrip() == other.rstrip()


def _black(text):
    import black

    # Not those that the text itself asks for: a part of it may ask for less than the whole.
    oldest = black.TargetVersion[OLDEST_PYTHON]
    versions = {version for version in black.TargetVersion if version.value >= oldest.value}
    return black.format_str(text, mode=black.Mode(versions, line_length=LINE_LENGTH))
