"""Mistakes of memory accesses: strides, swapped axes, missing padding, bounds."""

import re
from collections.abc import Iterator

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.unit import Function
from cudalint.ir.walk import walk
from tools.planting.kind import Kind
from tools.planting.source import Mistake, Source

_THREAD = re.compile(
    r"(blockIdx\.x\s*\*\s*blockDim\.x|blockDim\.x\s*\*\s*blockIdx\.x|threadIdx\.x)\s*\+\s*"
    r"(blockIdx\.x\s*\*\s*blockDim\.x|blockDim\.x\s*\*\s*blockIdx\.x|threadIdx\.x)"
)
_ROW = re.compile(r"\s*\(?\s*(\w+(?:\.[xy])?)\s*\*\s*(\w+(?:\.[xy])?)\s*\)?\s*\+\s*(\w+(?:\.[xy])?)\s*")
_STRIDE = 8


def _strided_threads(source: Source) -> Iterator[Mistake]:
    for function in source.functions(device=True):
        for node in walk(function.body) if function.body else ():
            if isinstance(node, e.Binary) and node.operator == "+":
                written = source.written(node)
                if _THREAD.fullmatch(written):
                    text = f"({written}) * {_STRIDE}"
                    yield source.mistake(function, node, source.replaced(node, text))


def _elements(source: Source, function: Function) -> Iterator[e.Index]:
    """Elements of arrays that parameters point to."""
    for node in walk(function.body) if function.body else ():
        if isinstance(node, e.Index) and source.written(node.index):
            base = node.base
            while isinstance(base, e.Cast):
                base = base.operand
            if isinstance(base, e.VariableReference) and base.variable.storage == "parameter":
                yield node


def _strided(source: Source) -> Iterator[Mistake]:
    for function in source.functions(device=True):
        for node in _elements(source, function):
            text = f"({source.written(node.index)}) * {_STRIDE}"
            yield source.mistake(function, node, source.replaced(node.index, text))


def _swapped_rows(source: Source) -> Iterator[Mistake]:
    for function in source.functions(device=True):
        for node in _elements(source, function):
            found = _ROW.fullmatch(source.written(node.index))
            if found:
                row, width, column = found.groups()
                text = f"{column} * {width} + {row}"
                yield source.mistake(function, node, source.replaced(node.index, text))


def _swapped_axes(source: Source) -> Iterator[Mistake]:
    for function in source.functions(device=True):
        found = [
            node
            for node in walk(function.body or s.Block((), function.span))
            if isinstance(node, e.Builtin)
            and node.name == "threadIdx"
            and source.written(node)[-2:] in (".x", ".y")
        ]
        if function.kernel and {node.axis for node in found} == {"x", "y"}:
            other = {".x": ".y", ".y": ".x"}
            places = dict.fromkeys((node.span, source.written(node)) for node in found)
            edits = [(*(source.range(span) or (0, 0)), text[:-2] + other[text[-2:]]) for span, text in places]
            yield source.mistake(function, found[0], *edits)


def _tiles(source: Source) -> Iterator[tuple[Function, s.Declare, str]]:
    """Shared arrays of a function, with the text of the declaration to its end."""
    for function in source.functions(device=True):
        for node in walk(function.body) if function.body else ():
            if isinstance(node, s.Declare) and node.variable.storage == "shared":
                found = source.range(node.span)
                if found is not None:
                    end = source.text.find(";", found[0])
                    yield function, node, source.text[found[0] : end]


def _unpadded(source: Source) -> Iterator[Mistake]:
    for function, node, written in _tiles(source):
        start = (source.range(node.span) or (0, 0))[0]
        for found in re.finditer(r"\]\s*\[([^\[\]]*?)(\s*\+\s*1\s*|\b33|\b17)\]", written):
            new = {"33": "32", "17": "16"}.get(found[2], "")
            edit = (start + found.start(2), start + found.end(2), new)
            yield source.mistake(function, node, edit)


def _swapped_tiles(source: Source) -> Iterator[Mistake]:
    """`tile[a][b]` made `tile[b][a]`."""
    for function in source.functions(device=True):
        for node in walk(function.body) if function.body else ():
            inner = node.base if isinstance(node, e.Index) else None
            while isinstance(inner, e.Cast):
                inner = inner.operand
            if (
                isinstance(node, e.Index)
                and isinstance(inner, e.Index)
                and isinstance(inner.base, e.VariableReference)
            ):
                first, second = source.written(inner.index), source.written(node.index)
                if (
                    inner.base.variable.storage == "shared"
                    and first
                    and second
                    and "threadIdx" in first + second
                ):
                    edits = source.replaced(inner.index, second), source.replaced(node.index, first)
                    yield source.mistake(function, node, *edits)


