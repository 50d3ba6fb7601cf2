"""What is other where a bundle is imported once more, by `apart.py`: also the environment."""

import os


class Knobs(os._Environ):
    """Variables of the environment: those that are not set and whose default is a number are other
    numbers than the bundle expects.
    """

    def get(self, name, default=None):
        return super().get(name, turned(default))


def turned(default):
    """Another number than the one that a default is or says; the default itself if it is none."""
    if isinstance(default, str):
        for number in (int, float):
            try:
                return str(number(default) + 1)
            except ValueError:
                pass
    return default + 1 if type(default) in (int, float) else default
