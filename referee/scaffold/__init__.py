"""Writes first bots and contests for a user.

`new_contest` fills in templates. `bot_writer` writes a bot from the grammar of a contest's input,
which `stub_grammar` reads.
"""
