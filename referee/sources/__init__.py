"""Finds bots and contests, and the files that decide how they play.

`bots` finds and bundles a bot, `contests` loads a contest, from a `workspace` or the installation.
`fingerprint` hashes the files of a bot or of rules, `imports` follows a Python program to its
modules.
"""
