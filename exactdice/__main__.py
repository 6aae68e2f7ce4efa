"""`python -m exactdice`: the same as the command `exactdice`."""

import sys

from exactdice.cli import main

if __name__ == "__main__":
    sys.exit(main())
