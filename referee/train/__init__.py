"""Trains a bot's network or evaluation: games of the search against itself, a fit, a test, again.

`run.py` is the loop, `player.py` the worker processes, `fits.py` the kinds of fits, `folder.py` the
files, `page.py` the page. `shared/learn` has the games of a search and the methods of the fits.
"""
