"""The files of `cudalint prove`: parse each one, then prove its kernels one by one."""

from msgspec import Struct

from cudalint.engine.analysis import load_options
from cudalint.engine.discovery import Candidate
from cudalint.errors import UsageError
from cudalint.frontend import UnitFailed, load
from cudalint.prove.model import Options, prove
from cudalint.prove.verdict import Verdict
from cudalint.settings.assume import Assumption, parse_all
from cudalint.settings.config import Settings
from cudalint.source.comments import assumptions
from cudalint.source.text import decode, read_bytes, shown


class Judged(Struct, frozen=True):
    """A file with the verdicts on its kernels."""

    path: str
    verdicts: tuple[Verdict, ...] = ()
    failure: str = ""  # why there are no verdicts
    text: str | None = None  # its text, where it is not on disk
    location: str = ""  # its path as spans have it


def judge(candidate: Candidate, text: str | None, timeout: float, kernel: str | None) -> Judged:
    """The verdicts on one file."""
    settings = candidate.settings
    try:
        unit = load(candidate.path, load_options(settings, text))
    except UnitFailed as error:
        return Judged(shown(candidate.path), failure=str(error))
    arch = settings.arch_number if settings.arch else 0
    options = Options(_assumptions(candidate.path, text, settings), timeout, arch, kernel)
    return Judged(shown(candidate.path), tuple(prove(unit, options)), text=text, location=candidate.path)


def _assumptions(path: str, text: str | None, settings: Settings) -> tuple[Assumption, ...]:
    """The command line's assumptions and those of comments in the file."""
    if text is None:
        try:
            text = decode(read_bytes(path))
        except OSError:
            text = ""
    found = list(parse_all(settings.assume))
    for written, span in assumptions(path, text):
        try:
            found.extend(parse_all((written,)))
        except UsageError as error:
            raise UsageError(f"{shown(path)}:{span.line}: {error}") from error
    return tuple(found)
