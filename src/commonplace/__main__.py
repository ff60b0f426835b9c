"""`python -m commonplace`."""

from commonplace.doors.cli.main import command

if __name__ == "__main__":
    command()
