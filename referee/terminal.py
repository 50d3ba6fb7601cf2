"""Text on a terminal that bots, files and other people's programs have written: what would move the
cursor, change colours or turn the writing around is shown as `\\x1b`, not done.
"""

import re
import sys

# C0 and C1 but for tab and line feed, what turns the direction of writing, other ends of lines, and
# halves of UTF-16 pairs, which no terminal can show.
CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def plain(text: str) -> str:
    """A text with its control characters written as escapes; tabs and ends of lines stay."""
    return CONTROL.sub(lambda found: ascii(found[0])[1:-1], text)


def say(*lines: str, sep: str = "\n", error: bool = False) -> None:
    """Print texts, whatever they hold; `error` prints to stderr."""
    print(plain(sep.join(lines)), file=sys.stderr if error else sys.stdout, flush=True)
