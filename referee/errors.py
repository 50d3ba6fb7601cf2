"""The one error the command line reports in a line."""


class UsageError(Exception):
    """What the user gave cannot be used; the text, one line, says why and what to give instead."""
