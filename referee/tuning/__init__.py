"""Finds better values for a bot's numbers by games against itself.

`space` holds the numbers and their ranges. `methods` is the interface of the methods that choose
the next values: `spsa`, or `sampled` by Optuna. `run` plays the trials of a method and `trials`
stores their results; `progress` and `page` show them.
"""
