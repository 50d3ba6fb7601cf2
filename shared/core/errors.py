"""What can be wrong with the text that bots and files bring.

Each message says where, what was found and what is expected.
"""


class ProtocolError(Exception):
    """A bot cannot read its input: a line is missing or malformed."""


class IllegalAction(Exception):
    """A player's lines are no legal action."""


class TruthError(Exception):
    """A file is no truth file of the contest it is read for."""
