"""Mistakes of host code: copies, allocations, synchronisation."""

import re
from collections.abc import Callable, Iterator

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function
from cudalint.ir.walk import walk
from tools.planting.kind import Kind
from tools.planting.launches import launches
from tools.planting.source import Mistake, Source

_FEW = 16  # iterations, in which a wait or an allocation costs next to nothing
_ALLOCATION = "float *planted; cudaMalloc((void **)&planted, 4096); "
_MANY = r"sizeof\s*\(\s*(?!char|unsigned char|bool|uchar|u?int8_t)[^()]*\)"  # more than a byte
_ELEMENT = re.compile(rf"\s*\*\s*{_MANY}|{_MANY}\s*\*\s*")
_HOST, _DEVICE = "cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost"


def _calls(*names: str, new: Callable[[list[str], Source], str]) -> Callable[[Source], Iterator[Mistake]]:
    """Calls of host code with another text, where `new` has one for the texts of their arguments."""

    def places(source: Source) -> Iterator[Mistake]:
        for function in source.functions(device=False):
            for call in source.calls(function, *names):
                arguments = [source.written(argument) for argument in call.arguments]
                text = new(arguments, source) if all(arguments) else ""
                if text and text != source.written(call):
                    yield source.mistake(
                        function, call, source.replaced(call, text), kernels=_kernels(source)
                    )

    return places


def _kernels(source: Source) -> tuple[str, ...]:
    return tuple(dict.fromkeys(launch.name for _, launch in launches(source)))


def _blocking(source: Source) -> Iterator[Mistake]:
    """Copies of pinned memory, where another stream has work between the same waits."""
    if not re.search("cudaMallocHost|cudaHostAlloc|cudaHostRegister", source.text):
        return
    for function in source.functions(device=False):
        for call in source.calls(function, "cudaMemcpyAsync"):
            a = [source.written(argument) for argument in call.arguments]
            if len(a) == 5 and all(a) and source.overlaps(function, call, a[4]):
                edit = source.replaced(call, f"cudaMemcpy({', '.join(a[:4])})")
                yield source.mistake(function, call, edit, kernels=_kernels(source))


def _pageable(a: list[str], source: Source) -> str:
    copied = a[0].lstrip("&(void*) ").rstrip(") ")
    return f"(*(void **)({a[0]}) = malloc({a[1]}), cudaSuccess)" if _overlaps(copied, source) else ""


def _overlaps(copied: str, source: Source) -> bool:
    """Whether an asynchronous copy of a buffer stands where another stream has work, too."""
    for function in source.functions(device=False):
        for call in source.calls(function, "cudaMemcpyAsync"):
            a = [source.written(argument) for argument in call.arguments]
            used = any(re.search(rf"\b{re.escape(copied)}\b", pointer) for pointer in a[:2])
            if used and len(a) == 5 and source.overlaps(function, call, a[4]):
                return True
    return False


def _elements(a: list[str], source: Source) -> str:
    size = _ELEMENT.sub("", a[2])
    return f"cudaMemcpy({a[0]}, {a[1]}, {size}, {a[3]})" if size != a[2] and len(a) == 4 else ""


def _few(a: list[str], source: Source) -> str:
    size = _ELEMENT.sub("", a[1])
    return f"cudaMalloc({a[0]}, {size})" if size != a[1] and len(a) == 2 else ""


def _twice(a: list[str], source: Source) -> str:
    return f"cudaMemcpy({a[0]}, {a[1]}, 2 * ({a[2]}), {a[3]})" if len(a) == 4 else ""


def _swapped(a: list[str], source: Source) -> str:
    simple = len(a) == 4 and a[3] in (_HOST, _DEVICE) and a[0].isidentifier() and a[1].isidentifier()
    return f"cudaMemcpy({a[1]}, {a[0]}, {a[2]}, {a[3]})" if simple else ""


def _other_kind(a: list[str], source: Source) -> str:
    other = {_HOST: _DEVICE, _DEVICE: _HOST}.get(a[3]) if len(a) == 4 else None
    return f"cudaMemcpy({a[0]}, {a[1]}, {a[2]}, {other})" if other else ""


def _no_wait(a: list[str], source: Source) -> str:
    stops = re.findall(r"cudaEventElapsedTime\s*\([^,]*,[^,]*,\s*([^;]*?)\)", source.text)
    return "cudaSuccess" if any(a[0] in stop for stop in stops) else ""


def _old_name(a: list[str], source: Source) -> str:
    return "cudaThreadSynchronize()"


def _many_copies(a: list[str], source: Source) -> str:
    if len(a) != 4 or a[3] != _HOST or not a[0].isidentifier() or not a[1].isidentifier():
        return ""
    step = "planted * 16"
    copy = f"cudaMemcpy((char *){a[0]} + {step}, (char *){a[1]} + {step}, 16, {a[3]})"
    return f"for (int planted = 0; planted < 1024; planted++) {copy}"


def _statements(function: Function, source: Source) -> Iterator[s.Evaluate]:
    for node in walk(function.body) if function.body else ():
        if isinstance(node, s.Evaluate) and source.range(node.span):
            yield node


