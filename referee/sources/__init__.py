"""Finds bots and contests, and the files that decide how they play.

`bots` finds and bundles a bot, `programs` compiles a bot in another language. `contests` loads a
contest, from a `workspace` or the installation. `site` finds the Python of a site. `fingerprint`
hashes the files of a bot or of rules, `imports` finds the modules of a Python program.
"""
