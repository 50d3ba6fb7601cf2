"""Shows a match in a browser, and its summary on a terminal.

`page` writes the page of a log from `page.html`, `page.css` and the scripts in `assets`. `frames`
packs the contest's drawings, `drawings` reads those of bots, `imported_board` and `official` make
boards for games without states. `bounds` limits a contest's code on damaged logs. `summary` is the
result as data and tables.
"""
