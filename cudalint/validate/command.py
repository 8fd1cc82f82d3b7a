"""`cudalint validate`, pair by pair."""

import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from cudalint.errors import UsageError
from cudalint.gpu.devices import DEVICES
from cudalint.gpu.devices import Device as KnownDevice
from cudalint.gpu.throughput import Throughput, throughput
from cudalint.rule.measured import Device
from cudalint.validate import build, compiling, cupy_driver, evidence, gpu, prediction, timing, toolchain
from cudalint.validate.build import CompileError
from cudalint.validate.evidence import Evidence, NothingToAsk
from cudalint.validate.pairs import Pair, pairs
from cudalint.validate.prediction import Model
from cudalint.validate.result import Result
from cudalint.validate.timing import RunError
from cudalint.validate.toolchain import Toolchain

Progress = Callable[[int, int], None]


class Options(Struct, frozen=True):
    """The command line."""

    rules: tuple[str, ...] = ()  # codes, names or prefixes; all if empty
    device: int = 0  # index of the GPU
    archs: tuple[str, ...] = ()  # default: the GPU's; sm_75, sm_90 and sm_100 with --compile-only
    repeat: int = 50  # timed repetitions
    compile_only: bool = False
    driver: str = ""
    jobs: int = 2


def validate(options: Options, progress: Progress) -> tuple[Result, ...]:
    """The results in the order of the codes. UsageError where nothing can be measured on this machine."""
    tools = toolchain.find()
    chosen = pairs(options.rules)
    _require_compiler(tools, options)
    with tempfile.TemporaryDirectory(prefix="cudalint-") as folder:
        work = Path(folder)
        if options.compile_only:
            return _compiled(tools, chosen, options, work, progress)
        gpu.require()
        if _with_cupy(tools, options):
            found = cupy_driver.run(chosen, options.device, options.repeat)
            return tuple(_counted((_with_prediction(one) for one in found), chosen, progress))
        return _timed(tools, chosen, options, work, progress)


def _require_compiler(tools: Toolchain, options: Options) -> None:
    """Raise UsageError if no compiler is available."""
    if options.driver == "cupy" and not cupy_driver.present():
        raise UsageError(
            "--driver cupy: CuPy is not installed; install it with `pip install 'cudalint[gpu]'`"
        )
    left = options.driver == "cupy" or (options.driver == "" and cupy_driver.present())
    if options.compile_only or not left:
        _ = tools.compiler


def _with_cupy(tools: Toolchain, options: Options) -> bool:
    """Whether CuPy compiles and runs the pairs: where it is asked for, or there is no nvcc."""
    return options.driver == "cupy" or (tools.nvcc is None and not options.driver)


# --- without a GPU ---


def _compiled(
    tools: Toolchain, chosen: tuple[Pair, ...], options: Options, folder: Path, progress: Progress
) -> tuple[Result, ...]:
    archs = options.archs or build.ARCHS
    # libclang has no threads: a pair at a time, while nvcc compiles those before
    models = (prediction.model(pair.path, archs[0]) for pair in chosen)
    with ThreadPoolExecutor(options.jobs) as pool:
        found = pool.map(lambda pair, seen: _looked_at(tools, pair, seen, archs, folder), chosen, models)
        return tuple(_counted(found, chosen, progress))


def _looked_at(tools: Toolchain, pair: Pair, seen: Model, archs: tuple[str, ...], folder: Path) -> Result:
    found: list[Evidence] = []
    for arch in archs:
        try:
            made = compiling.compiled(tools, pair, seen, arch, folder)
            found += compiling.asked(pair, made) if made is not None else ()
        except CompileError as error:
            return Result(pair, failure=f"does not compile for {arch}: {error}")
        except NothingToAsk as error:
            return Result(pair, failure=f"{arch}: {error}")
    unasked = 0 if tools.nvdisasm else sum(len(evidence.questions(pair.code, arch)) for arch in archs)
    return Result(pair, evidence=tuple(found), unasked=unasked)


# --- with a GPU ---


def _timed(
    tools: Toolchain, chosen: tuple[Pair, ...], options: Options, folder: Path, progress: Progress
) -> tuple[Result, ...]:
    """Build the programs in parallel, then run them one at a time."""
    arch = options.archs[0] if options.archs else "native"
    with ThreadPoolExecutor(options.jobs) as pool:
        built = list(pool.map(lambda pair: built_program(tools, pair, arch, folder), chosen))
    with gpu.visible(options.device):
        results = []
        for number, (pair, program) in enumerate(zip(chosen, built, strict=True), 1):
            results.append(_run(pair, program, options.repeat))
            progress(number, len(chosen))
    return tuple(results)


def built_program(tools: Toolchain, pair: Pair, arch: str, folder: Path) -> Path | CompileError:
    try:
        return build.program(tools, pair.path, folder / pair.code, arch)
    except CompileError as error:
        return error


def _run(pair: Pair, program: Path | CompileError, repeat: int) -> Result:
    if isinstance(program, CompileError):
        return Result(pair, failure=str(program))
    try:
        measured = timing.run(pair.code, program, repeat)
    except RunError as error:
        return Result(pair, failure=str(error))
    return Result(pair, measured, predicted(pair, measured.device))


def _with_prediction(result: Result) -> Result:
    timing = result.timing
    return replace(result, prediction=predicted(result.pair, timing.device)) if timing else result


def predicted(pair: Pair, device: Device) -> prediction.Prediction | None:
    """The model's prediction for a device of the table; None for another."""
    rates = _rates(device)
    return prediction.predict(pair, f"sm_{device.capability}", rates) if rates is not None else None


def _rates(device: Device) -> Throughput | None:
    row = _known(device)
    return throughput(row, device.clock_khz * 1e3) if row is not None and device.clock_khz else None


def _known(device: Device) -> KnownDevice | None:
    name = device.name.lower().removeprefix("nvidia ")
    return next((row for row in DEVICES if row.name.lower() == name), None)


def _counted(results: Iterator[Result], chosen: tuple[Pair, ...], progress: Progress) -> Iterator[Result]:
    for number, result in enumerate(results, 1):
        progress(number, len(chosen))
        yield result
