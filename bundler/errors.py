"""Errors for sources that cannot be bundled."""

from pathlib import Path


class BundleError(Exception):
    """A source that cannot be bundled; the text gives file, line, construct and advice."""

    def __init__(self, path: str | Path, line: int, construct: str, advice: str) -> None:
        super().__init__(f"{path}:{line}: {construct}: {advice}")


class NoKernelError(BundleError):
    """A bot for native mode that has nothing to compile."""

    def __init__(self, path: str | Path) -> None:
        advice = "mark an entry point with `kernel`, or use --mode python"
        super().__init__(path, 1, "no kernel", advice)
