"""Mistakes of types and of arithmetic: doubles among floats, functions that cost more than they need."""

import re
from collections.abc import Callable, Iterator

from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.ir.walk import Node, walk
from tools.planting.kind import Kind
from tools.planting.source import Mistake, Source

_FLOATS = ("sqrtf", "expf", "logf", "sinf", "cosf", "tanf", "fabsf", "floorf", "log2f", "exp2f")


def _texts(new: Callable[[Source, Node], str]) -> Callable[[Source], Iterator[Mistake]]:
    """Expressions of kernels and what they call, with another text where `new` has one."""

    def places(source: Source) -> Iterator[Mistake]:
        for function in source.functions(device=True):
            for node in walk(function.body) if function.body else ():
                text = new(source, node) if source.range(node.span) else ""
                if text:
                    yield source.mistake(function, node, source.replaced(node, text))

    return places


def _is(node: Node, kind: str) -> bool:
    found = getattr(node, "type", None)
    return isinstance(found, t.Scalar) and found.name == kind


def _without_suffix(source: Source, node: Node) -> str:
    if not isinstance(node, e.Literal) or node.in_macro or not _is(node, "float"):
        return ""
    written = source.written(node)
    return (
        written[:-1] if re.fullmatch(r"[\d.]+(e[+-]?\d+)?[fF]", written) and node.value not in (0, 1) else ""
    )


def _in_double(source: Source, node: Node) -> str:
    if not isinstance(node, e.Call) or node.name not in _FLOATS or len(node.arguments) != 1:
        return ""
    written, argument = source.written(node), source.written(node.arguments[0])
    return f"{node.name[:-1]}({argument})" if written.startswith(node.name) and argument else ""


def _powers(source: Source, node: Node) -> str:
    if not isinstance(node, e.Binary) or node.operator != "*" or not _is(node, "float"):
        return ""
    left, right = source.written(node.left), source.written(node.right)
    return f"powf({left}, 2.0f)" if left == right and left else ""


def _roots(source: Source, node: Node) -> str:
    if not isinstance(node, e.Call) or node.name not in ("rsqrtf", "rsqrt") or len(node.arguments) != 1:
        return ""
    argument = source.written(node.arguments[0])
    one, root = ("1.0f", "sqrtf") if _is(node, "float") else ("1.0", "sqrt")
    return f"({one} / {root}({argument}))" if argument and source.written(node).startswith("rsqrt") else ""


def _mul24(source: Source, node: Node) -> str:
    if not isinstance(node, e.Binary) or node.operator != "*" or not _is(node, "int"):
        return ""
    left, right = source.written(node.left), source.written(node.right)
    given = [side for side in (node.left, node.right) if isinstance(side, e.VariableReference)]
    wide = any(side.variable.storage == "parameter" for side in given)
    constant = isinstance(node.left, e.Literal) or isinstance(node.right, e.Literal)
    return f"__mul24({left}, {right})" if left and right and wide and not constant else ""


def _sine_and_cosine(source: Source, node: Node) -> str:
    if not isinstance(node, e.Call) or node.name not in ("sincosf", "sincos") or len(node.arguments) != 3:
        return ""
    angle, sine, cosine = (source.written(argument) for argument in node.arguments)
    end = "f" if node.name == "sincosf" else ""
    return f"*({sine}) = sin{end}({angle}), *({cosine}) = cos{end}({angle})" if angle and cosine else ""


KINDS = (
    Kind("an `f` suffix dropped", ("CU601", "CU602"), _texts(_without_suffix), r"\d[fF]\b", "doubles"),
    Kind("a float function called in double", ("CU601", "CU602"),
         _texts(_in_double), r"\b(sqrt|exp|log|sin|cos)f\(", "doubles"),
    Kind("a square made a power", ("CU606",), _texts(_powers), r"\*", "longer"),
    Kind("a reciprocal square root made a division", ("CU605",), _texts(_roots), r"\brsqrtf?\(", "longer"),
    Kind("a product made `__mul24`", ("CU611",), _texts(_mul24), r"\*", "longer"),
    Kind("`sincosf` made two calls", ("CU607",), _texts(_sine_and_cosine), r"\bsincosf?\("),
)  # fmt: skip
