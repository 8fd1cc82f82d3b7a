"""Entry point. `--version` is answered before anything heavy is imported."""

import gc
import sys

_OBJECTS = 50_000  # new ones before garbage is looked for: importing and reading a file makes hardly any


def main() -> None:
    """Run the command line; exits the process."""
    if sys.argv[1:] == ["--version"]:
        from cudalint import __version__

        print(f"cudalint {__version__}")
        return
    gc.set_threshold(_OBJECTS)
    from cudalint.cli import run

    run(sys.argv[1:])


if __name__ == "__main__":
    main()
