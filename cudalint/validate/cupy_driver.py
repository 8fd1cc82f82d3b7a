"""Times pairs through CuPy, for machines with a GPU and no nvcc: NVRTC compiles the device part.

The host functions of a pair are not there, so its launches are what the host model says of them. Pairs whose
point is host code, or whose launches are not plain, are skipped. The reference is the pair's own, in double,
run by one thread of the GPU an element.
"""

import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from cudalint.host.facts import LaunchFact
from cudalint.ir.types import Pointer, Scalar
from cudalint.rule.measured import Device
from cudalint.validate import prediction, timing
from cudalint.validate.pairs import Pair
from cudalint.validate.prediction import VARIANTS, Model
from cudalint.validate.result import Result
from cudalint.validate.timing import Timing

_TOLERANCE = 1e-3  # of the reference; a pair's own stands in its host part
_THREADS = 256
_WARM_UP = 3
_SETS = 16
_TYPES = {
    ("float", 4): "float32",
    ("float", 8): "float64",
    ("signed", 4): "int32",
    ("unsigned", 4): "uint32",
    ("signed", 1): "int8",
    ("unsigned", 1): "uint8",
}

_TAIL = """
__device__ long long cudalint_sizes[] = {outputs, inputs};
__device__ inline long long cudalint_first() { return blockIdx.x * (long long)blockDim.x + threadIdx.x; }
__global__ void cudalint_fill(IN *in)
{
    for (long long i = cudalint_first(); i < inputs; i += gridDim.x * blockDim.x) {
        in[i] = input(i);
    }
}
__global__ void cudalint_expected(double *want, const IN *in)
{
    for (long long i = cudalint_first(); i < outputs; i += gridDim.x * blockDim.x) {
        want[i] = expected(in, i);
    }
}
"""


class Skip(Exception):
    """A pair that CuPy cannot run; the text says why."""


class _Launch(Struct, frozen=True):
    kernel: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared: int


def present() -> bool:
    """Whether CuPy is installed."""
    return importlib.util.find_spec("cupy") is not None


def run(chosen: tuple[Pair, ...], device: int, repeat: int) -> Iterator[Result]:
    """Results of the pairs, one after the other."""
    import cupy

    with cupy.cuda.Device(device):
        for pair in chosen:
            try:
                yield Result(pair, _measured(cupy, pair, device, repeat))
            except Skip as why:
                yield Result(pair, skipped=f"unsupported with CuPy: {why}")
            except (cupy.cuda.compiler.CompileException, cupy.cuda.driver.CUDADriverError) as error:
                yield Result(pair, failure=str(error))


class _Prepared(Struct):
    """A pair ready to run: several sets of buffers, so that none is in the cache when its turn comes."""

    launches: dict[str, list[_Launch]]
    kernels: dict[str, Any]
    ins: list[Any]
    outs: list[Any]
    want: Any

    def go(self, variant: str, turn: int) -> None:
        at = turn % len(self.ins)
        for one in self.launches[variant]:
            arguments = (self.outs[at], self.ins[at])
            self.kernels[one.kernel](one.grid, one.block, arguments, shared_mem=one.shared)


def _measured(cupy: Any, pair: Pair, device: int, repeat: int) -> Timing:
    properties = _device(cupy, device)
    ready = _prepared(cupy, pair, properties)
    errors = [_error(cupy, ready, variant) for variant in VARIANTS]
    times: dict[str, list[float]] = {name: [] for name in VARIANTS}
    for turn in range(repeat + _WARM_UP):
        for variant in VARIANTS:
            ms = _once(cupy, ready, variant, turn)
            if turn >= _WARM_UP:
                times[variant].append(ms)
    bad, good = (timing.times(times[name]) for name in VARIANTS)
    return Timing(pair.code, properties, bad, good, errors[0], errors[1], _TOLERANCE, "events")


