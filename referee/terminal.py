"""Prints texts of bots, files and other programs on a terminal: characters that would move the
cursor, change colours or reverse the writing direction are shown as escapes such as `\\x1b`.
"""

import os
import re
import sys
from pathlib import Path

# C0 and C1 except tab and line feed, characters that change the writing direction, other line ends,
# and unpaired UTF-16 surrogates, which no terminal can show.
CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def plain(text: str) -> str:
    """Returns a text with its control characters written as escapes, except tabs and line feeds."""
    return CONTROL.sub(lambda match: ascii(match[0])[1:-1], text)


def say(*lines: str, sep: str = "\n", error: bool = False) -> None:
    """Print texts, joined by `sep`, with their control characters as escapes; error: print to
    stderr.
    """
    print(plain(sep.join(lines)), file=sys.stderr if error else sys.stdout, flush=True)


def output_files() -> list[Path]:
    """Returns the paths of the files to which stdout and stderr are redirected."""
    links = (Path(f"/proc/self/fd/{number}") for number in (1, 2))
    return [Path(os.readlink(link)) for link in links if link.is_file()]
