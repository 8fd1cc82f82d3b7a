"""Entry point. `--version` is answered before anything heavy is imported."""

import gc
import os
import sys

_OBJECTS = 500_000  # new ones before garbage is looked for: imports make a third of that, and no garbage


def main() -> None:
    """Run the command line; exits the process."""
    if sys.argv[1:] == ["--version"]:
        from cudalint import __version__

        print(f"cudalint {__version__}")
        return
    gc.set_threshold(_OBJECTS)
    from cudalint.cli import run

    try:
        run(sys.argv[1:])
    except SystemExit as end:
        _leave(end.code)


def _leave(status: str | int | None) -> None:
    """End the process at once: taking apart all that was imported costs as much as half of the imports."""
    if not isinstance(status, int):
        sys.exit(status)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    main()
