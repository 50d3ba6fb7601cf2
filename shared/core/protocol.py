"""The text that a referee and a bot exchange: lines of whole numbers, and errors in lines."""


class ProtocolError(SystemExit):
    """A bot cannot read its input. Not caught, it ends the bot, its message alone on stderr."""


class IllegalAction(Exception):
    """A player's lines are no legal action."""


def parse_numbers(line: str, count: int, what: str) -> list[int]:
    """The `count` whole numbers of a line, and nothing else. Raises ProtocolError naming `what` the
    line should hold.
    """
    if not line:
        raise ProtocolError(f"the input ended where {what} should follow")
    try:
        numbers = [int(word) for word in line.split()]
    except ValueError:
        numbers = []
    if len(numbers) != count:
        plural = "s" * (count != 1)
        raise ProtocolError(
            f"expected {what} ({count} whole number{plural}), got {line.rstrip()!r}"
        )
    return numbers
