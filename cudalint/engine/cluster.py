"""The files of one run on a Dask cluster: each task is a few files, given back as a part of the run.

The machines have cudalint of this version and see the same files under the same paths. A task is done by a
process of its own, with the limits of any run; of a worker that dies the cluster hands its tasks to others.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from cudalint import __version__
from cudalint.engine import engine, parts
from cudalint.engine.discovery import Candidate, Plan
from cudalint.errors import UsageError
from cudalint.rule.outcome import UnitResult
from cudalint.source.state import state

_FILES = 8  # of one task
_BYTES = 40_000  # of the files of one task, if they are several
_REACHED = "10s"
_TELL = "import cudalint.engine.cluster as c; c.serve()"


class Share(Struct, frozen=True):
    """What one task is told. directory: the working directory of the run."""

    version: str
    directory: str
    plan: Plan
    try_fixes: bool


def results(
    plan: Plan, address: str, try_fixes: bool, progress: Callable[[int, int], None]
) -> list[UnitResult]:
    """The results of the plan's files, by a cluster, for `engine.joined`."""
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise UsageError("--scheduler: needs Dask; pip install 'cudalint[dask]'") from None
    shares = [Share(__version__, os.getcwd(), part, try_fixes) for part in _shared_out(plan)]
    try:
        client = Client(address, timeout=_REACHED, set_as_default=False)
    except (OSError, ValueError) as error:
        reason = f"cannot be reached ({error}); `dask scheduler` prints its address"
        raise UsageError(f"--scheduler {address}: {reason}") from None
    done, found = 0, list[UnitResult]()
    with client:
        futures = client.map(lint, [msgspec.json.encode(share) for share in shares], pure=False)
        sizes = {
            future.key: len(share.plan.candidates) for future, share in zip(futures, shares, strict=True)
        }
        for future in as_completed(futures, loop=client.loop):
            found += _read(address, future)
            done += sizes[future.key]
            progress(done, len(plan.candidates))
    return found


def _read(address: str, future: object) -> tuple[UnitResult, ...]:
    """The results of a finished task."""
    error = future.exception()  # type: ignore[attr-defined]
    if error is not None:
        raise UsageError(f"--scheduler {address}: a task failed: {error}")
    try:
        part = msgspec.json.decode(future.result(), type=parts.Part)  # type: ignore[attr-defined]
    except msgspec.DecodeError as wrong:
        raise UsageError(f"--scheduler {address}: a worker gave something else: {wrong}") from None
    return part.results


def _shared_out(plan: Plan) -> Iterator[Plan]:
    """The plan in tasks, the largest files first and alone."""
    sized = sorted((-sum(state(one.path)[1:2]), one.path, one) for one in plan.candidates)
    held: list[Candidate] = []
    total = 0
    for less, _, candidate in sized:
        size = -less
        if held and (len(held) == _FILES or total + size > _BYTES):
            yield replace(plan, candidates=tuple(held))
            held, total = [], 0
        held.append(candidate)
        total += size
    if held:
        yield replace(plan, candidates=tuple(held))


def lint(told: bytes) -> bytes:
    """The part of a share, both as JSON. Runs on the cluster: a worker runs tasks in threads, so the work is
    done by a process of its own.
    """
    done = subprocess.run([sys.executable, "-c", _TELL], input=told, capture_output=True, check=False)
    if done.returncode:
        reason = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or ["it was killed"]
        raise RuntimeError(reason[0])
    return done.stdout


def serve() -> None:
    """Standard input to standard output: a share, and the part that comes of it."""
    share = msgspec.json.decode(sys.stdin.buffer.read(), type=Share)
    if share.version != __version__:
        sys.exit(f"cudalint {__version__} is installed there, not {share.version}")
    os.chdir(share.directory)
    found = engine.results(share.plan, jobs=1, try_fixes=share.try_fixes)
    part = parts.Part(__version__, 1, 1, share.plan, tuple(found))
    sys.stdout.buffer.write(parts.encoded(part).encode())
