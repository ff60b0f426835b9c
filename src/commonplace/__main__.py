"""`python -m commonplace`."""

import sys

from commonplace.doors.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
