"""Mistakes of launches: their shape, their shared memory, their stream, their arguments."""

import re
from collections.abc import Iterator

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function
from cudalint.ir.walk import walk
from tools.planting.kind import Kind
from tools.planting.source import Edit, Mistake, Source

_SIZES = (64, 128, 192, 256, 512, 1024)
_QUOTIENT = re.compile(r"\(\s*([\w.\->]+)\s*\+\s*([\w.]+)\s*-\s*1\s*\)\s*/\s*([\w.]+)")
_STRIDES = re.compile(r"gridDim|this_grid|num_blocks|num_threads|grid_rank")  # a smaller grid does as well


def launches(source: Source) -> Iterator[tuple[Function, e.Launch]]:
    """Those that are written out in this file, with the host function they stand in."""
    for function in source.functions(device=False):
        for node in walk(function.body) if function.body else ():
            if isinstance(node, e.Launch) and "<<<" in source.written(node):
                yield function, node


def _block_sizes(source: Source, changed: str) -> Iterator[Mistake]:
    """The number that a block of one dimension is written with, at the launch or as a constant, changed."""
    for function, launch in launches(source):
        written = source.written(launch.block)
        found = source.range(launch.block.span)
        if found is None or not re.fullmatch(r"\w+", written):
            continue
        if written.isdigit():
            edit: Edit | None = (*found, changed) if int(written) in _SIZES else None
        else:
            defined = _definition(source, launch.block, written)
            known = defined is not None and int(defined[1]) in _SIZES
            edit = (defined.start(1), defined.end(1), changed) if defined and known else None
        if edit is not None:
            yield source.mistake(function, launch, edit, kernels=(launch.name,))


def _definition(source: Source, block: e.Expression, name: str) -> re.Match[str] | None:
    """Where the constant that a launch names is given its number."""
    variables = [node.variable for node in walk(block) if isinstance(node, e.VariableReference)]
    if not variables:
        return re.search(rf"#define\s+{name}\s+\(?(\d+)\b", source.text)
    found = source.range(variables[0].span)
    return re.compile(rf"[^;]*?\b{name}\s*=\s*\(?(\d+)\b").match(source.text, found[0]) if found else None


def _odd_blocks(source: Source) -> Iterator[Mistake]:
    return _block_sizes(source, "250")


def _large_blocks(source: Source) -> Iterator[Mistake]:
    return _block_sizes(source, "2048")


def _truncated_grids(source: Source) -> Iterator[Mistake]:
    """Of sizes that are not written in the program: a constant may be a multiple of the block."""
    known = {fact.span for fact in source.host.launches if None not in fact.grid}
    for function, launch in launches(source):
        extent = source.range(function.extent)
        if extent is None or launch.span in known:
            continue
        kernel = source.unit.functions.get(launch.key or "")
        if kernel is None or kernel.body is None or _STRIDES.search(source.written(kernel.body)):
            continue
        start, end = extent
        names = _made_of(source.text[start:end], source.written(launch.grid))
        for found in _QUOTIENT.finditer(source.text, start, end):
            inside = source.range(launch.grid.span)
            of_grid = inside is not None and inside[0] <= found.start() < inside[1]
            if found[2] == found[3] and (of_grid or _set_there(source.text, found.start()) & names):
                edit = (found.start(), found.end(), f"{found[1]} / {found[3]}")
                yield source.mistake(function, launch, edit, kernels=(launch.name,))


def _made_of(body: str, grid: str) -> set[str]:
    """The names in a launch's grid, and those that they are set from."""
    names = set(re.findall(r"[A-Za-z_]\w*", grid))
    for name in tuple(names):
        for value in re.findall(rf"\b{name}(?:\.[xyz])?\s*[=({{]([^;=]*);", body):
            names |= set(re.findall(r"[A-Za-z_]\w*", value))
    return names


def _set_there(text: str, offset: int) -> set[str]:
    """The names that the statement at an offset sets."""
    start = max(text.rfind(mark, 0, offset) for mark in ";{}") + 1
    return set(re.findall(r"\b([A-Za-z_]\w*)(?:\.[xyz])?\s*(?:=|\()", text[start:offset]))


def _single_blocks(source: Source) -> Iterator[Mistake]:
    for function, launch in launches(source):
        if source.written(launch.grid) not in ("", "1"):
            edit = source.replaced(launch.grid, "1")
            yield source.mistake(function, launch, edit, kernels=(launch.name,))


def _halved_shared(source: Source) -> Iterator[Mistake]:
    for function, launch in launches(source):
        size = source.written(launch.shared) if launch.shared is not None else ""
        if launch.shared is not None and size not in ("", "0", "NULL"):
            edit = source.replaced(launch.shared, f"({size}) / 2")
            yield source.mistake(function, launch, edit, kernels=(launch.name,))


def _without_stream(source: Source) -> Iterator[Mistake]:
    """Where another stream has work between the same waits, and the default stream waits for it."""
    if re.search("BeginCapture|NonBlocking", source.text):
        return
    for function, launch in launches(source):
        stream, shared = launch.stream, launch.shared
        if stream is None or shared is None or source.written(stream) in ("", "0", "NULL"):
            continue
        found, until = source.range(shared.span), source.range(stream.span)
        if found is not None and until is not None and source.written(shared):
            if not source.overlaps(function, launch, source.written(stream)):
                continue
            edit = (found[1], until[1], "")
            yield source.mistake(function, launch, edit, kernels=(launch.name,))


def _large_arrays(source: Source) -> Iterator[Mistake]:
    """A shared array with 64 times the elements."""
    for function in source.functions(device=True):
        for node in walk(function.body) if function.body else ():
            found = source.range(node.span) if isinstance(node, s.Declare) else None
            if (
                isinstance(node, s.Declare)
                and found
                and node.variable.storage == "shared"
                and not node.variable.extern
            ):
                size = re.compile(r"\[([^\[\]]+)\]").search(source.text, found[0], found[0] + 120)
                if size is not None and source.text.find(";", found[0]) > size.end() - 1:
                    edit = (size.start(1), size.end(1), f"({size[1]}) * 256")
                    yield source.mistake(function, node, edit)


def _host_arguments(source: Source) -> Iterator[Mistake]:
    """A pointer of the host passed where its copy on the device was."""
    copies = dict(re.findall(r"cudaMemcpy\s*\(\s*(\w+)\s*,\s*(\w+)\s*,[^;]*HostToDevice", source.text))
    for function, launch in launches(source):
        for argument in launch.arguments or ():
            host = copies.get(source.written(argument))
            if host is not None and re.search(rf"\*\s*{host}\b", source.text):
                edit = source.replaced(argument, host)
                yield source.mistake(function, launch, edit, kernels=(launch.name,))


KINDS = (
    Kind("a block of 250 threads", ("CU501",), _odd_blocks, "<<<"),
    Kind("a block of 2048 threads", ("CU503",), _large_blocks, "<<<"),
    Kind("a grid no longer rounded up", ("CU509",), _truncated_grids, "<<<"),
    Kind("a grid of one block", ("CU504",), _single_blocks, "<<<"),
    Kind("dynamic shared memory halved", ("CU203",), _halved_shared, "<<<", "outside"),
    Kind("a static shared array made too large", ("CU202",), _large_arrays, "__shared__", "rejected"),
    Kind("the stream of a launch dropped", ("CU703", "CU712", "CU804", "CU702"),
         _without_stream, r"cudaStreamCreate"),
    Kind("a host pointer passed to a kernel", ("CU801",), _host_arguments, "cudaMemcpy"),
)  # fmt: skip
