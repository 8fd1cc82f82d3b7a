"""Mistakes of barriers, atomics, fences and warp intrinsics."""

import re
from collections.abc import Callable, Iterator

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.unit import Function
from cudalint.ir.walk import walk
from tools.planting.kind import Kind
from tools.planting.source import Mistake, Source

_THREAD = "blockIdx.x * blockDim.x + threadIdx.x"
_SHUFFLES = ("__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync")
_WARP = (*_SHUFFLES, "__ballot_sync", "__any_sync", "__all_sync")


def _calls(*names: str, text: Callable[[str], str]) -> Callable[[Source], Iterator[Mistake]]:
    """Statements that are just a call, with another text."""

    def places(source: Source) -> Iterator[Mistake]:
        for function in source.functions(device=True):
            assert function.body is not None
            for node in walk(function.body):
                if isinstance(node, s.Evaluate) and isinstance(node.expression, e.Call):
                    written = source.written(node)
                    if node.expression.name in names and written.startswith(node.expression.name):
                        yield source.mistake(function, node, source.replaced(node, text(written)))

    return places


def _ragged_barriers(source: Source) -> Iterator[Mistake]:
    for function, count in _with_count(source):
        for call in source.calls(function, "__syncthreads"):
            guarded = f"if ({_THREAD} < {count}) __syncthreads()"
            yield source.mistake(function, call, source.replaced(call, guarded))


def _early_returns(source: Source) -> Iterator[Mistake]:
    for function, count in _with_count(source):
        assert function.body is not None
        found = source.range(function.body.span)
        barrier = next(source.calls(function, "__syncthreads"), None)
        if found is not None and barrier is not None:
            edit = (found[0] + 1, found[0] + 1, f" if ({_THREAD} >= {count}) return;")
            yield source.mistake(function, barrier, edit)


def _with_count(source: Source) -> Iterator[tuple[Function, str]]:
    """Kernels, with the name of an integer parameter."""
    for function in source.functions(device=True):
        counts = [
            p.name for p in function.parameters if isinstance(p.type, t.Scalar) and p.type.name == "int"
        ]
        if function.kernel and counts:
            yield function, counts[-1]


def _plain_atomics(source: Source) -> Iterator[Mistake]:
    for function in source.functions(device=True):
        assert function.body is not None
        for node in walk(function.body):
            call = node.expression if isinstance(node, s.Evaluate) else None
            if not isinstance(call, e.Call) or len(call.arguments) != 2:
                continue
            place, value = (source.written(argument) for argument in call.arguments)
            plain = {
                "atomicAdd": f"*({place}) += {value}",
                "atomicSub": f"*({place}) -= {value}",
                "atomicOr": f"*({place}) |= {value}",
                "atomicMax": f"*({place}) = max(*({place}), {value})",
                "atomicMin": f"*({place}) = min(*({place}), {value})",
            }.get(call.name)
            if plain is not None and place and value and source.written(call).startswith(call.name):
                yield source.mistake(function, node, source.replaced(node, plain))


def _warp_calls(*names: str, pattern: str, text: str) -> Callable[[Source], Iterator[Mistake]]:
    """Calls of warp intrinsics of a form, and what is written instead."""

    def places(source: Source) -> Iterator[Mistake]:
        for function in source.functions(device=True):
            for call in source.calls(function, *names):
                changed, count = re.subn(pattern, text, source.written(call), count=1)
                if count:
                    yield source.mistake(function, call, source.replaced(call, changed))

    return places


def _without_width(source: Source) -> Iterator[Mistake]:
    for function in source.functions(device=True):
        for call in source.calls(function, *_SHUFFLES):
            if len(call.arguments) == 3 or source.written(call).count(",") == 2:
                yield source.mistake(
                    function, call, source.replaced(call, source.written(call)[:-1] + ", 24)")
                )


def _stores(source: Source) -> Iterator[Mistake]:
    """Stores to shared memory left out."""
    for function in source.functions(device=True):
        assert function.body is not None
        for node in walk(function.body):
            store = node.expression if isinstance(node, s.Evaluate) else None
            plain = isinstance(store, e.Assign) and store.operator is None
            if isinstance(store, e.Assign) and plain and _shared(store.target) and source.written(node):
                yield source.mistake(function, node, source.replaced(node, ""))


def _shared(target: e.Expression) -> bool:
    while isinstance(target, e.Index | e.Cast):
        target = target.base if isinstance(target, e.Index) else target.operand
    return isinstance(target, e.VariableReference) and target.variable.storage == "shared"


_RACES = ("CU301", "CU303", "CU304")
KINDS = (
    Kind("a `__syncthreads()` removed", _RACES,
         _calls("__syncthreads", text=lambda _: ""), "__syncthreads", "conflicts"),
    Kind(
        "a `__syncthreads()` under a condition on `threadIdx.x`", ("CU302",),
        _calls("__syncthreads", text=lambda old: f"if (threadIdx.x < 20) {old}"), "__syncthreads", "partial",
    ),
    Kind("a `__syncthreads()` under a bounds check", ("CU302",),
         _ragged_barriers, "__syncthreads", "partial"),
    Kind("an early return ahead of a barrier", ("CU302",), _early_returns, "__syncthreads", "partial"),
    Kind("an atomic made plain", _RACES, _plain_atomics, r"\batomic(Add|Sub|Or|Max|Min)\b", "conflicts"),
    Kind("a `__syncwarp()` removed", _RACES,
         _calls("__syncwarp", text=lambda _: ""), "__syncwarp", "conflicts"),
    Kind("a `__syncthreads()` repeated", ("CU308",),
         _calls("__syncthreads", text=lambda old: f"{old}; {old}"), "__syncthreads"),
    Kind("a store to shared memory left out", ("CU207",), _stores, "__shared__", "unwritten"),
    Kind("a full mask made half", ("CU306",),
         _warp_calls(*_WARP, pattern=r"0x[fF]{8}[uU]?|\bFULL_MASK\b", text="0x0000ffffu"), "_sync"),
    Kind("a warp intrinsic without its mask", ("CU305",),
         _warp_calls(*_WARP, pattern=r"_sync\s*\([^,()]*,", text="("), "_sync", "rejected"),
    Kind("a shuffle of width 24", ("CU307",), _without_width, "__shfl"),
    Kind("a `__threadfence()` removed", ("CU309",),
         _calls("__threadfence", text=lambda _: ""), "__threadfence"),
)  # fmt: skip
