"""What tells a changed file from an unchanged one without reading it."""

import os

State = tuple[int, ...]


def state(path: str) -> State:
    """Time, size and number of a file; () where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return ()
    return found.st_mtime_ns, found.st_size, found.st_ino
