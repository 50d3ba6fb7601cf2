"""The errors that the referee knows."""


class DeadlineExceeded(Exception):
    """An answer that was late, given as an action."""


class InvalidArgument(Exception):
    """An unknown environment."""
