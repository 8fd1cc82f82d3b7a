"""Errors that end in a one-line message and exit status 2."""


class UsageError(Exception):
    """Something the user gave is wrong. The text names the place and the way out."""


class Interrupted(Exception):
    """Ctrl-C: the command line says so in one line, below whatever was shown of the progress."""
