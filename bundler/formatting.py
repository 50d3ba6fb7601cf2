"""Formatting by black, whose import and work take longer than all else: what it made is kept."""

import hashlib
from importlib.metadata import version

from bundler.cache import CACHE, kept

LINE_LENGTH = 100


def formatted(text, cache=CACHE / "formatted"):
    """The text as black formats it. cache: the folder in which results are kept."""
    digest = hashlib.sha256(f"{version('black')} {LINE_LENGTH}\n{text}".encode()).hexdigest()

    def make():
        import black

        return black.format_str(text, mode=black.Mode(line_length=LINE_LENGTH)).encode()

    return kept(cache / f"{digest[:32]}.py", make).decode()
