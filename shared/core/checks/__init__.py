"""Checks of a contest's rules: recorded games repeated, sequences of actions counted."""
