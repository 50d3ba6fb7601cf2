"""`python -m referee.onefile`: the command from the folder it is typed in, whatever is
installed.
"""

from referee.onefile import main

main()
