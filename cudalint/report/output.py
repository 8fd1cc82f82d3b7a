"""Writing a report, and the exit statuses."""

import sys
from pathlib import Path

from cudalint.source.text import one_line

CLEAN, FINDINGS, WRONG = 0, 1, 2


def say(message: str) -> None:
    """One line on standard error."""
    print(f"cudalint: {one_line(message)}", file=sys.stderr)


def write(text: str, output: str | None) -> bool:
    """Write to the file, or to standard output if there is none or it cannot be written."""
    if output is not None and output != "-":
        try:
            Path(output).write_text(text, encoding="utf-8")
            return True
        except OSError as error:
            say(f"-o {output}: cannot be written: {error.strerror or error}; printing the report instead")
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8"))
    sys.stdout.flush()
    return output is None or output == "-"
