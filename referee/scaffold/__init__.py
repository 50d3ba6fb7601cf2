"""Writes first bots and contests for a user.

`new_workspace` and `new_contest` fill in templates. From the grammar of a contest's input, which
`stub_grammar` reads, `bot_writer` writes a bot, `board_writer` a board, and `simulator_writer` a
simulator.
"""
