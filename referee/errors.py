"""The one error that the command line reports in a line, and texts of others quoted in it."""

# Characters of a quoted text.
EXCERPT = 200


class UsageError(Exception):
    """Unusable input of the user; the text, one line, says why and what to give instead."""


def shorten(text: str) -> str:
    """A text cut after EXCERPT characters."""
    return text if len(text) <= EXCERPT else text[:EXCERPT] + "..."


def excerpt(text: str) -> str:
    """A text as it stands in an error: quoted, on one line, cut after EXCERPT characters."""
    return repr(text) if len(text) <= EXCERPT else repr(text[:EXCERPT]) + "..."
