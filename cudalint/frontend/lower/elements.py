"""Kernels of a library's own: what an algorithm of Thrust or CUB runs for each element of its range. The
bundled headers write it down as a launch; of each call in the program it becomes a kernel that stands there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from cudalint.ir import expressions as e
from cudalint.ir.statements import Block
from cudalint.ir.types import Record
from cudalint.ir.unit import Function
from cudalint.ir.walk import Node, find, rebuilt
from cudalint.source.span import Span

_WORK = "cudalint_do_"  # begins the names of the headers' functors for what an algorithm does
_RUN = "cudalint_run"  # the function that decides whether it is done on the device
# Parameters of those kernels, and which argument they are: of Thrust's behind the policy, some from the last
# one; of CUB's behind the temporary memory.
_GIVEN = {"input": 0, "other": 2, "stencil": 2, "output": -2}
_OUTPUT = {"cudalint_masked": -3, "cudalint_made": 0, "cudalint_tabled": 0, "cudalint_map_scanned": 2}
_OF_CUB = {"input": 0, "output": 1}
_ALONE = ("cub::DeviceFor::", "cub::DeviceTransform::")  # without temporary memory


class Parted(Struct, frozen=True):
    """The functions of a unit without those of algorithms, and these, by key: the host model runs them to
    tell what a call hands its kernel.
    """

    functions: dict[str, Function]
    algorithms: dict[str, Function]


def parted(functions: dict[str, Function]) -> Parted:
    """The functions, with a kernel for each call of an algorithm that host code makes."""
    parts = {key: one for key, one in functions.items() if _is_part(one)}
    if not parts:
        return Parted(functions, {})
    algorithms = {key: one for key, one in functions.items() if key in parts or _calls(one, parts)}
    kernels = {key: tuple(_launched(one, algorithms)) for key, one in algorithms.items()}
    inner = {kernel for launched in kernels.values() for kernel in launched}
    made: dict[str, Function] = {}
    for key, function in functions.items():
        if key in algorithms or function.body is None or function.kernel:
            continue
        for number, call in enumerate(find(function.body, e.Call)):
            for kernel in kernels.get(call.key or "", ()):
                if (written := functions.get(kernel)) is not None:
                    own = f"{kernel}@{key}:{number}"
                    made[own] = replace(_standing_at(written, call), key=own)
    kept = {key: one for key, one in functions.items() if key not in algorithms and key not in inner}
    return Parted({**kept, **made}, {key: one for key, one in algorithms.items() if kernels[key]})


def _is_part(function: Function) -> bool:
    scope, _, name = function.qualified.rpartition("::")
    return name == _RUN or scope.rpartition("::")[2].startswith(_WORK)


def _calls(function: Function, parts: dict[str, Function]) -> bool:
    return function.body is not None and any(call.key in parts for call in find(function.body, e.Call))


def _launched(function: Function, algorithms: dict[str, Function]) -> Iterator[str]:
    """The keys of the kernels that an algorithm launches, by what it calls."""
    for node in find(function.body, e.Call, e.Launch):
        if isinstance(node, e.Launch):
            yield from (node.key,) if node.key is not None else ()
        elif node.key != function.key and (inner := algorithms.get(node.key or "")) is not None:
            yield from _launched(inner, algorithms)


def _standing_at(kernel: Function, call: e.Call) -> Function:
    """The kernel as if it was written where the algorithm is called: its accesses stand on the arguments."""
    cub = call.qualified.startswith("cub::")
    arguments = call.arguments[2 * (cub and not call.qualified.startswith(_ALONE)) :]
    if arguments and isinstance(arguments[0].type, Record) and "policy" in arguments[0].type.name:
        arguments = arguments[1:]

    def place(node: Node) -> Span:
        match node:
            case (
                e.Index(base=base)
                | e.Call(receiver=base, name="operator[]")
                | e.Call(name="cudalint_whole", arguments=(base, _))
            ) if base is not None:
                name = base.variable.name if isinstance(base, e.VariableReference) else ""
                given = (_OF_CUB if cub else _GIVEN).get(name)
                if given is not None and given < 0:
                    given = _OUTPUT.get(kernel.name, given)
                if given is not None and -len(arguments) <= given < len(arguments):
                    return arguments[given].span
            case e.Call() if arguments and not cub:
                return arguments[-1].span
        return call.span

    def moved(node: Node) -> Node:
        return replace(rebuilt(node, moved), span=place(node))

    return replace(
        kernel,
        name=call.qualified,
        qualified=call.qualified,
        body=cast(Block, moved(kernel.body)) if kernel.body is not None else None,
        span=call.span,
        extent=call.span,
        made=kernel.key,
    )
