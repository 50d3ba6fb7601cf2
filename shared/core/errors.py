"""What can be wrong with text of bots and files: where, what was found and what is expected."""


class ProtocolError(SystemExit):
    """A bot cannot read its input. Not caught, it ends the bot, its message alone on stderr."""


class IllegalAction(Exception):
    """A player's lines are no legal action."""


class TruthError(Exception):
    """A file is no truth file of the contest it is read for."""
