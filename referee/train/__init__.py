"""Training of a bot's network: games of the search against itself, a fit, a test, again.

`run.py` is the loop, `player.py` its worker processes, `folder.py` the files, `page.py` the page.
`shared/learn` has the games of a search and the fit.
"""
