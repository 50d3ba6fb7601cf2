"""The usage in the docstring is the program: every space of it counts.

Usage:
  arena play <bot>... [--seed=N] [-v]
  arena (list | show) [<name>]
  arena --version

Options:
  --seed=N   The seed   [default: 7].
  -v         Say more.

Map:
  #.#   #
    .  .#
"""

import docopt as module
from docopt import DocoptExit, docopt

for line in iter(input, ""):
    try:
        print(dict(sorted(docopt(__doc__, line.split()).items())))
    except DocoptExit as error:
        print(type(error), error)
print(__doc__[-25:], module.ParsedOptions.__mro__[1])
docopt(__doc__, ["--version"], version="arena 1.2")
