"""Checks of options, sizes and calls of searches, at home alone: no part of a bundle."""