def _copies_in_loop(source: Source) -> Iterator[Mistake]:
    for function in source.functions(device=False):
        for node in _statements(function, source):
            call = node.expression
            if (
                isinstance(call, e.Call)
                and call.name == "cudaMemcpy"
                and source.written(node).startswith(call.name)
            ):
                text = _many_copies([source.written(a) for a in call.arguments], source)
                if text:
                    yield source.mistake(function, node, source.replaced(node, text))


def _device_on_host(source: Source) -> Iterator[Mistake]:
    """The first element written through the device's pointer after the copy."""
    for function in source.functions(device=False):
        for node in _statements(function, source):
            call = node.expression
            if not isinstance(call, e.Call) or call.name != "cudaMemcpy":
                continue
            a = [source.written(argument) for argument in call.arguments]
            names = len(a) == 4 and a[3] == _HOST and a[0].isidentifier() and a[1].isidentifier()
            if names and source.written(node).startswith(call.name):
                text = f"{source.written(node)}; {a[0]}[0] = {a[1]}[0]"
                yield source.mistake(function, node, source.replaced(node, text))


def _round_launches(before: str, after: str, quiet: str) -> Callable[[Source], Iterator[Mistake]]:
    """Statements before and after a launch in a loop. quiet: what the loop must not have yet."""

    def places(source: Source) -> Iterator[Mistake]:
        for function in source.functions(device=False):
            for loop in walk(function.body) if function.body else ():
                if not isinstance(loop, s.Loop) or re.search(quiet, _text(source, loop)):
                    continue
                limit = re.match(r"[^;]*;[^;]*<=?\s*(\d+)\s*;", source.written(loop))
                if limit is not None and int(limit[1]) < _FEW:
                    continue
                for node in loop.body.body if isinstance(loop.body, s.Block) else (loop.body,):
                    if isinstance(node, s.Evaluate) and isinstance(node.expression, e.Launch):
                        written = source.written(node)
                        if "<<<" in written:
                            edit = source.replaced(node, f"{{ {before}{written}; {after} }}")
                            yield source.mistake(function, node, edit, kernels=(node.expression.name,))

    return places


def _text(source: Source, loop: s.Loop) -> str:
    """What a loop says, and the functions that it calls."""
    called = (source.unit.functions.get(n.key or "") for n in walk(loop) if isinstance(n, e.Call))
    bodies = (source.written(f.body) for f in called if f is not None and f.body is not None)
    return " ".join((source.written(loop), *bodies))


_NOW = re.compile(r"now\s*\(|gettimeofday|clock\s*\(|omp_get_wtime")
_CLOCK = re.compile(rf"cuda(?:Device|Thread)Synchronize\s*\(\s*\)(?=;[^;{{}}]*(?:{_NOW.pattern}))")


def _no_wait_for_clock(source: Source) -> Iterator[Mistake]:
    for function in source.functions(device=False):
        for call in source.calls(function, "cudaDeviceSynchronize", "cudaThreadSynchronize"):
            start, _ = source.range(call.span) or (0, 0)
            timed = _NOW.search(source.text, max(0, start - 900), start)
            launched = "<<<" in source.text[max(0, start - 600) : start]
            if timed and launched and _CLOCK.match(source.text, start):
                edit = source.replaced(call, "cudaSuccess")
                yield source.mistake(function, call, edit, kernels=_kernels(source))


KINDS = (
    Kind("`Async` dropped", ("CU701", "CU712"), _blocking, "cudaMemcpyAsync"),
    Kind("pinned memory made pageable", ("CU702",),
         _calls("cudaMallocHost", "cudaHostAlloc", new=_pageable), "cudaMemcpyAsync"),
    Kind("a copy's size in elements", ("CU810",), _calls("cudaMemcpy", new=_elements), "cudaMemcpy"),
    Kind("an allocation's size in elements", ("CU810", "CU510"),
         _calls("cudaMalloc", new=_few), "cudaMalloc"),
    Kind("a copy of twice the bytes", ("CU810",), _calls("cudaMemcpy", new=_twice), "cudaMemcpy"),
    Kind("host and device pointers swapped in a copy", ("CU803",),
         _calls("cudaMemcpy", new=_swapped), "cudaMemcpy"),
    Kind("the direction of a copy swapped", ("CU803",), _calls("cudaMemcpy", new=_other_kind), "cudaMemcpy"),
    Kind("a device pointer used by the host", ("CU802",), _device_on_host, "cudaMemcpy"),
    Kind("one copy made many small ones", ("CU704",), _copies_in_loop, "cudaMemcpy"),
    Kind("the wait for an event dropped", ("CU808",),
         _calls("cudaEventSynchronize", new=_no_wait), "cudaEventElapsedTime"),
    Kind("the wait before a clock dropped", ("CU807", "CU804"), _no_wait_for_clock, "Synchronize"),
    Kind("a synchronisation in a loop", ("CU710",),
         _round_launches("", "cudaDeviceSynchronize();", "Synchronize|cudaMemcpy|cudaEvent"), "<<<"),
    Kind("an allocation in a loop", ("CU706",),
         _round_launches(_ALLOCATION, "cudaFree(planted);", "cudaMalloc"), "<<<"),
    Kind("a removed function", ("CU901",),
         _calls("cudaDeviceSynchronize", new=_old_name), "cudaDeviceSynchronize", "rejected"),
)  # fmt: skip
