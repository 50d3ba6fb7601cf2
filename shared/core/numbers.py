"""Lines of whole numbers, as most contests write them."""

from shared.core.errors import ProtocolError


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
