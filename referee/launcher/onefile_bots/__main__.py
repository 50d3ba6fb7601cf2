"""`python -m onefile_bots`: the command `onefile` of this very Python."""

from onefile_bots import main

if __name__ == "__main__":
    main()
