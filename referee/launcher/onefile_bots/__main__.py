"""`python -m onefile_bots`: the command `onefile` in the Python that runs it."""

from onefile_bots import main

if __name__ == "__main__":
    main()