def _prepared(cupy: Any, pair: Pair, properties: Device) -> _Prepared:
    seen = prediction.model(pair.path, f"sm_{properties.capability}")
    if seen.host_work:
        raise Skip(f"`{seen.host_work[0]}` is host code")
    launches = {name: [_launch(seen, one) for one in seen.launches[name]] for name in VARIANTS}
    if not all(launches.values()):
        raise Skip("a variant launches no kernel itself")
    out_type, in_type = _element_types(seen)
    names = sorted({launch.kernel for each in launches.values() for launch in each})
    module = _module(cupy, pair, names, in_type)
    outputs, inputs = cupy.ndarray(2, "int64", module.get_global("cudalint_sizes")).get().tolist()
    each = inputs * in_type.bytes + outputs * out_type.bytes
    sets = range(min(_SETS, 2 + 2 * properties.l2_bytes // each))
    ins = [cupy.empty(inputs, _TYPES[in_type.kind, in_type.bytes]) for _ in sets]
    outs = [cupy.zeros(outputs, _TYPES[out_type.kind, out_type.bytes]) for _ in sets]
    blocks = properties.multiprocessors * 8
    for array in ins:
        module.get_function("cudalint_fill")((blocks,), (_THREADS,), (array,))
    want = cupy.empty(outputs, "float64")
    module.get_function("cudalint_expected")((blocks,), (_THREADS,), (want, ins[0]))
    kernels = {name: module.get_function(name) for name in names}
    return _Prepared(launches, kernels, ins, outs, want)


def _error(cupy: Any, ready: _Prepared, variant: str) -> float:
    """The largest of one run, relative where the reference is above 1."""
    ready.outs[0].fill(0)
    ready.go(variant, 0)
    off = cupy.abs(ready.outs[0].astype("float64") - ready.want)
    return float((off / cupy.maximum(1.0, cupy.abs(ready.want))).max())


def _once(cupy: Any, ready: _Prepared, variant: str, turn: int) -> float:
    """Milliseconds of one run, by events."""
    start, stop = cupy.cuda.Event(), cupy.cuda.Event()
    start.record()
    ready.go(variant, turn)
    stop.record()
    stop.synchronize()
    return float(cupy.cuda.get_elapsed_time(start, stop))


def _module(cupy: Any, pair: Pair, names: list[str], in_type: Scalar) -> Any:
    written = "double" if in_type.bytes == 8 else in_type.name
    code = pair.path.read_text(encoding="utf-8") + f"\n#define IN {written}\n" + _TAIL
    options = ["-std=c++17", f"-I{pair.path.parent}"]
    include = Path(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "include")
    if include.is_dir():
        options.append(f"-I{include}")
    names = [*names, "cudalint_fill", "cudalint_expected", "cudalint_sizes"]
    return cupy.RawModule(code=code, options=tuple(options), name_expressions=names)


def _launch(seen: Model, fact: LaunchFact) -> _Launch:
    kernel = seen.kernels.get(fact.key or "")
    function = kernel.function if kernel is not None else None
    if function is None or len(function.parameters) != 2 or function.template_arguments:
        raise Skip(f"`{fact.name}` is not a plain kernel of (out, in)")
    gx, gy, gz = fact.grid
    bx, by, bz = fact.block
    if None in fact.grid or None in fact.block or fact.stream != "default":
        raise Skip(f"the launch of `{fact.name}` depends on host code")
    assert gx and gy and gz and bx and by and bz
    return _Launch(fact.name, (gx, gy, gz), (bx, by, bz), fact.dynamic_shared_bytes or 0)


def _element_types(seen: Model) -> tuple[Scalar, Scalar]:
    """Of the outputs and inputs, by the parameters of the first kernel."""
    fact = seen.launches["bad"][0]
    types = [variable.type for variable in seen.kernels[fact.key or ""].function.parameters]
    found = [t.pointee for t in types if isinstance(t, Pointer) and isinstance(t.pointee, Scalar)]
    if len(found) != 2 or any((t.kind, t.bytes) not in _TYPES for t in found):
        raise Skip("element types that CuPy does not support")
    return found[0], found[1]


def _device(cupy: Any, number: int) -> Device:
    properties = cupy.cuda.runtime.getDeviceProperties(number)
    attributes = cupy.cuda.Device(number).attributes
    return Device(
        name=properties["name"].decode(),
        capability=properties["major"] * 10 + properties["minor"],
        driver=cupy.cuda.runtime.driverGetVersion(),
        clock_khz=attributes.get("ClockRate", 0),
        memory_clock_khz=attributes.get("MemoryClockRate", 0),
        multiprocessors=properties["multiProcessorCount"],
        l2_bytes=properties["l2CacheSize"],
    )
