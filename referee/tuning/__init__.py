"""Finds better numbers for a bot by letting it play against itself.

`space` are the numbers and what they may be, `spsa` and `cma` say which values to try next,
`trials` keeps what each trial came to, `run` plays them, `gain` estimates what was won, `page`
draws it.
"""
