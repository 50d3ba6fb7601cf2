"""The error class that the command line reports as one line, and texts quoted in errors."""

import difflib
from collections.abc import Iterable

# Characters of a quoted text.
EXCERPT = 200


class UsageError(Exception):
    """Unusable input of the user; the text, one line, gives the reason and the remedy.

    details: lines of another program, which are printed above the text on a terminal.
    """

    def __init__(self, text: str, details: str = "") -> None:
        super().__init__(text)
        self.details = details


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Returns ", did you mean X?" for the known word most similar to `word`, "" if none is
    similar.
    """
    close = difflib.get_close_matches(word, [name for name in known if name != word], n=1)
    return f", did you mean {close[0]}?" if close else ""


def shorten(text: str) -> str:
    """Returns a text, cut after EXCERPT characters."""
    return text if len(text) <= EXCERPT else text[:EXCERPT] + "..."


def excerpt(text: str) -> str:
    """Returns a text as quoted in errors: in quotes, on one line, cut after EXCERPT characters."""
    return repr(text) if len(text) <= EXCERPT else repr(text[:EXCERPT]) + "..."
