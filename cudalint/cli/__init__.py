"""The command line: typer only. `cudalint PATH...` is `cudalint check PATH...`.

Each command imports what it needs when it is called: `--help` needs none of it.
"""

import os
import sys

from cudalint.cli.program import app
from cudalint.errors import Interrupted, UsageError
from cudalint.report import output

_OPTIONS_OF_ALL = ("--help", "-h", "--version", "--install-completion", "--show-completion")
_INTERRUPTED = 130  # 128 and the number of SIGINT, as shells have it


def _check_word(arguments: list[str], known: set[str]) -> None:
    """UsageError where the first path is no path, but nearly a command."""
    word = arguments[1] if arguments[:1] == ["check"] and len(arguments) > 1 else ""
    if word.isalpha() and not os.path.lexists(word):
        import difflib

        if close := difflib.get_close_matches(word, known, 1):
            raise UsageError(f"no file and no command named '{word}'; did you mean `cudalint {close[0]}`?")


def run(arguments: list[str]) -> None:
    """Run the command line and exit the process."""
    known = {getattr(command.callback, "__name__", "") for command in app.registered_commands}
    if arguments and arguments[0] not in (*known, *_OPTIONS_OF_ALL):
        arguments = ["check", *arguments]
    try:
        try:
            _check_word(arguments, known)
            app(args=arguments, prog_name="cudalint")
        finally:
            sys.stdout.flush()  # a failure can still be reported here, at interpreter exit it cannot
    except UsageError as error:
        output.say(str(error))
        sys.exit(output.WRONG)
    except OSError as error:  # a broken pipe ends in typer: this is a full disk and the like
        output.say(f"cannot write to standard output: {error.strerror or error}; use -o FILE")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # discard what is still buffered
        sys.exit(output.WRONG)
    except (KeyboardInterrupt, Interrupted):
        output.say("interrupted")
        sys.exit(_INTERRUPTED)
