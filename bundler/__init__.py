"""Flattens a bot of many modules into one readable file to paste."""
