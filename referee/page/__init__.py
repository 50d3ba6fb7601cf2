"""Shows a match in a browser, and its summary on a terminal.

`page` writes the page of a log from `page.html`, `page.css` and the scripts in `assets`. `frames`
packs the contest's drawings, `drawings` reads the drawings of bots, `expected` draws the lines that
bots expect. `imported_board` and `official` make boards for games without states,
`official_pictures` and `kaggle_pictures` make pages of pictures. `bounds` limits a contest's code
on damaged logs. `summary` makes the result as data and tables.
"""
