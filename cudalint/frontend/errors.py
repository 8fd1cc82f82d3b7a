"""What the frontend raises."""


class UnitFailed(Exception):
    """Nothing of a file could be parsed; the message is the reason, for the user."""
