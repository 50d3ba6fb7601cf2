"""The commands of `python -m referee`, a module each: what it prints and how it exits."""
