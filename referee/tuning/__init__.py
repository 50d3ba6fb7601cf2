"""Finds better values for a bot's numbers by games against itself.

`space` holds the numbers and their ranges. `methods` choose the next values: `spsa`, or
`sampled` by Optuna. `run` plays their trials and `trials` stores the results; `progress` and `page`
show them.
"""
