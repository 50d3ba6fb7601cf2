"""`python -m referee.onefile`: the command `onefile` of the current folder's checkout, not of an
installation.
"""

from referee.onefile import main

main()
