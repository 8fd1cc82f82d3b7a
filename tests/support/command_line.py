"""Runs of the command line, each in a process of its own, and two small programs to lint."""

import json
import os
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from cudalint import __main__
from cudalint.engine import analysis

STRIDED = """\
__global__ void spread(float *out, const float *in)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
    out[i] = in[i];
}

int main()
{
    float *a, *b;
    cudaMalloc(&a, 1 << 27);
    cudaMalloc(&b, 1 << 27);
    spread<<<65536, 256>>>(a, b);
    cudaDeviceSynchronize();
    return 0;
}
"""

CLEAN = """\
__global__ void copy(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

int main()
{
    float *a, *b;
    cudaMalloc(&a, 1 << 20);
    cudaMalloc(&b, 1 << 20);
    copy<<<1024, 256>>>(a, b);
    cudaDeviceSynchronize();
    return 0;
}
"""

Outcome = subprocess.CompletedProcess[str]
Command = Callable[..., Outcome]
_SECONDS = 300.0


def started(*arguments: str, cwd: Path, input: str | None = None) -> Outcome:
    """What `python -m cudalint ARGUMENTS` does."""
    command = [sys.executable, "-m", "cudalint", *arguments]
    return subprocess.run(
        command, cwd=cwd, input=input, capture_output=True, text=True, timeout=_SECONDS, check=False
    )


def forked(*arguments: str, cwd: Path, input: str | None = None) -> Outcome:
    """The same in a copy of this process, which has imported everything: five times as fast."""
    analysis.preload()
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write((input or "").encode())
        given.seek(0)
        child = os.fork()
        if child == 0:
            _become(arguments, cwd, (given, out, err))
        status = _ended(child)
        out.seek(0)
        err.seek(0)
        printed = (out.read().decode(), err.read().decode())
        return subprocess.CompletedProcess(
            ["cudalint", *arguments], os.waitstatus_to_exitcode(status), *printed
        )


def _ended(child: int) -> int:
    """The child's status, when it has ended or was killed for taking too long."""
    deadline = time.monotonic() + _SECONDS
    while time.monotonic() < deadline:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return status
        time.sleep(0.002)
    os.kill(child, 9)
    return os.waitpid(child, 0)[1]


def _become(arguments: tuple[str, ...], cwd: Path, streams: tuple[IO[bytes], ...]) -> None:
    """Turn this process into a run of the command line; never returns."""
    code = 1
    try:
        for number, stream in enumerate(streams):
            os.dup2(stream.fileno(), number)
        os.chdir(cwd)
        sys.argv = ["cudalint", *arguments]
        sys.stdin, sys.stdout, sys.stderr = (os.fdopen(number, mode) for number, mode in enumerate("rww"))
        try:
            __main__.main()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def report(outcome: Outcome) -> dict[str, Any]:
    """The JSON document a run printed."""
    document: dict[str, Any] = json.loads(outcome.stdout)
    return document


def codes(outcome: Outcome) -> list[tuple[str, int, str]]:
    """(path, line, code) of every finding of a JSON report."""
    return [(f["path"], f["line"], f["code"]) for f in report(outcome)["findings"]]