def _array_of_structs(source: Source) -> Iterator[Mistake]:
    """Three arrays of a kernel of one type put into one array of structs: each keeps its own pointer."""
    for function in source.functions(device=True):
        if not function.kernel:
            continue
        nodes: dict[str, list[e.Index]] = {}
        for node in _elements(source, function):
            if isinstance(node.type, t.Scalar) and node.type.name in ("float", "int", "double"):
                nodes.setdefault(source.written(node.base), []).append(node)
        names = [name for name in nodes if name.isidentifier()][:3]
        whole = source.range(function.body.span) if function.body else None
        if len(names) < 3 or whole is None:
            continue
        if any(
            len(re.findall(rf"\b{name}\b", source.text[slice(*whole)])) > len(nodes[name]) for name in names
        ):
            continue
        kinds = {getattr(nodes[name][0].type, "name", "") for name in names}
        if len(kinds) > 1:
            continue
        kind = kinds.pop()
        edits = [(whole[0] + 1, whole[0] + 1, f" struct Planted {{ {kind} a, b, c, d; }};")]
        for name, member in zip(names, "abc", strict=False):
            for place in dict.fromkeys(node.span for node in nodes[name]):
                start, end = source.range(place) or (0, 0)
                inside = source.text[start:end].partition("[")[2][:-1]
                edits.append((start, end, f"((Planted *){name})[{inside}].{member}"))
        yield source.mistake(function, nodes[names[0]][0], *edits)


def _constant_by_lane(source: Source) -> Iterator[Mistake]:
    for function in source.functions(device=True):
        for node in walk(function.body) if function.body else ():
            base = node.base if isinstance(node, e.Index) else None
            while isinstance(base, e.Cast):
                base = base.operand
            if (
                (
                    isinstance(node, e.Index)
                    and isinstance(base, e.VariableReference)
                    and source.written(node.index)
                )
                and base.variable.storage == "constant"
                and "threadIdx" not in source.written(node.index)
            ):
                text = "threadIdx.x & 7"
                yield source.mistake(function, node, source.replaced(node.index, text))


def _unguarded(source: Source) -> Iterator[Mistake]:
    """`if (i < n)` round accesses, or `if (i >= n) return;`, left out; i: the number of the thread."""
    for function in source.functions(device=True):
        body = function.body
        numbers = {
            node.variable.id
            for node in (walk(body) if body else ())
            if isinstance(node, s.Declare) and _THREAD.search(source.written(node))
        }
        for node in walk(body) if body else ():
            if not (function.kernel and isinstance(node, s.If) and isinstance(node.condition, e.Binary)):
                continue
            test, found = node.condition, source.range(node.span)
            leaves = any(isinstance(inner, s.Return) for inner in walk(node.then))
            number = isinstance(test.left, e.VariableReference) and test.left.variable.id in numbers
            if not number or node.otherwise is not None or test.operator != (">=" if leaves else "<"):
                continue
            then = source.range(node.then.span)
            if found is not None and then is not None:
                edit = (found[0], then[1] if leaves else then[0], "")
                lines = "\n" * source.text.count("\n", *edit[:2])
                yield source.mistake(function, node, (edit[0], edit[1], lines))


KINDS = (
    Kind("a stride in the index of a thread", ("CU101", "CU103", "CU104"),
         _strided_threads, "blockDim", "sectors"),
    Kind("a stride in one index", ("CU101", "CU103", "CU104", "CU106"), _strided, "__global__", "sectors"),
    Kind("row and column swapped in an index", ("CU101", "CU103", "CU106"), _swapped_rows, r"\*", "sectors"),
    Kind("x and y of the thread swapped", ("CU101", "CU103", "CU105", "CU106"),
         _swapped_axes, r"threadIdx\.y", "sectors"),
    Kind("a struct of arrays made an array of structs", ("CU104", "CU101"),
         _array_of_structs, "__global__", "sectors"),
    Kind("padding removed from a tile", ("CU201",), _unpadded, "__shared__", "wavefronts"),
    Kind("row and column of a tile swapped", ("CU201",), _swapped_tiles, "__shared__", "wavefronts"),
    Kind("an element of constant memory by lane", ("CU112",), _constant_by_lane, "__constant__"),
    Kind("a bounds check dropped", ("CU510",), _unguarded, "<<<"),
)  # fmt: skip
