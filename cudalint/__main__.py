"""Entry point. `--version` is answered before anything heavy is imported."""

import sys


def main() -> None:
    """Run the command line; exits the process."""
    if sys.argv[1:] == ["--version"]:
        from cudalint import __version__

        print(f"cudalint {__version__}")
        return
    from cudalint.cli import run

    run(sys.argv[1:])


if __name__ == "__main__":
    main()
